import { type Database, openInMemory } from '../../columnar/duckdb.js';
import { UseCount } from '../../threads/UseCount.js';

/**
 * The one database that all reads of a workspace share, opened by the first. It is closed when the last of them has ended:
 * DuckDB does not survive being closed under a query, and a reader may close while an answer that nobody waits for any more,
 * such as one that took too long, is still being made.
 */
export class ReadDatabase {
  readonly #uses = new UseCount();
  #opened: Promise<Database> | undefined;
  #isClosed = false;

  /** The database, which stays open until it is released. */
  async hold(): Promise<{ readonly database: Database; readonly release: () => void }> {
    if (this.#isClosed) throw new Error('the workspace is closed');
    const release = this.#uses.begin();
    try {
      this.#opened ??= openInMemory();
      return { database: await this.#opened, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async use<T>(act: (database: Database) => Promise<T>): Promise<T> {
    const { database, release } = await this.hold();
    try {
      return await act(database);
    } finally {
      release();
    }
  }

  /** Takes no more uses, waits for those under way, and closes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#uses.idle();
    const opened = this.#opened;
    this.#opened = undefined;
    (await opened)?.close();
  }
}
