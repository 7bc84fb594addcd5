import { type FileHandle, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { newSha256, sha256Hex } from '../commitment/sha256.js';
import { ForeignFileError } from '../errors/ForeignFileError.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../errors/MissingResourceError.js';
import { readIfPresent, replaceFile, writeFileAtomically } from '../files/atomicFile.js';

/** Where files of a data set at an https address are kept, and how they are fetched. */
export interface HubOptions {
  /** Folder that keeps downloads, each in a folder of its own named after its address. */
  readonly cacheFolder: string;
  /** Give up when nothing arrives for this long, in milliseconds; a minute by default. */
  readonly timeoutMilliseconds?: number | undefined;
}

/** A download on disk. */
export interface HubFile {
  readonly path: string;
  /** SHA-256 that the download had, or undefined when the user put the file there. */
  readonly sha256: string | undefined;
}

/** Whether a path is an address to download from. */
export function isUrl(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/**
 * The file behind an address: from the cache, else by download. The download is written beside its place and renamed
 * when it is whole, with a `record.json` of its address, size and SHA-256. A file that a user put in its place by hand,
 * where there is no network, is taken as it is.
 *
 * @throws InvalidArgumentError for an address that is neither https nor of this machine
 * @throws MissingResourceError when it cannot be had; it says where to put the file instead
 */
export async function fetchToCache(url: string, options: HubOptions): Promise<HubFile> {
  const address = parseUrl(url);
  const folder = join(options.cacheFolder, sha256Hex(address.href).slice(0, 32));
  const path = join(folder, basename(address.pathname) || 'file');
  if (await isFile(path)) return { path, sha256: await recordedHash(folder) };
  try {
    const sha256 = await replaceFile(path, async (file) => {
      const received = await download(address, file, options.timeoutMilliseconds ?? 60_000);
      const record = { url: address.href, ...received };
      await writeFileAtomically(join(folder, recordName), `${JSON.stringify(record, null, 2)}\n`);
      return received.sha256;
    });
    return { path, sha256 };
  } catch (cause) {
    throw new MissingResourceError({
      resource: address.href,
      remedy: `${reason(cause)}; download it elsewhere and place it at ${path}, or pass the path of a local copy`,
      cause,
    });
  }
}

/**
 * Compares a file that was just read with what its download had.
 *
 * @throws ForeignFileError when they differ
 */
export function checkDownload(file: HubFile, sha256: string): void {
  if (file.sha256 === undefined || file.sha256 === sha256) return;
  throw new ForeignFileError({
    file: file.path,
    reason: `changed since its download (SHA-256 ${sha256}, not ${file.sha256}); delete the folder ${dirname(file.path)} to download it again`,
  });
}

const recordName = 'record.json';
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function parseUrl(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol === 'https:' || (address?.protocol === 'http:' && loopback.has(address.hostname)))
    return address;
  throw new InvalidArgumentError({ argument: 'path', value: url, expected: 'a local path or an https address' });
}

async function download(address: URL, file: FileHandle, timeout: number): Promise<{ bytes: number; sha256: string }> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new StalledError(timeout)), timeout);
  try {
    // Stored as served: a body that the server compresses for the way alone would not match its announced length.
    const response = await fetch(address, { signal: abort.signal, headers: { 'accept-encoding': 'identity' } });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new HttpStatusError(response.status);
    }
    const hash = newSha256();
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      timer.refresh();
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    const announced = response.headers.get('content-length');
    if (announced !== null && response.headers.get('content-encoding') === null && Number(announced) !== bytes) {
      throw new TruncatedError(bytes, Number(announced));
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    clearTimeout(timer);
  }
}

class StalledError extends Error {
  constructor(milliseconds: number) {
    super(`nothing arrived for ${milliseconds / 1000} s`);
  }
}

class HttpStatusError extends Error {
  constructor(status: number) {
    super(`the server answered ${status}`);
  }
}

class TruncatedError extends Error {
  constructor(bytes: number, announced: number) {
    super(`only ${bytes} of ${announced} bytes arrived`);
  }
}

/** Why a download failed, in a few words: the innermost cause that has some. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reason(error.cause);
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined || error.message.includes(code)) return error.message;
  return error.message === '' ? code : `${error.message} (${code})`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function recordedHash(folder: string): Promise<string | undefined> {
  const file = join(folder, recordName);
  const text = await readIfPresent(file);
  if (text === undefined) return undefined;
  try {
    const { sha256 } = JSON.parse(text.toString('utf8')) as { sha256?: unknown };
    if (typeof sha256 === 'string') return sha256;
  } catch (cause) {
    throw new ForeignFileError({ file, reason: `no JSON; delete the folder ${folder} to download again`, cause });
  }
  throw new ForeignFileError({ file, reason: `no SHA-256 in it; delete the folder ${folder} to download again` });
}
