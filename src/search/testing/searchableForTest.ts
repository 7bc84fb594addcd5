import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { jsonLines } from '../../corpus/testing/temporaryFiles.js';
import { initWorkspace } from '../../store/workspace/initWorkspace.js';
import { openWorkspace, type SearchableWorkspace } from '../SearchableWorkspace.js';
import { WordEmbedder } from './WordEmbedder.js';

/** A record whose times are milliseconds. */
export interface TestRecord {
  readonly id: string;
  readonly text: string;
  readonly availableAt: number;
  readonly eventAt?: number | undefined;
  readonly withdrawnAt?: number | undefined;
}

export const testMapping = {
  fields: { availableAt: 'availableAt', eventAt: 'eventAt' },
  instants: { epoch: 'ms' },
  missingEventAt: 'available',
} as const;

/** An empty workspace with a stand-in for an embedder; it is gone after the test. */
export async function searchableForTest(
  embedder = new WordEmbedder(),
  options: { blockRows?: number } = {},
): Promise<{
  workspace: SearchableWorkspace;
  /** Ingests records and embeds them. */
  ingest(records: readonly TestRecord[], options?: { embed?: boolean }): Promise<void>;
}> {
  const folder = mkdtempSync(path.join(tmpdir(), 'asof-search-'));
  const home = path.join(folder, 'workspace');
  await initWorkspace(home);
  const workspace = await openWorkspace(home, { embedder, ...options });
  onTestFinished(async () => {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let files = 0;
  return {
    workspace,
    async ingest(records, { embed = true } = {}) {
      const file = path.join(folder, `records-${files++}.jsonl`);
      writeFileSync(file, jsonLines(...records));
      await workspace.ingest([file], { now: 1e6, mapping: testMapping, embed: embed ? true : undefined });
    },
  };
}
