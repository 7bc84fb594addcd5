import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { jsonLines } from '../../corpus/testing/temporaryFiles.js';
import { ExistingFileError } from '../../errors/ExistingFileError.js';
import { FolderLockedError } from '../../errors/FolderLockedError.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import type { IngestOptions } from './ingest.js';
import { initWorkspace } from './initWorkspace.js';
import { inWorkspace } from './layout.js';
import { openWorkspace } from './openWorkspace.js';
import { isCurrent } from './segmentRows.js';
import { temporaryFolder, workspaceForTest } from './testing/workspaceForTest.js';
import type { Workspace } from './Workspace.js';

// Every commit waits for the disk.
vi.setConfig({ testTimeout: 60_000 });

const now = 1_000;
const mapping = {
  fields: { availableAt: 'availableAt' },
  instants: { epoch: 'ms' as const },
  missingEventAt: 'available' as const,
};

let files = 0;
/** Ingests records as a file of their own; unless told otherwise, as part of a history that comes bit by bit. */
function ingest(workspace: Workspace, records: readonly object[], options: Partial<IngestOptions> = {}) {
  const file = path.join(path.dirname(workspace.folder), `records-${files++}.jsonl`);
  writeFileSync(file, jsonLines(...records));
  return workspace.ingest([file], { now, mapping, backfill: true, ...options });
}

const textAsOf = async (workspace: Workspace, id: string, t: number) => (await workspace.show(id, t)).version?.text;

/** Ids that are current as of t, by the columns that retrieval works on. */
async function idsAsOf(workspace: Workspace, t: number): Promise<string[]> {
  const segments = await workspace.segments();
  return segments.flatMap((segment) => segment.ids.filter((_, row) => isCurrent(segment, row, t))).sort();
}

