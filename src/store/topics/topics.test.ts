import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../commitment/sha256.js';
import { jsonLines, writeTemporaryFiles } from '../../corpus/testing/temporaryFiles.js';
import { type Embedder, newEmbeddings } from '../../embedding/Embedder.js';
import { scaleRowsToUnitLength } from '../../embedding/unitRows.js';
import { ContractViolationError } from '../../errors/ContractViolationError.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { MatrixProduct } from '../../inference/MatrixProduct.js';
import { formatInstant } from '../../time/formatInstant.js';
import { millisecondsPerDay, millisecondsPerHour } from '../../time/instant.js';
import { parseInstant } from '../../time/parseInstant.js';
import { initWorkspace } from '../workspace/initWorkspace.js';
import { openWorkspace } from '../workspace/openWorkspace.js';
import type { Workspace } from '../workspace/Workspace.js';
import { evaluateTopics } from './evaluateTopics.js';
import { type TrackWorkspaceOptions, trackWorkspace, verifyPublished } from './trackWorkspace.js';

// Every test has a workspace on disk.
vi.setConfig({ testTimeout: 60_000 });

let product: MatrixProduct;
beforeAll(async () => {
  product = await MatrixProduct.open();
});
afterAll(() => product.close());

const start = parseInstant('2021-01-04');
const week = 7 * millisecondsPerDay;
const subjects = ['login', 'bucket', 'scan'];

/** Vectors near an axis of the text's first word, and no vector for an empty text. It counts what it is asked for. */
function embedderForTest(): Embedder & { readonly embedded: string[] } {
  const embedded: string[] = [];
  return {
    id: 'test',
    hash: 'test',
    verifiable: true,
    dimension: 8,
    embedded,
    embed(texts) {
      const found = newEmbeddings(texts.length, 8);
      for (const [row, text] of texts.entries()) {
        embedded.push(text);
        if (text === '') continue;
        found.present[row] = 1;
        const noise = sha256(text);
        for (let i = 0; i < 8; i++) found.vectors[row * 8 + i] = noise[i]! / 2560;
        found.vectors[row * 8 + subjects.indexOf(text.split(' ')[0]!)]! += 1;
      }
      scaleRowsToUnitLength(found.vectors, 8);
      return Promise.resolve(found);
    },
    close: () => Promise.resolve(),
  };
}

/** Records of some weeks, so many a subject and week; each became available an hour after it happened. */
function recordsOf(weeks: readonly (readonly number[])[], first = 0): object[] {
  return weeks.flatMap((counts, index) =>
    counts.flatMap((count, subject) =>
      Array.from({ length: count }, (_, n) => {
        const eventAt = start + (first + index) * week + n * 5 * millisecondsPerHour;
        const name = subjects[subject]!;
        return {
          id: `${first + index}-${name}-${n}`,
          text: `${name} ${name} number ${n}`,
          owner: `team:${name}`,
          eventAt: formatInstant(eventAt),
          availableAt: formatInstant(eventAt + millisecondsPerHour),
        };
      }),
    ),
  );
}

async function surroundings() {
  const folder = writeTemporaryFiles({});
  const workspaceFolder = path.join(folder, 'workspace');
  await initWorkspace(workspaceFolder);
  let files = 0;
  const ingest = async (workspace: Workspace, records: readonly object[]) => {
    const file = path.join(folder, `${files++}.jsonl`);
    writeFileSync(file, jsonLines(...records));
    await workspace.ingest([file], { now: start + 200 * week, backfill: true });
  };
  const embedder = embedderForTest();
  const optionsAt = (day: number, more: Partial<TrackWorkspaceOptions> = {}): TrackWorkspaceOptions => {
    return { asOf: start + day * millisecondsPerDay, embedder, product, ...more };
  };
  const use = async <T>(act: (workspace: Workspace) => Promise<T>, readOnly = false): Promise<T> => {
    const workspace = await openWorkspace(workspaceFolder, { readOnly });
    try {
      return await act(workspace);
    } finally {
      await workspace.close();
    }
  };
  return { workspaceFolder, ingest, use, optionsAt, embedder };
}

const steady = [8, 8, 0];

