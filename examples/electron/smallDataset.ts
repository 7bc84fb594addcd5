import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuiltDataset, buildElectronDataset } from './buildDataset.js';

interface DatasetRecord {
  readonly id: string;
  readonly gold?: readonly string[];
}

/** The demo's collection cut down: its first notes, and the first requests whose gold lies among them. */
export async function buildSmallElectronDataset(folder: string, notes = 3000, requests = 600): Promise<BuiltDataset> {
  const built = await buildElectronDataset(folder, 1);
  const assets = await keepFirst(path.join(folder, 'assets.jsonl'), notes);
  const ids = new Set(assets.map(({ id }) => id));
  const isAnswerable = ({ gold }: DatasetRecord) => gold!.every((id) => ids.has(id));
  const kept = await keepFirst(path.join(folder, 'requests.jsonl'), requests, isAnswerable);
  return { ...built, notes: assets.length, requests: kept.length };
}

/** Cuts a file of JSON lines down to the first of those that are wanted. */
async function keepFirst(
  file: string,
  count: number,
  isWanted: (record: DatasetRecord) => boolean = () => true,
): Promise<DatasetRecord[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const kept = lines
    .map((line) => ({ line, record: JSON.parse(line) as DatasetRecord }))
    .filter(({ record }) => isWanted(record))
    .slice(0, count);
  await writeFile(file, kept.map(({ line }) => `${line}\n`).join(''));
  return kept.map(({ record }) => record);
}