describe('as of', () => {
  it('shows the second version from its own instant on, and the first up to a millisecond before (case 7)', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [
      { id: 'a', text: 'second', availableAt: 20 },
      { id: 'a', text: 'first', availableAt: 10 },
    ]);
    expect(await textAsOf(workspace, 'a', 9)).toBeUndefined();
    expect(await textAsOf(workspace, 'a', 10)).toBe('first');
    expect(await textAsOf(workspace, 'a', 19)).toBe('first');
    expect(await textAsOf(workspace, 'a', 20)).toBe('second');
  });

  it('leaves out what happened by t and became available later (case 5)', async () => {
    const workspace = await workspaceForTest();
    const { totals } = await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 30, eventAt: 10 }]);
    expect(totals).toMatchObject({ added: 1, ahead: 0 });
    expect(await idsAsOf(workspace, 29)).toEqual([]);
    expect(await idsAsOf(workspace, 30)).toEqual(['a']);
    expect((await workspace.segments())[0]!.eventAt[0]).toBe(10);
  });

  it('ends at a withdrawal, and the past stays as it was (case 8)', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 10 }]);
    const past = await workspace.show('a', 19);
    await workspace.withdraw(['a'], { now, at: 20, backfill: true });
    expect(await idsAsOf(workspace, 20)).toEqual([]);
    expect(await idsAsOf(workspace, 19)).toEqual(['a']);
    expect(await workspace.show('a', 19)).toEqual(past);
    expect((await workspace.show('a', 20)).version).toBeUndefined();
    await expect(workspace.withdraw(['a'], { now, at: 20 })).rejects.toThrow(InvalidArgumentError);
    await expect(workspace.withdraw(['none'], { now })).rejects.toThrow(
      /id: got "none", expected an asset that is current/,
    );
    expect(workspace.log.size).toBe(2);
  });

  it('asks for backfill before a withdrawal changes the past, and leaves all as it was (case 6)', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 10 }]);
    const { log } = workspace;
    await expect(workspace.withdraw(['a'], { now: now + 50, at: 20 })).rejects.toThrow(
      /withdrawal of a: got "1970-01-01T00:00:00.020Z", expected no instant before .*, or --backfill: a late/,
    );
    expect(workspace.log).toEqual(log);
    expect(await idsAsOf(workspace, 20)).toEqual(['a']);
    expect((await workspace.withdraw(['a'], { now: now + 50 })).late).toBe(0);
    expect(await idsAsOf(workspace, now + 49)).toEqual(['a']);
    expect(await idsAsOf(workspace, now + 50)).toEqual([]);
  });

  it('withdraws once more what has come back at the instant of an earlier withdrawal', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [{ id: 'a', text: 'one', availableAt: 5 }]);
    await workspace.withdraw(['a'], { now, at: 5, backfill: true });
    await ingest(workspace, [{ id: 'a', text: 'two', availableAt: 5 }]);
    expect(await textAsOf(workspace, 'a', 5)).toBe('two');
    expect((await workspace.withdraw(['a'], { now, at: 5, backfill: true })).withdrawn).toBe(1);
    expect(await textAsOf(workspace, 'a', 5)).toBeUndefined();
  });

  it('keeps two intervals of availability apart (case 11)', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 10, withdrawnAt: 20 }]);
    const { totals } = await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 30 }]);
    expect(totals).toMatchObject({ added: 0, versions: 1, unchanged: 0 });
    const versions = await workspace.versions('a');
    expect(versions.map(({ availableAt, endsAt, endedBy }) => [availableAt, endsAt, endedBy])).toEqual([
      [10, 20, 'withdrawal'],
      [30, undefined, undefined],
    ]);
    for (const [t, ids] of [
      [19, ['a']],
      [20, []],
      [29, []],
      [30, ['a']],
    ] as const) {
      expect(await idsAsOf(workspace, t)).toEqual(ids);
    }
  });

  it('gives the same answer and the same state for ever, whatever becomes available later (case 6)', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [
      { id: 'a', text: 'x', availableAt: 10 },
      { id: 'b', text: 'y', availableAt: 12 },
    ]);
    const asked = async () => [await workspace.show('a', 15), await workspace.show('b', 11)];
    const answers = await asked();
    await ingest(
      workspace,
      [
        { id: 'a', text: 'z', availableAt: now + 16 },
        { id: 'c', text: 'z', availableAt: now + 40 },
      ],
      { now: now + 50, backfill: false },
    );
    await workspace.compact({ limit: 1 });
    // Older than what was there already: its mapping, which declares times, was saved; that alone lets nothing by.
    const late = [{ id: 'b', text: 'w', availableAt: 13 }];
    await expect(ingest(workspace, late, { now: now + 60, mapping: undefined, backfill: false })).rejects.toThrow(
      /jsonl:1: availability of b: got "1970-01-01T00:00:00.013Z", expected no instant before .*, or --backfill/,
    );
    expect(await asked()).toEqual(answers);
    await ingest(workspace, late, { now: now + 60, backfill: true });
    expect(await workspace.show('b', 11)).toEqual(answers[1]);
    // The late arrival was available by 15: the state as of 15 is another one now, and says so.
    const later = await workspace.show('a', 15);
    expect(later.version).toEqual(answers[0]!.version);
    expect(later.state.root).not.toBe(answers[0]!.state.root);
  });

  it('tells states apart by what was available, not by the files it came in', async () => {
    const [one, two] = [await workspaceForTest(), await workspaceForTest()];
    const records = [
      { id: 'b', text: 'x', availableAt: 10 },
      { id: 'a', text: 'y', availableAt: 10 },
      { id: 'a', text: 'z', availableAt: 20, withdrawnAt: 25 },
    ];
    await ingest(one, records);
    for (const record of [...records].reverse()) await ingest(two, [record]);
    for (const t of [9, 10, 20, 25, 99]) expect(await two.stateAt(t)).toEqual(await one.stateAt(t));
    expect(two.log.root).not.toBe(one.log.root);
    expect((await one.stateAt(9)).size).toBe(0);
  });
});

