import { type ErrorData, errorOfData } from '../../errors/CarriedError.js';
import { RequestRefusedError } from '../../errors/RequestRefusedError.js';
import { forkBeside } from '../../threads/forkBeside.js';
import { TaskProcess } from '../../threads/TaskProcess.js';
import type { Instant } from '../../time/instant.js';
import type { IngestAnswer, IngestTask, WithdrawAnswer, WithdrawTask, WriterTask } from './writerTasks.js';

/**
 * Changes of a workspace, one after the other, in a process of their own: searches go on meanwhile, and a change that runs
 * out of memory takes nothing else with it. A process and not a thread, since the writer's lock is between processes: what
 * this one writes elsewhere, the library's own `openWorkspace` say, is kept out as any other writer is.
 */
export class IngestQueue {
  readonly #folder: string;
  readonly #limit: number;
  readonly #onPlaces: (count: number) => void;
  readonly #writer = new TaskProcess<WriterTask, IngestAnswer | WithdrawAnswer>(() =>
    forkBeside(import.meta.url, 'writerProcess', [], { isApart: true }),
  );
  /** Requests that have a place: those that wait, and the one at work. */
  #places = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, limit: number, onPlaces: (count: number) => void = () => {}) {
    this.#folder = folder;
    this.#limit = limit;
    this.#onPlaces = onPlaces;
  }

  /** Id of the process that writes; undefined while there is none. */
  get pid(): number | undefined {
    return this.#writer.pid;
  }

  /**
   * Takes a place for a request, from before its body arrives: one is at work, and as many as the limit says wait.
   * @returns what gives the place back
   * @throws RequestRefusedError (429) when too many wait already
   */
  enter(): () => void {
    if (this.#places <= this.#limit) {
      this.#count(1);
      return () => this.#count(-1);
    }
    const message = `an ingest is at work, and ${this.#limit} more in the queue: ask again later`;
    throw new RequestRefusedError({ code: 'ASOF_TOO_BUSY', status: 429, message });
  }

  /** @param task with the clock, which is read when it is its turn */
  ingest({ now, ...task }: Omit<IngestTask, 'kind' | 'now'> & { readonly now: () => Instant }): Promise<IngestAnswer> {
    return this.#inTurn(() => ({ kind: 'ingest', ...task, now: now() })) as Promise<IngestAnswer>;
  }

  withdraw({
    now,
    ...task
  }: Omit<WithdrawTask, 'kind' | 'now'> & { readonly now: () => Instant }): Promise<WithdrawAnswer> {
    return this.#inTurn(() => ({ kind: 'withdraw', ...task, now: now() })) as Promise<WithdrawAnswer>;
  }

  /** Waits for the changes that were asked for, and ends their process. */
  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#writer.close();
  }

  #inTurn(task: () => IngestTask | WithdrawTask): Promise<IngestAnswer | WithdrawAnswer> {
    const result = this.#last
      .catch(() => undefined)
      .then(async () => {
        const { result, error } = await this.#writer.ask({ folder: this.#folder, ...task() });
        if (error !== undefined) throw errorOfData(error as ErrorData);
        return result!;
      });
    this.#last = result;
    return result;
  }

  #count(change: number): void {
    this.#places += change;
    this.#onPlaces(this.#places);
  }
}
