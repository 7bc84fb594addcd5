import type { ChildProcess } from 'node:child_process';
import type { TaskReply } from './TaskThread.js';

/**
 * A process that is asked one thing at a time: started when it is first needed, and again after it ended, whatever ended it.
 * Its module answers each message with one `TaskReply` (`answerTasks`).
 */
export class TaskProcess<Request extends object, Result> {
  readonly #start: () => ChildProcess;
  #child: ChildProcess | undefined;

  /** @param start `forkBeside` with the module */
  constructor(start: () => ChildProcess) {
    this.#start = start;
  }

  /** Id of the process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** @returns the reply; rejects when the process ends before it */
  ask(request: Request): Promise<TaskReply<Result>> {
    const child = this.#running();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        act();
      };
      const onMessage = (reply: unknown) => settle(() => resolve(reply as TaskReply<Result>));
      const onError = (error: Error) => settle(() => reject(error));
      const onExit = (code: number | null, signal: string | null) =>
        onError(new Error(`a process ended before its answer, by ${signal ?? `code ${code}`}`));
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      child.send(request, (error) => error && onError(error));
    });
  }

  /** Ends the process when it has nothing to do any more, and waits for that. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.connected) child.disconnect();
    await ended;
  }

  #running(): ChildProcess {
    if (this.#child !== undefined) return this.#child;
    const child = this.#start();
    const forget = () => {
      if (this.#child === child) this.#child = undefined;
    };
    child.once('exit', forget).once('error', forget).once('disconnect', forget);
    this.#child = child;
    return child;
  }
}

/**
 * The other side of a `TaskProcess`: answers what it is asked until its parent lets it go, or is gone. Signals that are sent to
 * both are for the parent to follow: it ends this process after the work that it waits for.
 *
 * @param errorOf what is sent of an error, as plain data
 */
export function answerTasks<Request, Result>(
  perform: (request: Request) => Promise<Result>,
  errorOf: (error: unknown) => unknown,
): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit());
  process.on('message', async (request: Request) => {
    const reply = await perform(request).then(
      (result): TaskReply<Result> => ({ result }),
      (error: unknown): TaskReply<Result> => ({ error: errorOf(error) }),
    );
    if (process.connected) process.send!(reply);
  });
}