describe('ingest', () => {
  it('changes nothing the second time, by declared times and by the time of ingest', async () => {
    const workspace = await workspaceForTest();
    const records = [
      { id: 'a', text: 'x', availableAt: 10, withdrawnAt: 12 },
      { id: 'a', text: 'y', availableAt: 20 },
      { id: 'a', text: 'y', availableAt: 30 },
      { id: 'b', text: 'kept back', availableAt: 40, withdrawnAt: 35 },
    ];
    const first = await ingest(workspace, records);
    expect(first.totals).toMatchObject({ read: 4, added: 2, versions: 1, unchanged: 1, withdrawn: 2 });
    expect(await idsAsOf(workspace, 100)).toEqual(['a']);
    expect(await workspace.versions('b')).toMatchObject([{ availableAt: 40, endsAt: 40, endedBy: 'withdrawal' }]);
    const { log, state } = workspace;
    const again = await ingest(workspace, records);
    expect(again.totals).toMatchObject({ read: 4, added: 0, versions: 0, unchanged: 4, withdrawn: 0 });
    expect(again.files[0]!.committed).toBe(false);
    expect(workspace.log).toEqual(log);
    expect(workspace.state).toBe(state);

    const undated = await workspaceForTest();
    const choices = { mapping: { missingEventAt: 'available' as const } };
    await ingest(undated, [{ id: 'a', text: 'x' }], choices);
    const later = await ingest(undated, [{ id: 'a', text: 'x' }], { ...choices, now: now + 5 });
    expect(later.totals.unchanged).toBe(1);
    await ingest(undated, [{ id: 'a', text: 'y' }], { ...choices, now: now + 5 });
    expect(await textAsOf(undated, 'a', now + 4)).toBe('x');
    expect(await textAsOf(undated, 'a', now + 5)).toBe('y');
  });

  it('takes the last of several records of one asset and one instant', async () => {
    const workspace = await workspaceForTest();
    const { totals } = await ingest(workspace, [
      { id: 'a', text: 'x', availableAt: 10 },
      { id: 'a', text: 'y', availableAt: 10 },
      { id: 'a', text: 'x', availableAt: 10 },
      { id: 'a', text: 'z', availableAt: 10, withdrawnAt: 11 },
    ]);
    expect(totals).toMatchObject({ read: 4, added: 1, versions: 0, replaced: 3, unchanged: 0, withdrawn: 1 });
    expect(await textAsOf(workspace, 'a', 10)).toBe('z');
  });

  it('names file and line of a row without a date in the middle of 10,000, and stores nothing (case 18)', async () => {
    const workspace = await workspaceForTest();
    const records = Array.from({ length: 10_000 }, (_, i) => ({
      id: i,
      text: 'x',
      availableAt: i === 5_000 ? null : i,
    }));
    const before = workspace.state;
    const failed = await ingest(workspace, records).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(InvalidInputError);
    expect((failed as Error).message).toMatch(
      /records-\d+\.jsonl:5001: availableAt: got nothing, expected a time in availableAt$/,
    );
    expect(workspace.state).toBe(before);
    expect(readdirSync(inWorkspace(workspace.folder, 'segments'))).toEqual([]);
    expect(readdirSync(inWorkspace(workspace.folder, 'staging'))).toEqual([]);
    await workspace.verify();
  });

  it('sets records aside with their reasons when told to, and counts them', async () => {
    const workspace = await workspaceForTest();
    const { files: reports, totals } = await ingest(
      workspace,
      [
        { id: 'a', text: 'x', availableAt: 10 },
        { id: 'b', text: 'y', availableAt: 'soon' },
        { text: 'z', availableAt: 1 },
      ],
      { onError: 'skip' },
    );
    expect(totals).toMatchObject({ read: 3, added: 1, rejected: 2 });
    const rejects = readFileSync(inWorkspace(workspace.folder, reports[0]!.rejects!), 'utf8').trim().split('\n');
    expect(rejects.map((line) => JSON.parse(line))).toMatchObject([
      { line: 2, field: 'availableAt', value: 'soon', record: { id: 'b' } },
      { line: 3, field: 'id', reason: expect.stringMatching(/:3: id: got nothing, expected an id/) },
    ]);
    expect(await idsAsOf(workspace, 10)).toEqual(['a']);
  });

  it('never writes rejected records over others: files of one name, and sources without any, within a millisecond', async () => {
    const workspace = await workspaceForTest();
    const files = ['first', 'second', 'third'].map((id) => {
      const file = path.join(temporaryFolder(), 'x.jsonl');
      writeFileSync(file, jsonLines({ id, text: 'x', availableAt: 'soon' }));
      return file;
    });
    const options = { now, mapping, onError: 'skip' as const };
    const together = await workspace.ingest(files.slice(0, 2), options);
    const apart = await workspace.ingest(files.slice(2), options);
    const rejects = [...together.files, ...apart.files].map((file) => file.rejects!);
    expect(rejects).toEqual(['', '.2', '.3'].map((number) => `rejects/1970-01-01T00-00-01Z.x.jsonl${number}.jsonl`));
    const read = (name: string) => JSON.parse(readFileSync(inWorkspace(workspace.folder, name), 'utf8')).record.id;
    // Files are read in the order of their paths, which are random here.
    expect(rejects.map(read).sort()).toEqual(['first', 'second', 'third']);
    expect(readdirSync(inWorkspace(workspace.folder, 'rejects'))).toHaveLength(3);
  });

  it('reads many versions of one asset in a time that grows with their number', async () => {
    const count = 20_000;
    const version = (id: string, n: number) => ({ id, text: `${id} ${n}`, availableAt: n + 1 });
    const measured = async (idOf: (n: number) => string) => {
      const workspace = await workspaceForTest();
      await ingest(
        workspace,
        Array.from({ length: count }, (_, n) => version(idOf(n), n)),
        { now: count + 1 },
      );
      const began = process.cpuUsage();
      const segments = await workspace.segments();
      const { user } = process.cpuUsage(began);
      return { segments, user };
    };
    const many = await measured((n) => `asset ${n}`);
    const one = await measured(() => 'asset');
    // One version at a time is current, each until the next.
    const [{ availableAt, endsAt }] = one.segments as [(typeof one.segments)[number]];
    expect(endsAt.slice(0, -1)).toEqual(availableAt.slice(1));
    expect(endsAt.at(-1)).toBe(Number.POSITIVE_INFINITY);
    // Looked at once for each version, they took hundreds of times as long.
    expect(one.user).toBeLessThan(20 * many.user + 2_000_000);
  });

  it('keeps the files before one that fails, and goes on from there', async () => {
    const workspace = await workspaceForTest();
    const folder = temporaryFolder();
    const at = (name: string) => path.join(folder, name);
    writeFileSync(at('1.jsonl'), jsonLines({ id: 'a', text: 'x', availableAt: 1 }));
    writeFileSync(at('2.jsonl'), jsonLines({ id: 'b', text: 'x' }));
    await expect(workspace.ingest([at('*.jsonl')], { now, mapping })).rejects.toThrow(/2\.jsonl:1: availableAt/);
    expect(await idsAsOf(workspace, 9)).toEqual(['a']);
    writeFileSync(at('2.jsonl'), jsonLines({ id: 'b', text: 'x', availableAt: 2 }));
    const { files: reports } = await workspace.ingest([at('2.jsonl'), at('1.jsonl')], { now, backfill: true });
    expect(reports.map(({ unchanged, added }) => [unchanged, added])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('asks before a late arrival, however its time is declared; counts and shows it', async () => {
    const workspace = await workspaceForTest();
    const strict = { backfill: false };
    const first = [{ id: 'a', text: 'x', availableAt: 20 }];
    expect((await ingest(workspace, first, { ...strict, now: 30 })).totals.late).toBe(0);
    const records = [
      { id: 'b', text: 'x', availableAt: 30 },
      { id: 'c', text: 'x', availableAt: 29 },
    ];
    for (const late of [records, [{ id: 'a', text: 'x', availableAt: 20, withdrawnAt: 29 }]]) {
      await expect(ingest(workspace, late, strict)).rejects.toThrow(
        /: availability of [ac]: got "1970-01-01T00:00:00.029Z", expected no instant before 1970-01-01T00:00:00.030Z.*1 in this/,
      );
    }
    expect(workspace.log.size).toBe(1);
    expect((await ingest(workspace, records)).totals.late).toBe(1);
    // What comes at its own time of ingest is never late, even when the log holds something from the future.
    await ingest(workspace, [{ id: 'e', text: 'x', availableAt: now + 50 }], strict);
    const undated = { preset: 'generic', missingEventAt: 'available' } as const;
    expect((await ingest(workspace, [{ id: 'f', text: 'x' }], { ...strict, mapping: undated })).totals.late).toBe(0);
    expect((await workspace.status(now)).totals.late).toBe(1);
  });

  it('takes a history that comes in several files, in whatever order, for one', async () => {
    const workspace = await workspaceForTest();
    const folder = path.dirname(workspace.folder);
    writeFileSync(path.join(folder, '1.jsonl'), jsonLines({ id: 'a', text: 'x', availableAt: 9 }));
    writeFileSync(path.join(folder, '2.jsonl'), jsonLines({ id: 'b', text: 'x', availableAt: 2 }));
    const { totals } = await workspace.ingest([path.join(folder, '?.jsonl')], { now, mapping });
    expect(totals).toMatchObject({ added: 2, late: 0 });
  });

  it('counts what was announced ahead, and keeps years up to 9999 (case 2)', async () => {
    const workspace = await workspaceForTest();
    const eventAt = 253_402_300_799_999;
    expect((await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 10, eventAt }])).totals.ahead).toBe(1);
    expect((await workspace.show('a', 10)).version?.eventAt).toBe(eventAt);
  });

  it('saves the mapping, and uses it until another is given', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 1 }]);
    await ingest(workspace, [{ id: 'b', text: 'x', availableAt: 2 }], { mapping: undefined });
    expect((await workspace.versions('b'))[0]!.availableAt).toBe(2);
    await workspace.close();
    const reopened = await openWorkspace(workspace.folder);
    expect(reopened.state.mapping).toMatchObject({
      ...mapping,
      fields: { availableAt: 'availableAt', text: 'text|table' },
    });
    await reopened.close();
  });

  it('keeps every character that UTF-8 has, and documents that are empty (case 28)', async () => {
    const workspace = await workspaceForTest();
    const text = 'nul \0, \u2028, \ufeff, 😀, "quotes", line\r\nend';
    await ingest(workspace, [
      { id: 'a\0', text, availableAt: 1 },
      { id: 'b', text: '', availableAt: 1 },
      { id: 'c', text: 'half \ud800', availableAt: 1 },
    ]);
    expect(await textAsOf(workspace, 'a\0', 1)).toBe(text);
    expect(await textAsOf(workspace, 'b', 1)).toBe('');
    expect(await textAsOf(workspace, 'c', 1)).toBe('half \ufffd');
    const [segment] = await workspace.segments();
    const texts: string[] = [];
    for await (const batch of segment!.texts()) texts.push(...batch);
    expect(texts).toEqual([text, '', 'half \ufffd']);
    expect((await segment!.read([2, 0])).map(({ id }) => id)).toEqual(['c', 'a\0']);
    expect(await segment!.read([])).toEqual([]);
  });

  it('takes an empty file for no records', async () => {
    const workspace = await workspaceForTest();
    expect((await ingest(workspace, [])).totals.read).toBe(0);
    expect(workspace.log.size).toBe(0);
    expect(await workspace.segments()).toEqual([]);
    expect((await workspace.show('a', 5)).version).toBeUndefined();
  });
});

