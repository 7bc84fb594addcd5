import { Worker } from 'node:worker_threads';
import { type KernelSetup, ReplayKernel, type StreamTask } from '../ReplayKernel.js';

/** Anchors handed out at a time: enough to hide the message, few enough to keep all threads busy to the end. */
const anchorsPerChunk = 16;

/** Anchors of the task at hand, `start` to `end - 1`. */
interface Chunk {
  readonly kind: 'chunk';
  readonly start: number;
  readonly end: number;
}

/** Main thread to worker: the task that the next chunks are of, or a chunk. */
export type WorkerRequest = { readonly kind: 'task'; readonly task: StreamTask } | Chunk;

/** Worker to main thread, after each chunk. */
export interface WorkerReply {
  /** What went wrong, if anything did. */
  readonly error?: unknown;
}

/**
 * Replays streams with a number of threads. Anchors are handed out in chunks to whichever thread is free and write their
 * rows in place, so the rows do not depend on the number of threads. One thread means this one.
 */
export class ReplayPool {
  readonly #kernel: ReplayKernel | undefined;
  readonly #threads: readonly ReplayThread[];

  constructor(setup: KernelSetup, threads: number) {
    this.#kernel = threads === 1 ? new ReplayKernel(setup) : undefined;
    this.#threads = Array.from({ length: threads === 1 ? 0 : threads }, () => new ReplayThread(setup));
  }

  /** Fills the batches of a task. */
  async replay(task: StreamTask, onProgress: (anchors: number) => void = () => {}): Promise<void> {
    const total = task.anchors.length;
    let next = 0;
    let done = 0;
    const takeChunk = (): Chunk | undefined => {
      if (next >= total) return undefined;
      const start = next;
      next = Math.min(total, next + anchorsPerChunk);
      return { kind: 'chunk', start, end: next };
    };
    const report = ({ start, end }: Chunk) => {
      done += end - start;
      onProgress(done);
    };
    if (this.#kernel === undefined) {
      await Promise.all(this.#threads.map((thread) => thread.work(task, takeChunk, report)));
      return;
    }
    for (let chunk = takeChunk(); chunk !== undefined; chunk = takeChunk()) {
      this.#kernel.replay(task, chunk.start, chunk.end);
      report(chunk);
      // Lets the event loop turn: earlier rows go on being written, and an interrupt is heard.
      await new Promise(setImmediate);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** One worker thread, given chunk after chunk. */
class ReplayThread {
  readonly #worker: Worker;
  /** Settles with the first fault of the thread, whenever that happens. */
  readonly #fault: Promise<never>;
  #onReply: (reply: WorkerReply) => void = () => {};

  constructor(setup: KernelSetup) {
    this.#worker = new Worker(new URL('./replayWorker.js', import.meta.url), { workerData: setup });
    this.#worker.on('message', (reply: WorkerReply) => this.#onReply(reply));
    this.#fault = new Promise((_, reject) => {
      this.#worker.on('error', reject);
      this.#worker.on('exit', (code) => reject(new Error(`a replay thread ended with code ${code}`)));
    });
    // A fault is raised by the work that it concerns, if there is any.
    this.#fault.catch(() => {});
  }

  async work(task: StreamTask, takeChunk: () => Chunk | undefined, report: (chunk: Chunk) => void): Promise<void> {
    this.#send({ kind: 'task', task });
    for (let chunk = takeChunk(); chunk !== undefined; chunk = takeChunk()) {
      const reply = new Promise<WorkerReply>((resolve) => {
        this.#onReply = resolve;
      });
      this.#send(chunk);
      const { error } = await Promise.race([reply, this.#fault]);
      if (error !== undefined) throw error;
      report(chunk);
    }
  }

  close(): Promise<number> {
    return this.#worker.terminate();
  }

  #send(request: WorkerRequest): void {
    this.#worker.postMessage(request);
  }
}