describe('trackWorkspace', () => {
  it('publishes finished slices once, and answers from the log whatever arrives late', async () => {
    const { ingest, use, optionsAt } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf(Array(6).fill(steady))));
    const first = await use((workspace) => trackWorkspace(workspace, optionsAt(38)));
    expect(first.published).toMatchObject({ read: 0, added: 5 });
    expect(first.slices.map(({ provisional }) => provisional)).toEqual([...Array(5).fill(false), true]);
    // Late arrivals for weeks that are published, and a new week.
    const late = recordsOf([[0, 0, 30]], 1).map((record) => ({ ...record, text: 'scan late' }));
    await use(async (workspace) => {
      await ingest(workspace, late);
      await ingest(workspace, recordsOf(Array(2).fill(steady), 6));
    });
    const again = await use((workspace) => trackWorkspace(workspace, optionsAt(38)));
    expect(again.slices.slice(0, 5)).toEqual(first.slices.slice(0, 5));
    expect(again.published).toMatchObject({ read: 5, added: 0, isRetraced: true });
    const later = await use((workspace) => trackWorkspace(workspace, optionsAt(60)));
    expect(later.slices.slice(0, 5)).toEqual(first.slices.slice(0, 5));
    expect(later.published).toMatchObject({ read: 5, added: 2 });
    expect(await use((workspace) => verifyPublished(workspace, optionsAt(60)))).toBe(7);
  });

  it('gives the same answer as of t after more was published, unfinished slices and model included', async () => {
    const { ingest, use, optionsAt } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf(Array(6).fill(steady))));
    const before = await use((workspace) => trackWorkspace(workspace, optionsAt(24)));
    await use((workspace) => trackWorkspace(workspace, optionsAt(40)));
    const after = await use((workspace) => trackWorkspace(workspace, optionsAt(24)));
    expect(after.slices).toEqual(before.slices);
    expect(after.model.hash).toBe(before.model.hash);
  });

  it('reads and embeds only the new week when the old ones are published', async () => {
    const { ingest, use, optionsAt, embedder } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf(Array(6).fill(steady))));
    await use((workspace) => trackWorkspace(workspace, optionsAt(29)));
    embedder.embedded.length = 0;
    await use((workspace) => trackWorkspace(workspace, optionsAt(36)));
    // Week 4 has ended, week 5 has begun.
    expect(embedder.embedded.length).toBe(16 + 10);
  });

  it('writes nothing where it may not, and keeps ways of tracking apart', async () => {
    const { ingest, use, optionsAt, workspaceFolder } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf(Array(3).fill(steady))));
    const silent = await use((workspace) => trackWorkspace(workspace, optionsAt(15)), true);
    expect(silent.published).toMatchObject({ read: 0, added: 0, head: null });
    await use((workspace) => trackWorkspace(workspace, optionsAt(15, { publish: false })));
    expect(readdirSync(workspaceFolder)).not.toContain('topics');
    const one = await use((workspace) => trackWorkspace(workspace, optionsAt(15)));
    const other = await use((workspace) => trackWorkspace(workspace, optionsAt(15, { rule: { kind: 'delta' } })));
    expect(other.published.key).not.toBe(one.published.key);
    expect(readdirSync(path.join(workspaceFolder, 'topics'))).toHaveLength(2);
  });

  it('holds the last week open until something came in after it: a stream that stops does not decay (case 31)', async () => {
    const { ingest, use, optionsAt } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf([...Array(5).fill(steady), [1, 1, 0]])));
    const tracked = await use((workspace) => trackWorkspace(workspace, optionsAt(300)));
    expect(tracked.slices.at(-1)).toMatchObject({ provisional: true, documents: 2 });
    expect(tracked.slices.flatMap(({ points }) => points.map(({ label }) => label))).not.toContain('decay');
    const covered = optionsAt(300, { coveredUntil: start + 6 * week, publish: false });
    const told = await use((workspace) => trackWorkspace(workspace, covered));
    expect(told.slices[5]!.points.map(({ label }) => label)).toEqual(['decay', 'decay']);
  });

  it('answers for a workspace with nothing in it', async () => {
    const { use, optionsAt } = await surroundings();
    const tracked = await use((workspace) => trackWorkspace(workspace, optionsAt(3)));
    expect(tracked).toMatchObject({ slices: [], published: { read: 0, added: 0 } });
    expect(await use((workspace) => verifyPublished(workspace, optionsAt(3)))).toBe(0);
  });

  it('refuses a log of published slices that was altered, cut or reordered', async () => {
    const { ingest, use, optionsAt, workspaceFolder } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf(Array(5).fill(steady))));
    const { published } = await use((workspace) => trackWorkspace(workspace, optionsAt(29)));
    const file = (name: string) => path.join(workspaceFolder, 'topics', published.key, name);
    const original = readFileSync(file('000001.json'), 'utf8');
    const track = () => use((workspace) => trackWorkspace(workspace, optionsAt(29)));
    writeFileSync(file('000001.json'), original.replace('"stable"', '"growth"'));
    await expect(track()).rejects.toThrow(/000002\.json: does not follow from the published slice before/);
    writeFileSync(file('000001.json'), original.slice(0, 50));
    await expect(track()).rejects.toThrow(ForeignFileError);
    rmSync(file('000001.json'));
    await expect(track()).rejects.toThrow(/000002\.json: does not follow/);
  });

  it('tells, when it verifies, a last slice that is not what the asset log gives', async () => {
    const { ingest, use, optionsAt, workspaceFolder } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf(Array(5).fill(steady))));
    const { published } = await use((workspace) => trackWorkspace(workspace, optionsAt(29)));
    const file = path.join(workspaceFolder, 'topics', published.key, '000003.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"label":"stable"', '"label":"growth"'));
    const verify = use((workspace) => verifyPublished(workspace, optionsAt(29)));
    await expect(verify).rejects.toThrow(ContractViolationError);
    await expect(use((workspace) => verifyPublished(workspace, optionsAt(29)))).rejects.toThrow(
      /slice 2021-W04 is not/,
    );
  });

  it('leads the model again through old slices when none is kept, and says when it does not come out the same', async () => {
    const { ingest, use, optionsAt, workspaceFolder, embedder } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf(Array(5).fill(steady))));
    const whole = await use((workspace) => trackWorkspace(workspace, optionsAt(31)));
    rmSync(path.join(workspaceFolder, 'topics', whole.published.key, '000004.model'));
    const again = await use((workspace) => trackWorkspace(workspace, optionsAt(31)));
    expect(again.slices).toEqual(whole.slices);
    const other: Embedder = { ...embedder, embed: (texts) => embedder.embed(texts.map((text) => `${text}.`)) };
    const elsewhere = await use((workspace) => trackWorkspace(workspace, optionsAt(31, { embedder: other })));
    expect(elsewhere.published.isRetraced).toBe(false);
    expect(elsewhere.slices).toEqual(whole.slices.slice(0, 4));
    expect(elsewhere.model.hash).toBe(whole.model.hash);
  });
});

