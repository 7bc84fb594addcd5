import { createReadStream, ReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { newSha256 } from '../../commitment/sha256.js';
import { AsofError } from '../../errors/AsofError.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';

/**
 * What a file holds: assets, requests, relevance judgements, assets and requests in one, or the rankings of a run; of a
 * log under audit, events or answers.
 */
export type InputRole = 'assets' | 'requests' | 'qrels' | 'dataset' | 'run' | 'events' | 'answers';

/** A file that was read, as it lay on disk (compressed, if it was). */
export interface InputRecord {
  /** Path or URL as the user gave it; `-` is standard input. */
  readonly path: string;
  readonly role: InputRole;
  readonly bytes: number;
  readonly sha256: string;
}

export interface InputSetOptions {
  /** What `-` reads. Standard input of the process by default. */
  stdin?: NodeJS.ReadableStream | undefined;
  /** Turns a path into that of a local file, for example by a download. The identity by default. */
  locate?: ((path: string) => Promise<string>) | undefined;
  /** Told of every piece of a file that was read, as it lies on disk. */
  onBytes?: ((path: string, bytes: number) => void) | undefined;
}

const chunkBytes = 1 << 20;
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/** How messages name an input. */
export function inputLabel(path: string): string {
  return path === '-' ? 'stdin' : path;
}

/** Opens input files, and keeps a record of each one that was read to its end. */
export class InputSet {
  readonly #options: InputSetOptions;
  readonly #records: InputRecord[] = [];
  #stdinTaken = false;

  constructor(options: InputSetOptions = {}) {
    this.#options = options;
  }

  /** In the order in which reading ended. */
  get records(): readonly InputRecord[] {
    return this.#records;
  }

  /**
   * The bytes of a text file, decompressed where they are gzip, whatever the file's name, and without a byte order mark.
   * The hash is taken on the way, so a file is read once. Memory: a few chunks of a megabyte.
   *
   * @throws MissingResourceError when there is no such file
   * @throws InvalidInputError when the file cannot be read, or its gzip stream is damaged or not alone
   */
  async *read(path: string, role: InputRole): AsyncGenerator<Buffer> {
    const label = inputLabel(path);
    const source = await this.#open(path);
    const hash = newSha256();
    const { onBytes } = this.#options;
    let bytes = 0;
    let ended = false;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
        hash.update(buffer);
        bytes += buffer.length;
        onBytes?.(path, buffer.length);
        yield buffer;
      }
      ended = true;
    }

    async function* decompressed(): AsyncGenerator<Buffer> {
      const raw = counted();
      const head = await takeHead(raw, 2);
      if (head[0] !== 0x1f || head[1] !== 0x8b) {
        yield head;
        yield* raw;
        return;
      }
      const gunzip = createGunzip({ chunkSize: chunkBytes });
      // Errors of either side reach the loop below through `gunzip`; leaving it early closes the file.
      pipeline(Readable.from(prefixed(head, raw)), gunzip, () => {});
      for await (const chunk of gunzip) yield chunk as Buffer;
      if (!ended || gunzip.bytesWritten !== bytes) {
        throw new InvalidInputError({
          location: { file: label },
          value: `more data after ${gunzip.bytesWritten} bytes`,
          expected: 'one or more gzip members and nothing after them',
        });
      }
    }

    try {
      const text = decompressed();
      const head = await takeHead(text, byteOrderMark.length);
      const marked = byteOrderMark.equals(head.subarray(0, byteOrderMark.length));
      yield* prefixed(marked ? head.subarray(byteOrderMark.length) : head, text);
    } catch (error) {
      throw explain(error, label);
    } finally {
      // A reader that leaves early must not leave the file open.
      if (source instanceof ReadStream) source.destroy();
    }
    this.#records.push({ path, role, bytes, sha256: hash.digest('hex') });
  }

  async #open(path: string): Promise<AsyncIterable<Buffer | string>> {
    if (path !== '-') {
      const located = this.#options.locate === undefined ? path : await this.#options.locate(path);
      return createReadStream(located, { highWaterMark: chunkBytes });
    }
    if (this.#stdinTaken) {
      throw new InvalidArgumentError({ argument: 'path', value: '-', expected: 'standard input for one file only' });
    }
    this.#stdinTaken = true;
    return this.#options.stdin ?? process.stdin;
  }
}

/** The first chunks until they hold `count` bytes, joined; fewer bytes when there are no more. */
async function takeHead(chunks: AsyncGenerator<Buffer>, count: number): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < count) {
    const next = await chunks.next();
    if (next.done) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  return head;
}

async function* prefixed(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

function explain(error: unknown, file: string): unknown {
  if (AsofError.isInstance(error) || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? error.message;
  if (code === 'ENOENT') {
    return new MissingResourceError({ resource: file, remedy: 'no such file; check the path', cause: error });
  }
  if (code.startsWith('Z_')) {
    const expected = 'a whole, undamaged gzip stream';
    return new InvalidInputError({ location: { file }, value: error.message, expected, cause: error });
  }
  return new InvalidInputError({ location: { file }, value: code, expected: 'a file that can be read', cause: error });
}
