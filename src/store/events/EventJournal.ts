import { type FileHandle, open, stat } from 'node:fs/promises';
import { MerkleLog } from '../../commitment/merkleLog.js';
import type { LogCommitment } from '../../commitment/merkleTree.js';
import { FolderLockedError } from '../../errors/FolderLockedError.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { Instant } from '../../time/instant.js';
import { takeFolderLock } from '../folderLock.js';
import { checkInstant } from '../workspace/checkInstant.js';
import { inWorkspace, workspaceLayout } from '../workspace/layout.js';
import { eventLine, type InteractionEvent, parseEventLine } from './interactionEvent.js';

/** Identity of the memory before an instant: M_<t, the prefix of the log that was observed strictly before. */
export interface MemoryState extends LogCommitment {
  /** Events of it were observed strictly before this. */
  readonly before: Instant;
}

/** What `append` did with an event. */
export interface AppendedEvent {
  readonly id: string;
  /** Place in the log, from 0. */
  readonly position: number;
  /** False when the log held the very same event already. */
  readonly appended: boolean;
}

/** Where in the log to read. */
export interface EventQuery {
  /** Only events observed strictly before; all when absent. */
  readonly before?: Instant | undefined;
  /** First position; 0 by default. */
  readonly from?: number | undefined;
  /** How many at most. */
  readonly limit: number;
}

/** Half a second in steps: appends of another process take a few milliseconds. */
const lockAttempts = 25;
const lockPause = 20;

/**
 * The workspace's log of interaction events: append-only, in the order of observation, so that the memory before any
 * instant is a prefix of it (architecture.md). An event is never earlier than the one before it, and depends only on
 * events before it. Several processes may append: each takes a lock for as long as it does.
 *
 * Memory: ids and 72 bytes an event; what events hold stays on disk.
 */
export class EventJournal {
  readonly file: string;
  readonly #folder: string;
  readonly #tree = new MerkleLog();
  readonly #positions = new Map<string, number>();
  readonly #observedAt: number[] = [];
  /** Where each line starts, and where the last one ends, in bytes. */
  readonly #offsets: number[] = [0];
  /** Changes and catching up are done one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(folder: string) {
    this.#folder = folder;
    this.file = inWorkspace(folder, workspaceLayout.events);
  }

  /** @throws InvalidInputError when the file holds something else than events, naming the line */
  static async open(folder: string): Promise<EventJournal> {
    const journal = new EventJournal(folder);
    await journal.refresh();
    return journal;
  }

  get size(): number {
    return this.#observedAt.length;
  }

  /** Observation time of the last event; undefined in an empty log. */
  get newest(): Instant | undefined {
    return this.#observedAt.at(-1);
  }

  /** Commitment to the whole log. */
  get log(): LogCommitment {
    return this.#tree.commitment();
  }

  /** Takes in what other processes have appended. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#catchUp());
  }

  /** Identity of M_<t. */
  stateBefore(before: Instant): MemoryState {
    checkInstant('before', before);
    return { before, ...this.#tree.commitment(this.#sizeBefore(before)) };
  }

  /** Number of events observed strictly before, all when no instant is given. */
  countBefore(before?: Instant): number {
    return before === undefined ? this.size : this.#sizeBefore(before);
  }

  /** Events in the order of the log, with their positions. */
  async read({ before, from = 0, limit }: EventQuery): Promise<{ position: number; event: InteractionEvent }[]> {
    const end = Math.min(this.countBefore(before), from + limit);
    if (from >= end) return [];
    const start = this.#offsets[from]!;
    const bytes = Buffer.alloc(this.#offsets[end]! - start);
    const handle = await open(this.file, 'r');
    try {
      await handle.read(bytes, 0, bytes.length, start);
    } finally {
      await handle.close();
    }
    const lines = bytes.toString().split('\n').slice(0, -1);
    return lines.map((line, at) => ({
      position: from + at,
      event: parseEventLine(line, this.file, from + at + 1),
    }));
  }

  /**
   * Appends events in the order given, all of them or none. The very same event again is no change.
   *
   * @throws InvalidArgumentError for an event that was observed before the last one, that has the id of another event,
   * or that depends on an event which the log does not hold before it
   * @throws FolderLockedError when another process does not give the lock back
   */
  append(events: readonly InteractionEvent[]): Promise<AppendedEvent[]> {
    return this.#inTurn(async () => {
      const release = await this.#lock();
      try {
        await this.#catchUp();
        return await this.#write(events);
      } finally {
        release();
      }
    });
  }

