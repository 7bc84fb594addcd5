import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildElectronDataset } from '../../examples/electron/buildDataset.js';
import { openWorkspace } from '../../src/search/SearchableWorkspace.js';
import { WordEmbedder } from '../../src/search/testing/WordEmbedder.js';
import { type ServerForTest, serverForTest } from '../../src/server/testing/serverForTest.js';
import { initWorkspace } from '../../src/store/workspace/initWorkspace.js';
import { runSmall } from './smallRun.js';

/** The built dashboard; absent before `npm run build`. */
export const dashboardFolder = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** When it is for the server: a while after the last release note that it holds. */
export const demoNow = Date.parse('2018-07-01T00:00:00Z');

/**
 * A server over a part of the demo's data: the notes of the first releases as a workspace that can be searched, and a
 * replay of their requests in natural order.
 */
export async function demoServer(): Promise<ServerForTest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'asof-demo-'));
  const data = path.join(folder, 'dataset');
  await buildElectronDataset(data, 1);
  const assets = await keepFirst(path.join(data, 'assets.jsonl'), 1500);
  const ids = new Set(assets.map(({ id }) => id));
  await keepFirst(path.join(data, 'requests.jsonl'), 400, ({ gold }) => gold!.every((id) => ids.has(id)));
  const workspace = path.join(folder, 'workspace');
  await initWorkspace(workspace);
  const writer = await openWorkspace(workspace);
  await writer.ingest([path.join(data, 'assets.jsonl')], { now: demoNow });
  await writer.close();
  await runSmall(data, path.join(folder, 'runs', 'electron'), {
    name: 'electron',
    datasets: [{ name: 'electron', path: data, format: 'asof' }],
    streams: ['natural'],
    seeds: undefined,
  });
  const server = await serverForTest({
    workspace,
    runs: [path.join(folder, 'runs')],
    dashboard: dashboardFolder,
    now: () => demoNow,
    // Topics by a stand-in that knows words only: the model itself is tested elsewhere, and takes a while.
    embedder: new WordEmbedder(),
  });
  return {
    ...server,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface DemoRecord {
  readonly id: string;
  readonly gold?: readonly string[];
}

/** Cuts a file of JSON lines down to the first of those that are wanted. */
async function keepFirst(
  file: string,
  count: number,
  isWanted: (record: DemoRecord) => boolean = () => true,
): Promise<DemoRecord[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const records = lines
    .map((line) => JSON.parse(line) as DemoRecord)
    .filter(isWanted)
    .slice(0, count);
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return records;
}
