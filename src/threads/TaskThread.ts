import { Worker } from 'node:worker_threads';

/** What a worker answers: a result, or what went wrong. */
export interface TaskReply<Result> {
  readonly result?: Result;
  readonly error?: unknown;
}

/**
 * A worker thread that is asked one thing at a time. The worker's file answers each `ask` with one `TaskReply`; what is
 * `tell`-ed, it does not answer.
 */
export class TaskThread<Request, Result = void> {
  readonly #worker: Worker;
  /** Settles with the first fault of the thread, whenever that happens. */
  readonly #fault: Promise<never>;
  #onReply: (reply: TaskReply<Result>) => void = () => {};

  /** @param file of the worker, compiled; @param workerData what it starts from, as plain data */
  constructor(file: URL, workerData: unknown) {
    this.#worker = new Worker(file, { workerData });
    this.#worker.on('message', (reply: TaskReply<Result>) => this.#onReply(reply));
    this.#fault = new Promise((_, reject) => {
      this.#worker.on('error', reject);
      this.#worker.on('exit', (code) => reject(new Error(`a worker thread ended with code ${code}`)));
    });
    // A fault is raised by the work that it concerns, if there is any.
    this.#fault.catch(() => {});
  }

  tell(request: Request): void {
    this.#worker.postMessage(request);
  }

  /** Rejects with what the worker replied as its error, or when the thread ends. */
  async ask(request: Request): Promise<Result> {
    const reply = new Promise<TaskReply<Result>>((resolve) => {
      this.#onReply = resolve;
    });
    this.tell(request);
    const { result, error } = await Promise.race([reply, this.#fault]);
    if (error !== undefined) throw error;
    return result as Result;
  }

  close(): Promise<number> {
    return this.#worker.terminate();
  }
}