  async #write(events: readonly InteractionEvent[]): Promise<AppendedEvent[]> {
    const results: AppendedEvent[] = [];
    const lines: { text: string; event: InteractionEvent }[] = [];
    const fresh = new Map<string, number>();
    let newest = this.newest ?? Number.NEGATIVE_INFINITY;
    for (const event of events) {
      const text = eventLine(event);
      const known = this.#positions.get(event.id) ?? fresh.get(event.id);
      if (known !== undefined) {
        const held = known < this.size ? await this.#lineAt(known) : lines[known - this.size]!.text;
        if (held !== text) refuse('id', event.id, 'an id of no other event: events never change');
        results.push({ id: event.id, position: known, appended: false });
        continue;
      }
      if (event.observedAt < newest) {
        const expected = `no instant before that of the last event (${formatInstant(newest)}): the log is in the order of observation`;
        refuse(`observedAt of ${event.id}`, formatInstant(event.observedAt), expected);
      }
      for (const id of event.dependsOn) {
        if (this.#positions.has(id) || fresh.has(id)) continue;
        refuse(`dependsOn of ${event.id}`, id, 'the id of an event that the log holds already');
      }
      newest = event.observedAt;
      const position = this.size + lines.length;
      fresh.set(event.id, position);
      lines.push({ text, event });
      results.push({ id: event.id, position, appended: true });
    }
    if (lines.length === 0) return results;
    const bytes = Buffer.from(lines.map(({ text }) => `${text}\n`).join(''));
    await this.#put(bytes);
    for (const { text, event } of lines) this.#take(text, event);
    return results;
  }

  /** Writes behind the last whole line, which also drops what a process that died left of one. */
  async #put(bytes: Buffer): Promise<void> {
    const end = this.#offsets.at(-1)!;
    const handle = await open(this.file, 'r+').catch(() => open(this.file, 'wx+'));
    try {
      await handle.truncate(end);
      let written = 0;
      while (written < bytes.length) {
        written += (await handle.write(bytes, written, bytes.length - written, end + written)).bytesWritten;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async #lineAt(position: number): Promise<string> {
    const [found] = await this.read({ from: position, limit: 1 });
    return eventLine(found!.event);
  }

  /** Reads the lines that are new since. A last line without its end is still being written, or never will be. */
  async #catchUp(): Promise<void> {
    const size = await stat(this.file).then(
      (found) => found.size,
      () => 0,
    );
    if (size <= this.#offsets.at(-1)!) return;
    const handle = await open(this.file, 'r');
    try {
      for await (const line of linesFrom(handle, this.#offsets.at(-1)!)) {
        this.#take(line, parseEventLine(line, this.file, this.size + 1));
      }
    } finally {
      await handle.close();
    }
  }

  #take(line: string, { id, observedAt }: InteractionEvent): void {
    this.#positions.set(id, this.size);
    this.#observedAt.push(observedAt);
    this.#offsets.push(this.#offsets.at(-1)! + Buffer.byteLength(line) + 1);
    this.#tree.append(line);
  }

  #sizeBefore(t: Instant): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#observedAt[middle]! < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #lock(): Promise<() => void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await takeFolderLock(this.#folder, { purpose: 'events' });
      } catch (error) {
        if (!(error instanceof FolderLockedError) || attempt === lockAttempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, lockPause));
      }
    }
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.catch(() => undefined).then(act);
    this.#last = result;
    return result;
  }
}

/** Whole lines of a file from a byte on, without their ends. */
async function* linesFrom(handle: FileHandle, start: number): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for (let at = start; ; ) {
    const chunk = Buffer.alloc(1 << 16);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let from = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, from)) {
      yield rest.toString('utf8', from, end);
      from = end + 1;
    }
    rest = rest.subarray(from);
  }
}

function refuse(argument: string, value: unknown, expected: string): never {
  throw new InvalidArgumentError({ argument, value, expected });
}
