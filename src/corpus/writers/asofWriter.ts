import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { newSha256 } from '../../commitment/sha256.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { Instant } from '../../time/instant.js';
import type { Asset } from '../asset.js';
import type { RequestRecord } from '../request.js';

/** A file that was written. */
export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface WriteOptions {
  /** Compress, and add `.gz` to the names. */
  readonly gzip?: boolean | undefined;
  /** Put the files into a folder that has others; files of the same names are replaced. */
  readonly force?: boolean | undefined;
}

/**
 * Writes a data set as asof's own JSONL, `assets.jsonl` and `requests.jsonl`, into a folder. The files are written beside
 * the folder and moved into place when all are whole: whoever looks sees none of them or all. The same records give the
 * same bytes (compressed ones, by the same version of zlib).
 *
 * @throws InvalidArgumentError when the folder holds something, unless `force`
 */
export async function writeAsofDataset(
  records: { readonly assets: readonly Asset[]; readonly requests: readonly RequestRecord[] },
  folder: string,
  options: WriteOptions = {},
): Promise<WrittenFile[]> {
  const isNew = await checkTarget(folder, options.force === true);
  await mkdir(dirname(folder), { recursive: true });
  const stage = `${folder.replace(/[/\\]+$/, '')}.${randomUUID()}.tmp`;
  await mkdir(stage);
  try {
    const ending = options.gzip ? '.jsonl.gz' : '.jsonl';
    const contents = [
      [`assets${ending}`, blocksOf(records.assets, assetObject)],
      [`requests${ending}`, blocksOf(records.requests, requestObject)],
    ] as const;
    const written: WrittenFile[] = [];
    for (const [name, blocks] of contents) {
      const size = await writeBlocks(join(stage, name), blocks, options.gzip === true);
      written.push({ path: join(folder, name), ...size });
    }
    if (isNew) await rename(stage, folder);
    else for (const [name] of contents) await rename(join(stage, name), join(folder, name));
    return written;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/**
 * Looks at the folder that is to be written into, before any work is done for it.
 *
 * @returns whether it does not exist yet
 * @throws InvalidArgumentError when it is no folder, or holds something, unless `force`
 */
export async function checkTarget(folder: string, force: boolean): Promise<boolean> {
  const present = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw new InvalidArgumentError({ argument: 'out', value: folder, expected: 'a folder', cause });
  });
  if (present !== undefined && present.length > 0 && !force) {
    throw new InvalidArgumentError({ argument: 'out', value: folder, expected: 'a folder that is empty or new' });
  }
  return present === undefined;
}

/** Keys in a fixed order; those without a value are left out. */
function assetObject({ id, type, title, text, table, group, eventAt, availableAt }: Asset): object {
  return { id, type, title, text, table, group, eventAt: timeText(eventAt), availableAt: timeText(availableAt) };
}

function requestObject({ observedAt, feedbackAt, dependsOn, group, ...rest }: RequestRecord): object {
  const { id, text, gold } = rest;
  return { id, text, gold, observedAt: timeText(observedAt), feedbackAt: timeText(feedbackAt), dependsOn, group };
}

function timeText(instant: Instant | undefined): string | undefined {
  return instant === undefined ? undefined : formatInstant(instant);
}

const blockLength = 1 << 16;

/** One JSON object a line, many lines a block. */
function* blocksOf<T>(items: readonly T[], toObject: (item: T) => object): Generator<string> {
  let block = '';
  for (const item of items) {
    block += `${JSON.stringify(toObject(item))}\n`;
    if (block.length < blockLength) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

async function writeBlocks(
  path: string,
  blocks: Iterable<string>,
  gzip: boolean,
): Promise<{ bytes: number; sha256: string }> {
  const hash = newSha256();
  let bytes = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  const compress = gzip ? createGzip() : new PassThrough();
  await pipeline(
    Readable.from(blocks, { objectMode: true }),
    compress,
    count,
    createWriteStream(path, { flush: true }),
  );
  return { bytes, sha256: hash.digest('hex') };
}
