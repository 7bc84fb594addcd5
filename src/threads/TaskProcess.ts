import type { ChildProcess } from 'node:child_process';
import type { TaskReply } from './TaskThread.js';

/**
 * A process that is asked one thing at a time: started when it is first needed, and again after it ended, whatever ended it.
 * Its module answers each message with one `TaskReply` (`answerTasks`).
 */
export class TaskProcess<Request extends object, Result> {
  readonly #start: () => ChildProcess;
  #running: { readonly child: ChildProcess; readonly ended: Promise<void> } | undefined;

  /** @param start `forkBeside` with the module */
  constructor(start: () => ChildProcess) {
    this.#start = start;
  }

  /** Id of the process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /** @returns the reply; rejects when the process ends before it, or could not be asked */
  async ask(request: Request): Promise<TaskReply<Result>> {
    // One that hears nothing any more may still be at work: two are never there at once.
    while (this.#running?.child.connected === false) await this.#running.ended;
    const { child } = this.#running ?? this.#begin();
    return await new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        act();
      };
      const onMessage = (reply: unknown) => settle(() => resolve(reply as TaskReply<Result>));
      const onExit = (code: number | null, signal: string | null) =>
        settle(() => reject(new Error(`a process ended before its answer, by ${signal ?? `code ${code}`}`)));
      // After any other error, a signal that could not be sent say, the process lives on, and its answer comes.
      const onError = (error: Error) => hasNotStarted(child) && settle(() => reject(error));
      const onSent = (error: Error | null) => {
        if (error === null || error === undefined) return;
        // How much of the request arrived is not known: its answer must not be taken for that to another one.
        if (child.connected) child.disconnect();
        settle(() => reject(error));
      };
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      try {
        child.send(request, onSent);
      } catch (error) {
        // What cannot be written as a message: nothing was sent.
        settle(() => reject(error));
      }
    });
  }

  /** Ends the process when it has nothing to do any more, and waits for that. */
  async close(): Promise<void> {
    if (this.#running === undefined) return;
    const { child, ended } = this.#running;
    if (child.connected) child.disconnect();
    await ended;
  }

  #begin(): { readonly child: ChildProcess; readonly ended: Promise<void> } {
    const child = this.#start();
    const ended = new Promise<void>((resolve) => {
      const end = () => {
        this.#running = undefined;
        resolve();
      };
      child.once('exit', end).on('error', () => hasNotStarted(child) && end());
    });
    this.#running = { child, ended };
    return this.#running;
  }
}

/** Such a child has an `error`, and no `exit`. */
function hasNotStarted(child: ChildProcess): boolean {
  return child.pid === undefined;
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
