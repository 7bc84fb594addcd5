import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

/** Reads a JSON Lines file, gzipped or not, whole: for examples, whose files are small. */
export async function readJsonLines<T>(file: string): Promise<T[]> {
  const bytes = await readFile(file);
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
