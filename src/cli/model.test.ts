import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ModelDescription, newModelVersion } from '../lineage/modelVersion.js';
import { searchableForTest } from '../search/testing/searchableForTest.js';
import { runForTest } from './testing/runForTest.js';
import { sketchedRun } from './testing/sketchedRun.js';

const fixed: ModelDescription = {
  ...{ kind: 'mechanism', name: 'trace/1', content: 'a'.repeat(64), origin: 'fixed', reading: 'as-of' },
  ...{ availableAt: null, parents: [], training: null, parameters: { weight: 1 } },
};
const mechanism = newModelVersion(fixed);
const statistics = newModelVersion({
  ...{ ...fixed, kind: 'statistics', name: 'terms of 2 assets', origin: 'fitted', availableAt: 86_400_000 },
  training: { log: 'corpus', size: 2, root: 'b'.repeat(64), newestAt: 86_400_000 },
});
const embedder = newModelVersion({ ...fixed, kind: 'embedder', name: 'unknown', origin: 'pretrained' });
const state = newModelVersion({
  ...{ ...fixed, kind: 'state', name: 'bm25 / trace/1', parameters: {} },
  parents: [statistics.id, mechanism.id],
});
const undated = newModelVersion({ ...fixed, kind: 'retriever', name: 'dense', parents: [embedder.id] });

const runFolder = () =>
  join(
    sketchedRun(undefined, (manifest) => ({ ...manifest, models: [mechanism, statistics, embedder, state, undated] })),
    'run',
  );

/** A workspace that has answered one search, and the hash of θ in the answer. */
async function searchedWorkspace(): Promise<{ folder: string; hash: string }> {
  const { workspace, ingest } = await searchableForTest();
  await ingest([{ id: 'a', text: 'one text', availableAt: 1 }]);
  const { state } = await workspace.search('text', { asOf: 2, mode: 'lexical' });
  return { folder: workspace.folder, hash: state.model.hash };
}

const short = (version: { id: string }) => version.id.slice(0, 12);

describe('asof model', () => {
  it('lists the versions of a run with the time from which each could have been used', async () => {
    const run = runFolder();
    const { exitCode, stdout } = await runForTest(['model', 'list', run]);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^id +kind +name +origin +reading +available$/);
    expect(stdout).toContain(
      `${short(statistics)}  statistics  terms of 2 assets  fitted      as-of    1970-01-02T00:00:00Z`,
    );
    expect(stdout).toMatch(/embedder +unknown +pretrained +as-of +no date/);
    const asJson = await runForTest(['model', 'list', run, '--json']);
    expect(JSON.parse(asJson.stdout)).toHaveLength(5);
  });

  it('shows one by the beginning of its id', async () => {
    const run = runFolder();
    const { stdout } = await runForTest(['model', 'show', run, statistics.id.slice(0, 10)]);
    expect(stdout).toContain(`id          ${statistics.id}`);
    expect(stdout).toContain(
      `trained on  first 2 entries of corpus, root ${'b'.repeat(64)}, newest 1970-01-02T00:00:00Z`,
    );
    expect(stdout).toContain('weight      1');
  });

  it('shows what a version was made from, and the newest time in it', async () => {
    const run = runFolder();
    const { stdout } = await runForTest(['model', 'lineage', run, state.id]);
    expect(stdout).toBe(
      [
        `${short(state)}  state  bm25 / trace/1  -`,
        `  ${short(statistics)}  statistics  terms of 2 assets  1970-01-02T00:00:00Z`,
        `  ${short(mechanism)}  mechanism  trace/1  -`,
        '',
        'newest  1970-01-02T00:00:00Z, by terms of 2 assets',
        '',
      ].join('\n'),
    );
    const asJson = await runForTest(['model', 'lineage', run, undated.id, '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ undated: embedder.id, newestAt: null, frozen: [] });
  });

  it('lists and shows what answers of a workspace named, by the hash in the answer', async () => {
    const { folder, hash } = await searchedWorkspace();
    const list = await runForTest(['model', 'list', '--workspace', folder]);
    expect(list.stdout).toMatch(/search +lexical +fixed +as-of +-/);
    const shown = await runForTest(['model', 'show', '-w', folder, hash.slice(0, 12), '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ kind: 'search', content: hash, parameters: { mode: 'lexical' } });
    const tree = await runForTest(['model', 'lineage', hash, '-w', folder]);
    expect(tree.stdout).toContain('terms of the snapshot at the anchor');
    const both = await runForTest(['model', 'show', runFolder(), hash, '-w', folder]);
    expect(both.stderr).toContain('expected a run or a workspace, not both');
    expect((await runForTest(['model', 'show', '-w', folder])).stderr).toContain('id: got ""');
  });

  it('refuses an id that no version has, or that two begin with', async () => {
    const run = runFolder();
    const unknown = await runForTest(['model', 'show', run, 'zz']);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('id: got "zz", expected the beginning of one id');
    expect((await runForTest(['model', 'show', run, ''])).exitCode).toBe(2);
  });
});
