import { TaskThread } from '../../threads/TaskThread.js';
import { type KernelSetup, ReplayKernel, type StreamTask } from '../ReplayKernel.js';

/** Anchors handed out at a time: enough to hide the message, few enough to keep all threads busy to the end. */
const anchorsPerChunk = 16;

/** Anchors of the task at hand, `start` to `end - 1`. */
interface Chunk {
  readonly kind: 'chunk';
  readonly start: number;
  readonly end: number;
}

/** Main thread to worker: the task that the next chunks are of, or a chunk, which it answers when it is done. */
export type WorkerRequest = { readonly kind: 'task'; readonly task: StreamTask } | Chunk;

/**
 * Replays streams with a number of threads. Anchors are handed out in chunks to whichever thread is free and write their
 * rows in place, so the rows do not depend on the number of threads. One thread means this one.
 */
export class ReplayPool {
  readonly #setup: KernelSetup;
  readonly #kernel: ReplayKernel | undefined;
  readonly #threads: readonly TaskThread<WorkerRequest>[];

  constructor(setup: KernelSetup, threads: number) {
    this.#setup = setup;
    this.#kernel = threads === 1 ? new ReplayKernel(setup) : undefined;
    const worker = new URL('./replayWorker.js', import.meta.url);
    this.#threads = Array.from({ length: threads === 1 ? 0 : threads }, () => new TaskThread(worker, setup));
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
    const work = async (thread: TaskThread<WorkerRequest>): Promise<void> => {
      thread.tell({ kind: 'task', task });
      for (let chunk = takeChunk(); chunk !== undefined; chunk = takeChunk()) {
        try {
          await thread.ask(chunk);
        } catch (error) {
          // Errors lose their class between threads: here it is raised as it is.
          new ReplayKernel(this.#setup).replay(task, chunk.start, chunk.end);
          throw error;
        }
        report(chunk);
      }
    };
    if (this.#kernel === undefined) {
      await Promise.all(this.#threads.map(work));
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
