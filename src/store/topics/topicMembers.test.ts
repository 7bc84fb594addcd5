import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { jsonLines, writeTemporaryFiles } from '../../corpus/testing/temporaryFiles.js';
import { WordEmbedder } from '../../search/testing/WordEmbedder.js';
import { formatInstant } from '../../time/formatInstant.js';
import { millisecondsPerDay } from '../../time/instant.js';
import { parseInstant } from '../../time/parseInstant.js';
import { initWorkspace } from '../workspace/initWorkspace.js';
import { openWorkspace } from '../workspace/openWorkspace.js';
import { topicMembers } from './topicMembers.js';
import { trackWorkspace } from './trackWorkspace.js';

vi.setConfig({ testTimeout: 60_000 });

const start = parseInstant('2021-01-04');
const week = 7 * millisecondsPerDay;
const subjects = ['login outage password', 'bucket storage quota', 'scan virus alert'];

/** Twelve documents of each subject a week. */
const recordsOf = (weeks: readonly number[], mark = '') =>
  weeks.flatMap((number) =>
    subjects.flatMap((subject, index) =>
      Array.from({ length: 12 }, (_, n) => {
        const at = formatInstant(start + number * week + (n * 12 + index) * 3_600_000);
        return { id: `${number}-${index}-${n}${mark}`, text: `${subject} ${subject}`, eventAt: at, availableAt: at };
      }),
    ),
  );

describe('documents of topics', () => {
  it('are those that the tracker put there, as many as the slice says, published or not, whatever came in late', async () => {
    const folder = writeTemporaryFiles({});
    const workspaceFolder = path.join(folder, 'workspace');
    await initWorkspace(workspaceFolder);
    const workspace = await openWorkspace(workspaceFolder);
    const embedder = new WordEmbedder();
    const ingest = async (records: object[]) => {
      const [file] = [path.join(writeTemporaryFiles({ 'records.jsonl': jsonLines(...records) }), 'records.jsonl')];
      await workspace.ingest([file], { now: start + 60 * week, backfill: true });
    };
    try {
      await ingest(recordsOf([0, 1, 2, 3]));
      const asOf = start + 4 * week;
      const options = { asOf, embedder, publish: false };
      const { slices } = await trackWorkspace(workspace, options);
      const live = new Map<string, unknown>();
      for (const slice of slices) {
        const { topics } = await topicMembers(workspace, slice.id, options);
        live.set(slice.id, topics);
        const sizes = slice.points.filter(({ size }) => size > 0).map(({ topic, size }) => [topic, size]);
        const counted = [...topics]
          .filter(([topic]) => topic >= 0)
          .map(([topic, documents]) => [topic, documents.length]);
        expect(new Map(counted as [number, number][])).toEqual(new Map(sizes as [number, number][]));
        // A topic is of one subject here.
        for (const documents of topics.values()) expect(new Set(documents.map(({ text }) => text)).size).toBe(1);
      }
      expect(live.size).toBe(4);

      await trackWorkspace(workspace, { ...options, publish: true });
      // From before: it belongs to no slice that was published.
      await ingest([...recordsOf([1], 'late'), ...recordsOf([4])]);
      for (const slice of slices) {
        const { topics } = await topicMembers(workspace, slice.id, { ...options, asOf: asOf + week });
        expect(topics).toEqual(live.get(slice.id));
      }
      await expect(topicMembers(workspace, '2021-W40', options)).rejects.toThrow(
        /2021-W40.*a slice known as of 2021-02-01/,
      );
    } finally {
      await workspace.close();
      rmSync(folder, { recursive: true });
    }
  });
});
