import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareCodeUnits } from '../../corpus/corpus.js';
import {
  type CachedVector,
  decodeRecord,
  encodeRecord,
  isIntact,
  keyLength,
  type LogIdentity,
  logExtension,
  RecordLog,
  recordLength,
} from './recordLog.js';

/** More logs than this are merged when the cache is opened, so that a thousand short runs do not leave a thousand. */
const mostLogs = 16;
/** Logs from this size on are left as they are. */
const largeLog = 16 * 2 ** 20;

/**
 * Vectors of one embedder by the SHA-256 of their text, on disk. Safe against crashes and against other processes: each
 * appends to a log of its own. What is lost in the worst case is embedded again; what is found is checked (CRC-32).
 */
export class EmbeddingCache {
  readonly #folder: string;
  readonly #identity: LogIdentity;
  readonly #logs: RecordLog[] = [];
  /** Key (as a latin1 string) to log * 2^32 + record. */
  readonly #index = new Map<string, number>();
  readonly #record: Buffer;
  #own: RecordLog | undefined;

  private constructor(folder: string, identity: LogIdentity) {
    this.#folder = folder;
    this.#identity = identity;
    this.#record = Buffer.alloc(recordLength(identity.dimension));
  }

  /**
   * @param folder holds a folder for each embedder; made where absent
   * @throws ForeignFileError when a file there is not a log of this embedder
   */
  static open(folder: string, identity: LogIdentity): EmbeddingCache {
    const own = join(folder, identity.hash);
    mkdirSync(own, { recursive: true });
    const cache = new EmbeddingCache(own, identity);
    const names = readdirSync(own).filter((name) => name.endsWith(logExtension));
    for (const name of names.sort(compareCodeUnits)) cache.#add(RecordLog.open(join(own, name), identity));
    if (names.length > mostLogs) cache.#mergeSmallLogs();
    return cache;
  }

  get size(): number {
    return this.#index.size;
  }

  /**
   * Copies the vector of a key into `vector`; undefined when the cache does not have it.
   * @param key SHA-256 of the text, 32 bytes
   */
  get(key: Buffer, vector: Float32Array): CachedVector | undefined {
    const location = this.#index.get(key.toString('latin1'));
    if (location === undefined) return undefined;
    this.#logs[Math.floor(location / 2 ** 32)]!.read(location % 2 ** 32, this.#record);
    return decodeRecord(this.#record, key, vector);
  }

  /**
   * Stores vectors; they are on disk for other processes when this returns.
   * @param vectors [keys, dimension]
   */
  put(keys: readonly Buffer[], vectors: Float32Array, states: readonly CachedVector[]): void {
    const { dimension } = this.#identity;
    const length = recordLength(dimension);
    const records = Buffer.alloc(keys.length * length);
    for (const [i, key] of keys.entries()) {
      const vector = vectors.subarray(i * dimension, (i + 1) * dimension);
      encodeRecord(records.subarray(i * length, (i + 1) * length), key, vector, states[i]!);
    }
    this.#append(records);
  }

  close(): void {
    for (const log of this.#logs) log.close();
  }

  #append(records: Buffer): void {
    if (this.#own === undefined) {
      this.#own = RecordLog.create(this.#folder, this.#identity);
      this.#logs.push(this.#own);
    }
    const first = this.#own.append(records);
    const log = this.#logs.indexOf(this.#own);
    for (let i = 0; i * this.#record.length < records.length; i++) {
      this.#locate(records.subarray(i * this.#record.length), log, first + i);
    }
  }

  #add(log: RecordLog): void {
    const number = this.#logs.push(log) - 1;
    log.visit((record, index) => this.#locate(record, number, index));
  }

  #locate(record: Buffer, log: number, index: number): void {
    this.#index.set(record.toString('latin1', 0, keyLength), log * 2 ** 32 + index);
  }

  /** A process that still appends to a removed log loses those entries, and no more. */
  #mergeSmallLogs(): void {
    for (const log of this.#logs.filter((candidate) => candidate.byteLength < largeLog)) {
      log.visit((record) => {
        if (isIntact(record)) this.#append(record);
      });
      try {
        rmSync(log.path, { force: true });
      } catch {
        // Windows keeps a file that another process has open; the next opening tries again.
      }
    }
  }
}