describe('export', () => {
  it.each(['jsonl', 'csv', 'parquet'] as const)(
    'comes back from %s with the same contents, entities too',
    async (format) => {
      const workspace = await workspaceForTest();
      await ingest(workspace, [
        {
          id: 'a',
          title: 'T, "t"',
          text: 'line\r\nend',
          entities: ['e,1', 'é'],
          availableAt: 10,
          eventAt: 5,
          extra: { n: [1] },
        },
        { id: 'a', text: '[1]', type: 'note', availableAt: 20, withdrawnAt: 30 },
        { id: 'b', text: 'y', entities: [], availableAt: 25 },
      ]);
      const file = path.join(temporaryFolder(), `out.${format}`);
      expect(await workspace.export({ asOf: 100, format, versions: 'history' }, { file })).toBe(3);
      const copy = await workspaceForTest();
      await copy.ingest([file], { now, mapping: { missingEventAt: 'available' } });
      for (const id of ['a', 'b']) {
        const facts = async (from: Workspace) =>
          (await from.versions(id)).map(({ sequence: _s, materializedAt: _m, ...version }) => version);
        expect(await facts(copy)).toEqual(await facts(workspace));
      }
      expect(await copy.stateAt(100)).toEqual(await workspace.stateAt(100));
      expect(await workspace.export({ asOf: 20, format, versions: 'current' }, { file })).toBe(1);
      expect(await workspace.export({ asOf: 1, format, versions: 'current' }, { file })).toBe(0);
    },
  );

  it('knows nothing of what ended later', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 10, withdrawnAt: 30 }]);
    const lines: string[] = [];
    await workspace.export(
      { asOf: 29, format: 'jsonl', versions: 'history' },
      { write: (text) => void lines.push(text) },
    );
    expect(JSON.parse(lines.join(''))).toEqual({
      id: 'a',
      type: 'text',
      text: 'x',
      availableAt: '1970-01-01T00:00:00.010Z',
    });
  });
});

