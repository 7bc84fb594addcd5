import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSmallElectronDataset } from '../../examples/electron/smallDataset.js';
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
  await buildSmallElectronDataset(data, 1500);
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
