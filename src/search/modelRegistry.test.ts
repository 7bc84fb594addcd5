import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../commitment/sha256.js';
import { EnvironmentFaultError } from '../errors/EnvironmentFaultError.js';
import { ModelLineage } from '../lineage/ModelLineage.js';
import { trackWorkspace } from '../store/topics/trackWorkspace.js';
import { parseInstant } from '../time/parseInstant.js';
import { searchVersions } from './modelRegistry.js';
import { openWorkspace } from './SearchableWorkspace.js';
import type { SearchOptions } from './settings.js';
import { searchableForTest } from './testing/searchableForTest.js';
import { WordEmbedder } from './testing/WordEmbedder.js';

// Every test has a workspace on disk.
vi.setConfig({ testTimeout: 60_000 });

const records = [
  { id: 'a', text: 'Acme has a flaw', availableAt: 1 },
  { id: 'b', text: 'Acme has another', availableAt: 2 },
];

describe('θ that an answer names', () => {
  it('can be resolved from the workspace, for every way to search, also by a reader that was opened later', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest(records);
    const ways: SearchOptions[] = [
      {},
      { freshness: { halfLife: 'adaptive' } },
      { mode: 'lexical' },
      { mode: 'semantic', approximate: true },
      { mode: 'hybrid', fusion: 'rrf', freshness: { alpha: 0.25 } },
    ];
    const hashes = new Set<string>();
    for (const options of ways) {
      for (const asOf of [2, 3]) hashes.add((await workspace.search('acme', { ...options, asOf })).state.model.hash);
    }
    expect(hashes.size).toBe(ways.length);
    const reader = await openWorkspace(workspace.folder, { readOnly: true });
    for (const hash of hashes) {
      const version = await reader.model(hash);
      expect(version).toMatchObject({ kind: 'search', content: hash });
      const ids = (await reader.models()).map(({ id }) => id);
      for (const parent of version!.parents) expect(ids.indexOf(parent)).toBeLessThan(ids.indexOf(version!.id));
    }
    const rrf = (await reader.models()).find(({ parameters }) => parameters['fusion.method'] === 'rrf')!;
    expect(rrf.parameters).toMatchObject({ mode: 'hybrid', 'freshness.alpha': 0.25, 'embedder.id': 'words' });
    expect(await reader.model('0'.repeat(64))).toBeUndefined();
    await reader.close();
  });

  it('is kept by a reader, once, and read-only use goes on where nothing can be written', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest(records);
    const kept = () => readdirSync(path.join(workspace.folder, 'models'));
    const reader = await openWorkspace(workspace.folder, { readOnly: true });
    const { hash } = (await reader.search('acme', { asOf: 3 })).state.model;
    expect(kept()).toEqual([`${hash}.json`]);
    await workspace.search('acme', { asOf: 3 });
    expect(kept()).toHaveLength(1);
    // Where something of this name is in the way, nothing can be kept, for whomever.
    const other = await searchableForTest();
    await other.ingest(records);
    writeFileSync(path.join(other.workspace.folder, 'models'), 'in the way');
    expect((await other.workspace.search('acme', { asOf: 3 })).hits).toHaveLength(2);
    await expect(other.workspace.models()).rejects.toThrow(EnvironmentFaultError);
    await reader.close();
  });

  it('is kept by a later answer where it could not be at first', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest(records);
    const models = path.join(workspace.folder, 'models');
    expect(await workspace.models()).toEqual([]);
    writeFileSync(models, 'in the way');
    const { hash } = (await workspace.search('acme', { asOf: 3 })).state.model;
    rmSync(models);
    await workspace.search('acme', { asOf: 3 });
    expect(readdirSync(models)).toEqual([`${hash}.json`]);
  });

  it('can be resolved for each published slice of topics, after those of the slices before', async () => {
    const { workspace, ingest } = await searchableForTest();
    const day = 86_400_000;
    const words = ['login failed again', 'bucket was read'];
    await ingest(
      Array.from({ length: 120 }, (_, i) => {
        const at = parseInstant('2021-01-04') + Math.floor(i / 4) * day;
        return { id: `e${i}`, text: `${words[i % 2]} ${i}`, availableAt: at, eventAt: at };
      }),
    );
    const embedder = new WordEmbedder();
    const asOf = parseInstant('2021-02-08');
    const { slices } = await trackWorkspace(workspace.storage, { asOf, embedder });
    const published = slices.filter(({ provisional }) => !provisional);
    expect(published.length).toBeGreaterThan(2);
    const versions = await workspace.models();
    const lineage = new ModelLineage(versions);
    for (const [at, { id, modelHash, knownAt }] of published.entries()) {
      const version = (await workspace.model(modelHash))!;
      expect(version).toMatchObject({ kind: 'topics', availableAt: knownAt });
      expect(version.name).toContain(id);
      expect(lineage.reach(version.id).newestAt).toBe(knownAt);
      expect(lineage.withAncestors(version.id)).toHaveLength(at + 2);
    }
  });

  it('is not believed where its file is not what its name says', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest(records);
    const { hash } = (await workspace.search('acme', { asOf: 3 })).state.model;
    writeFileSync(path.join(workspace.folder, 'models', `${hash}.json`), '{"mode":"lexical"}');
    await expect(workspace.models()).rejects.toThrow(/name is not its hash/);
  });

  it('has the date of its embedder, where that is known', () => {
    const embedder = { id: 'all-MiniLM-L6-v2', hash: sha256Hex('weights') };
    const model = { hash: sha256Hex('settings'), parameters: { mode: 'semantic', embedder } };
    const at = parseInstant('2021-08-30');
    const [first, second] = searchVersions(model, (hash) => (hash === embedder.hash ? at : null));
    expect(first).toMatchObject({ kind: 'embedder', origin: 'pretrained', availableAt: at });
    expect(second!.parents).toEqual([first!.id]);
  });
});