describe('a workspace on disk', () => {
  it('is made whole, in a new or empty folder only', async () => {
    const folder = temporaryFolder();
    await initWorkspace(folder);
    await expect(initWorkspace(folder)).rejects.toThrow(/it is a workspace already/);
    const other = temporaryFolder();
    writeFileSync(path.join(other, 'file'), '');
    await expect(initWorkspace(other)).rejects.toThrow(ExistingFileError);
    await expect(initWorkspace(path.join(other, 'file'))).rejects.toThrow(ExistingFileError);
    await expect(openWorkspace(other)).rejects.toThrow(MissingResourceError);
    expect(readdirSync(path.dirname(other)).filter((name) => name.includes(path.basename(other)))).toHaveLength(1);
  });

  it('of a newer version is refused, by writers and readers', async () => {
    const workspace = await workspaceForTest();
    await workspace.close();
    const file = path.join(workspace.folder, 'workspace.json');
    const pointer = JSON.parse(readFileSync(file, 'utf8'));
    for (const readOnly of [true, false]) {
      writeFileSync(file, JSON.stringify({ ...pointer, version: 2 }));
      await expect(openWorkspace(workspace.folder, { readOnly })).rejects.toThrow(
        /written by a newer asof \(format version 2; this one reads 1\)/,
      );
      for (const other of ['', '{"format":"asof workspace"}', '[]', '{}', JSON.stringify({ ...pointer, sha256: 5 })]) {
        writeFileSync(file, other);
        await expect(openWorkspace(workspace.folder, { readOnly })).rejects.toThrow(ForeignFileError);
      }
    }
  });

  it('names the damaged file, whatever is asked for', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 1 }]);
    await ingest(workspace, [{ id: 'b', text: 'x', availableAt: 2 }]);
    truncateSync(path.join(workspace.folder, 'segments/1/rows.parquet'), 100);
    const reader = await openWorkspace(workspace.folder, { readOnly: true });
    onTestFinished(() => reader.close());
    const damaged = /segments.1.rows\.parquet: damaged: its bytes are not those that were written$/;
    const options = { asOf: 9, format: 'jsonl', versions: 'current' } as const;
    await expect(reader.versions('a')).rejects.toThrow(damaged);
    await expect(reader.show('a', 9)).rejects.toThrow(damaged);
    await expect(reader.status(9)).rejects.toThrow(damaged);
    await expect(reader.stateAt(9)).rejects.toThrow(damaged);
    await expect(reader.segments()).rejects.toThrow(/segments.1.rows\.parquet: not a readable Parquet file/);
    await expect(reader.export(options, { write: () => {} })).rejects.toThrow(damaged);
    await expect(ingest(workspace, [{ id: 'c', text: 'x', availableAt: 3 }])).rejects.toThrow(damaged);
  });

  it('tells a truncated or missing file from a whole one', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [{ id: 'a', text: 'x'.repeat(500), availableAt: 1 }]);
    await workspace.verify();
    const rows = inWorkspace(workspace.folder, 'segments/1/rows.parquet');
    truncateSync(rows, 300);
    await expect(workspace.verify()).rejects.toThrow(/rows\.parquet: damaged/);
    await expect(workspace.segments()).rejects.toThrow(ForeignFileError);
    await workspace.close();
    const catalog = inWorkspace(workspace.folder, `catalog/${workspace.state.generation}.duckdb`);
    truncateSync(catalog, 5_000);
    await expect(openWorkspace(workspace.folder)).rejects.toThrow(/duckdb: damaged/);
  });

  it('has one writer at a time, and makes its changes one after the other', async () => {
    const workspace = await workspaceForTest();
    await expect(openWorkspace(workspace.folder)).rejects.toThrow(FolderLockedError);
    const reports = await Promise.all(
      [1, 2, 3].map((i) => ingest(workspace, [{ id: 'a', text: `${i}`, availableAt: i }])),
    );
    expect(reports.map(({ totals }) => totals.added)).toEqual([1, 0, 0]);
    expect(workspace.log.size).toBe(3);
    const reader = await openWorkspace(workspace.folder, { readOnly: true });
    expect(() => reader.withdraw(['a'], { now })).toThrow(InvalidArgumentError);
    await reader.close();
  });

  it('shows readers a committed state while it is written, files of which outlive a merge', async () => {
    const workspace = await workspaceForTest();
    for (const i of [1, 2, 3]) await ingest(workspace, [{ id: `a${i}`, text: `${i}`, availableAt: i }]);
    const reader = await openWorkspace(workspace.folder, { readOnly: true });
    expect(await workspace.compact({ limit: 1 })).toBe(3);
    await ingest(workspace, [{ id: 'a4', text: '4', availableAt: 4 }]);
    expect(await idsAsOf(reader, 9)).toEqual(['a1', 'a2', 'a3']);
    expect(await textAsOf(reader, 'a2', 9)).toBe('2');
    await reader.verify();
    await reader.refresh();
    expect(await idsAsOf(reader, 9)).toEqual(['a1', 'a2', 'a3', 'a4']);
    await reader.close();
    // Nobody reads the parts any more.
    await workspace.close();
    const next = await openWorkspace(workspace.folder);
    expect(readdirSync(inWorkspace(workspace.folder, 'segments')).sort()).toEqual(['4', '5']);
    await next.verify();
    await next.close();
  });

  it('forgets readers that died, and holds on to files for one that has just begun', async () => {
    const workspace = await workspaceForTest();
    for (const i of [1, 2]) await ingest(workspace, [{ id: `a${i}`, text: `${i}`, availableAt: i }]);
    const readers = inWorkspace(workspace.folder, 'readers');
    const uuid = '00000000-0000-0000-0000-000000000000';
    const lease = (pid: number) => path.join(readers, `${hostname()}.${pid}.${uuid}`);
    // No process has this number: it is beyond what the kernel gives out.
    writeFileSync(lease(2 ** 30), '1');
    writeFileSync(lease(process.pid), '');
    await workspace.compact({ limit: 1 });
    expect(readdirSync(inWorkspace(workspace.folder, 'segments')).sort()).toEqual(['1', '2', '3']);
    expect(readdirSync(readers)).toEqual([path.basename(lease(process.pid))]);
    rmSync(lease(process.pid));
    await workspace.close();
    await (await openWorkspace(workspace.folder)).close();
    expect(readdirSync(inWorkspace(workspace.folder, 'segments'))).toEqual(['3']);
  });

  it('refuses instants that are none', async () => {
    const workspace = await workspaceForTest();
    for (const t of [Number.NaN, 0.5, Number.POSITIVE_INFINITY]) {
      await expect(ingest(workspace, [], { now: t })).rejects.toThrow(/now: got .*expected whole milliseconds/);
      await expect(workspace.withdraw(['a'], { now, at: t })).rejects.toThrow(/at: got/);
      await expect(workspace.show('a', t)).rejects.toThrow(/asOf: got/);
      await expect(workspace.status(t)).rejects.toThrow(InvalidArgumentError);
    }
  });

  it('can be read as of an earlier commitment, which a late arrival does not change', async () => {
    const workspace = await workspaceForTest();
    await ingest(workspace, [{ id: 'a', text: 'x', availableAt: 10 }]);
    const { log } = workspace;
    await ingest(workspace, [
      { id: 'b', text: 'late', availableAt: 5 },
      { id: 'a', text: 'late', availableAt: 11 },
    ]);
    await workspace.compact({ limit: 1 });
    expect(await idsAsOf(workspace, 7)).toEqual(['b']);
    const pinned = await openWorkspace(workspace.folder, { readOnly: true, log });
    expect(await idsAsOf(pinned, 7)).toEqual([]);
    expect(await textAsOf(pinned, 'a', 20)).toBe('x');
    expect(pinned.log).toEqual(log);
    expect((await pinned.status(20)).versions).toBe(1);
    await pinned.close();
    for (const other of [{ size: 2 }, { size: 1, root: 'f'.repeat(64) }]) {
      await expect(openWorkspace(workspace.folder, { readOnly: true, log: other })).rejects.toThrow(
        InvalidArgumentError,
      );
    }
    await expect(openWorkspace(workspace.folder, { log })).rejects.toThrow(/readOnly beside a pinned log/);
  });

  it('registers derived files with their hashes, replaces them, and carries them through a merge', async () => {
    const workspace = await workspaceForTest();
    for (const i of [1, 2]) await ingest(workspace, [{ id: `a${i}`, text: `${i}`, availableAt: 3 - i }]);
    const write = (segment: number, text: string) => ({
      segment,
      name: 'lengths.txt',
      write: (file: string) => writeFile(file, text),
    });
    await workspace.addDerivedFiles([write(1, 'one'), write(2, 'two')]);
    const files = async () =>
      (await workspace.segments()).map(({ derived }) => readFileSync(derived.get('lengths.txt')!.path, 'utf8'));
    expect(await files()).toEqual(['one', 'two']);
    const [first] = await workspace.segments();
    const old = first!.derived.get('lengths.txt')!.path;
    await workspace.addDerivedFiles([write(1, 'uno')]);
    expect(await files()).toEqual(['uno', 'two']);
    expect(existsSync(old)).toBe(true);
    const carry = async (sources: ReadonlyMap<number, string>, merged: { segments: Int32Array }, file: string) =>
      writeFile(file, Array.from(merged.segments, (id) => readFileSync(sources.get(id)!, 'utf8')).join());
    await workspace.compact({ limit: 1, carriers: new Map([['lengths.txt', carry]]) });
    // In availability order the second file's row comes first.
    expect(await files()).toEqual(['two,uno']);
    expect(existsSync(old)).toBe(false);
    await workspace.verify();
    await expect(workspace.addDerivedFiles([write(1, '')])).rejects.toThrow(
      /segment: got 1, expected the id of a segment/,
    );
    await expect(workspace.addDerivedFiles([{ ...write(3, ''), name: '../x' }])).rejects.toThrow(/name: got/);
  });
});
