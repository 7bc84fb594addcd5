import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { sha256 } from './hashing.js';
import { UnreadableRun } from './report.js';

/** Where the files of a run lie; labels keep letters, digits, dot, dash and underscore. */
const safe = (label) => label.replace(/[^A-Za-z0-9._-]/g, '_');
export const layout = {
  assets: (domain) => `domains/${domain}/assets.parquet`,
  requests: (domain) => `domains/${domain}/requests.parquet`,
  base: (domain, retriever) => `domains/${domain}/base.${safe(retriever)}.parquet`,
  stream: (domain, label, seed) => `domains/${domain}/stream.${safe(label)}.${seed}.parquet`,
  proofs: (domain, label, seed) => `domains/${domain}/proofs.${safe(label)}.${seed}.parquet`,
};

export async function readBytes(folder, name) {
  try {
    return await readFile(path.join(folder, name));
  } catch (error) {
    throw new UnreadableRun(`${name}: ${error.code ?? error.message}`);
  }
}

export async function readJson(folder, name) {
  try {
    return JSON.parse((await readBytes(folder, name)).toString('utf8'));
  } catch (error) {
    throw error instanceof UnreadableRun ? error : new UnreadableRun(`${name}: not JSON`);
  }
}

/** SHA-256 of a file, or null where it cannot be read. */
export async function digestOf(folder, name) {
  return readBytes(folder, name).then(
    (bytes) => sha256(bytes).toString('hex'),
    () => null,
  );
}

/** Rows of a Parquet file as objects, one group of rows in memory at a time; 64-bit integers become numbers. */
export async function* parquetRows(folder, name) {
  try {
    const file = await asyncBufferFromFile(path.join(folder, name));
    const metadata = await parquetMetadataAsync(file);
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      for (const row of await parquetReadObjects({ file, metadata, rowStart, rowEnd })) yield plain(row);
      rowStart = rowEnd;
    }
  } catch (error) {
    throw new UnreadableRun(`${name}: ${error.message}`);
  }
}

export async function readTable(folder, name) {
  const rows = [];
  for await (const row of parquetRows(folder, name)) rows.push(row);
  return rows;
}

export async function* jsonLines(folder, name) {
  for await (const line of createInterface({ input: createReadStream(path.join(folder, name)) })) {
    if (line !== '') yield JSON.parse(line);
  }
}

function plain(value) {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}