describe('evaluateTopics', () => {
  const weeks = [...Array(8).fill([10, 10, 0]), ...Array(3).fill([20, 10, 0]), [20, 3, 0], [10, 3, 0], [1, 1, 1]];
  const options = { fields: ['owner'], names: namesOf('team:'), burnIn: 1, selection: { leastDocuments: 20 } };

  it('scores topics against series of a field that the tracker does not see, and measures hindsight', async () => {
    const { ingest, use, optionsAt } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf(weeks)));
    await use(async (workspace) => {
      const topics = await trackWorkspace(workspace, optionsAt(300));
      const compare = { embedder: embedderForTest(), product, seed: 1 };
      const found = await evaluateTopics(topics, { ...options, compare });
      expect(found).toMatchObject({ slices: 13, documents: 286 });
      // 8 x 10 + 3 x 20 + 20 + 10, and 11 x 10 + 2 x 3; the last week is open.
      expect(found.series).toEqual([
        { name: 'team:login', documents: 170, named: 170 },
        { name: 'team:bucket', documents: 116, named: 116 },
      ]);
      const [tracker, global] = found.ways;
      expect(tracker).toMatchObject({ way: 'tracker', asOf: { scores: { macroF1: 1 } }, leakage: { changed: 0 } });
      expect(global!.asOf.scores.items).toBe(tracker!.asOf.scores.items);
    });
  });

  it('says what is missing', async () => {
    const { ingest, use, optionsAt } = await surroundings();
    await use((workspace) => ingest(workspace, recordsOf(weeks)));
    await use(async (workspace) => {
      const topics = await trackWorkspace(workspace, optionsAt(300));
      await expect(evaluateTopics(topics, { fields: ['nothing'], burnIn: 1 })).rejects.toThrow(
        /series: got \["nothing"\]/,
      );
      await expect(evaluateTopics(topics, { ...options, burnIn: 20 })).rejects.toThrow(
        /finished slices: got 13, expected at least 25/,
      );
    });
  });
});

function namesOf(prefix: string): Record<string, string[]> {
  return Object.fromEntries(subjects.map((subject) => [`${prefix}${subject}`, [subject]]));
}
