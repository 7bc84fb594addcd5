import { stat } from 'node:fs/promises';
import { openWorkspace, type SearchableWorkspace } from '../search/SearchableWorkspace.js';
import { EventJournal } from '../store/events/EventJournal.js';
import { inWorkspace, workspaceLayout } from '../store/workspace/layout.js';
import { UseCount } from '../threads/UseCount.js';

/**
 * A workspace that many requests read at once while it grows. Each request reads one committed state from its start to
 * its end: the reader goes on to a newer one only between requests. Who writes, this process or another, makes no
 * difference.
 */
export class SharedWorkspace {
  readonly folder: string;
  readonly events: EventJournal;
  readonly #reader: SearchableWorkspace;
  readonly #uses = new UseCount();
  /** A change of state at work; requests wait for it. */
  #change: Promise<void> | undefined;
  #seen: string;

  private constructor(folder: string, reader: SearchableWorkspace, events: EventJournal, seen: string) {
    this.folder = folder;
    this.#reader = reader;
    this.events = events;
    this.#seen = seen;
  }

  static async open(folder: string): Promise<SharedWorkspace> {
    const seen = await pointerStamp(folder);
    const reader = await openWorkspace(folder, { readOnly: true });
    return new SharedWorkspace(folder, reader, await EventJournal.open(folder), seen);
  }

  /** Lets `read` see the newest committed state, the same one until it has ended. */
  async use<T>(read: (workspace: SearchableWorkspace) => Promise<T>): Promise<T> {
    await this.#goOn();
    const end = this.#uses.begin();
    try {
      return await read(this.#reader);
    } finally {
      end();
    }
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }

  /** Goes on to the newest state if there is a newer one, when the last request that reads the old one has ended. */
  async #goOn(): Promise<void> {
    while (this.#change !== undefined) await this.#change;
    const stamp = await pointerStamp(this.folder);
    if (stamp === this.#seen) return;
    if (this.#change !== undefined) return this.#goOn();
    this.#change = this.#refresh(stamp).finally(() => {
      this.#change = undefined;
    });
    await this.#change;
  }

  async #refresh(stamp: string): Promise<void> {
    await this.#uses.idle();
    await this.#reader.refresh();
    this.#seen = stamp;
  }
}

/** Changes with every commit: the pointer file is replaced whole. */
async function pointerStamp(folder: string): Promise<string> {
  const { ino, mtimeMs, size } = await stat(inWorkspace(folder, workspaceLayout.pointer)).catch(() => ({
    ino: 0,
    mtimeMs: 0,
    size: 0,
  }));
  return `${ino}/${mtimeMs}/${size}`;
}
