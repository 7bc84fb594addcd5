import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ForeignFileError } from '../src/errors/ForeignFileError.js';
import { MissingResourceError } from '../src/errors/MissingResourceError.js';
import { auditFolder, forge, refit, rewriteParquet, violated } from './support/forgeRun.js';
import { runSmall, writeSmallDataset } from './support/smallRun.js';

let root: string;
let run: string;
let timed: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'asof-audit-'));
  run = path.join(root, 'run');
  timed = path.join(root, 'timed-run');
  await writeSmallDataset(path.join(root, 'data'));
  await writeSmallDataset(path.join(root, 'timed'), { clocks: true });
  await runSmall(path.join(root, 'data'), run);
  await runSmall(path.join(root, 'timed'), timed, { streams: ['natural'], corpus: 'as-of' });
});
afterAll(() => rm(root, { recursive: true, force: true }));

let copies = 0;
const copy = () => path.join(root, `forged-${copies++}`);
const rows = (folder: string) => path.join(folder, 'rows.parquet');

/** The first row of a condition that selected something. */
const target = (condition: string) =>
  `n = (SELECT min(n) FROM t WHERE condition = '${condition}' AND slots_filled > 2)`;

async function auditAfter(...statements: readonly string[]) {
  return auditFolder(await forge(run, copy(), (folder) => rewriteParquet(rows(folder), ...statements)));
}

describe('audit of an honest run', () => {
  it('holds, and says how many comparisons each check made', async () => {
    for (const folder of [run, timed]) {
      const report = await auditFolder(folder);
      expect(violated(report)).toEqual([]);
      expect(report.holds).toBe(true);
      for (const check of report.checks) expect(check.checked, check.name).toBeGreaterThan(0);
    }
  });

  it('still holds after a forger’s round trip that changes nothing', async () => {
    expect(violated(await auditAfter())).toEqual([]);
  });
});

describe('audit of a tampered run, its digests made to fit', () => {
  it('finds a post-anchor entry in a PIT row', async () => {
    const report = await auditAfter(
      `UPDATE t SET selected_positions = list_concat([(anchor_position + 1)::INTEGER], selected_positions[2:]) WHERE ${target('PIT')}`,
    );
    expect(violated(report)).toEqual(expect.arrayContaining(['selection', 'eligibility', 'violationRate']));
    const { examples } = report.checks.find(({ name }) => name === 'eligibility')!;
    expect(examples[0]!.where).toMatch(/^small \/ random \/ 1 \/ bm25 \/ trace, anchor \d+, PIT$/);
  });

  it('finds Future passed off as PIT, whole rows at a time', async () => {
    const report = await auditAfter(
      `CREATE TABLE leaked AS SELECT * FROM t WHERE condition = 'Future'`,
      `DELETE FROM t WHERE condition = 'PIT'`,
      `INSERT INTO t SELECT * REPLACE ('PIT' AS condition, n - 1 AS n, 0 AS future_slots, 0.0 AS tvr) FROM leaked`,
    );
    expect(violated(report)).toEqual(
      expect.arrayContaining(['selection', 'eligibility', 'violationRate', 'ranking', 'effects']),
    );
  });

  it('finds the anchor’s own trace', async () => {
    const report = await auditAfter(
      `UPDATE t SET selected_positions = list_concat([anchor_position], selected_positions[2:]) WHERE ${target('Future')}`,
    );
    expect(violated(report)).toEqual(expect.arrayContaining(['selection', 'selfExclusion', 'control']));
  });

  it.each(['trace_depth', 'capacity', 'base_depth', 'output_depth'])('finds an altered budget: %s', async (column) => {
    expect(violated(await auditAfter(`UPDATE t SET ${column} = ${column} + 1 WHERE ${target('Future')}`))).toContain(
      'budget',
    );
  });

  it('finds more entries than the capacity allows', async () => {
    const report = await auditAfter(
      `UPDATE t SET selected_positions = [1, 2, 3, 4, 5, 6, 7]::INTEGER[], slots_filled = 7 WHERE ${target('PIT')}`,
    );
    expect(violated(report)).toEqual(expect.arrayContaining(['budget', 'selection']));
  });

  it('finds an altered ranking, with and without its hash', async () => {
    const swap = 'ranking = list_concat([ranking[2], ranking[1]], ranking[3:])';
    const report = await auditAfter(`UPDATE t SET ${swap} WHERE ${target('PIT')}`);
    expect(violated(report)).toContain('ranking');
    expect(violated(await auditAfter(`UPDATE t SET ranking_hash = repeat('0', 64) WHERE ${target('PIT')}`))).toEqual([
      'ranking',
    ]);
  });

  it('finds altered metrics', async () => {
    expect(violated(await auditAfter(`UPDATE t SET recall_10 = 1 - recall_10 / 2 WHERE ${target('PIT')}`))).toContain(
      'metrics',
    );
    expect(
      violated(await auditAfter(`UPDATE t SET rank_80 = 1 WHERE ${target('PIT')} AND rank_80 IS DISTINCT FROM 1`)),
    ).toContain('metrics');
  });

  it('finds a wrong TVR', async () => {
    expect(violated(await auditAfter(`UPDATE t SET tvr = tvr / 2 WHERE ${target('Future')}`))).toEqual(
      expect.arrayContaining(['violationRate']),
    );
    expect(violated(await auditAfter(`UPDATE t SET future_slots = 0 WHERE ${target('Future')}`))).toEqual([
      'violationRate',
    ]);
  });

  it('finds a Naive row that differs from Future', async () => {
    const report = await auditAfter(
      `UPDATE t SET similarities = list_concat(similarities[:1], [0.5], similarities[3:]) WHERE ${target('Naive')}`,
    );
    expect(violated(report)).toEqual(expect.arrayContaining(['selection', 'control']));
    expect(violated(await auditAfter(`UPDATE t SET recall_5 = 0.123 WHERE ${target('Naive')}`))).toEqual(
      expect.arrayContaining(['metrics', 'control']),
    );
  });

  it('finds a dependency later than the anchor', async () => {
    const report = await auditAfter(
      `UPDATE t SET newest_dependency_at = list_concat([anchor_clock + 5], newest_dependency_at[2:]) WHERE ${target('PIT')}`,
    );
    expect(violated(report)).toEqual(expect.arrayContaining(['selection', 'eligibility']));
  });

  it('finds feedback that was moved to before the anchor in the event log', async () => {
    const folder = await forge(timed, copy(), (at) =>
      rewriteParquet(
        path.join(at, 'domains/small/stream.natural.0.parquet'),
        'UPDATE t SET observed_at = observed_at - 7200000 WHERE n > 60',
      ),
    );
    expect(violated(await auditFolder(folder))).toEqual(expect.arrayContaining(['stream']));
  });

  it.each([
    ['an asset’s content', 'text_sha256', `repeat('a', 64)`, 'corpus'],
    ['an asset’s type', 'type', `'table'`, 'types'],
    ['an asset’s availability', 'available_at', '5', 'corpus'],
  ])('finds a changed corpus: %s', async (_, column, value, check) => {
    const folder = await forge(run, copy(), (at) =>
      rewriteParquet(path.join(at, 'domains/small/assets.parquet'), `UPDATE t SET ${column} = ${value} WHERE n = 1`),
    );
    expect(violated(await auditFolder(folder))).toContain(check);
  });

  it.each([
    ['a request’s text', 'text_sha256', `repeat('a', 64)`],
    ['a product', 'product', '[3]::INTEGER[]'],
  ])('finds %s that was changed', async (_, column, value) => {
    const folder = await forge(run, copy(), (at) =>
      rewriteParquet(path.join(at, 'domains/small/requests.parquet'), `UPDATE t SET ${column} = ${value} WHERE n = 1`),
    );
    expect(violated(await auditFolder(folder))).toContain('requests');
  });

  it('finds a changed query vector, base list and stream order', async () => {
    const changes = [
      [
        'requests',
        'UPDATE t SET vector_weights = list_reverse(vector_weights) WHERE len(vector_weights) > 1',
        'eventLog',
      ],
      ['base.bm25', 'UPDATE t SET ranked = list_reverse(ranked) WHERE n = 2', 'index'],
      ['stream.random.1', 'UPDATE t SET request = (SELECT request FROM t WHERE n = 1) WHERE n = 0', 'stream'],
    ] as const;
    for (const [file, statement, check] of changes) {
      const folder = await forge(run, copy(), (at) =>
        rewriteParquet(path.join(at, `domains/small/${file}.parquet`), statement),
      );
      expect(violated(await auditFolder(folder)), file).toContain(check);
    }
  });

  it.each(['corpus', 'types', 'requests', 'index', 'stream', 'event_log', 'model', 'selection', 'ranking'])(
    'finds a row that carries another %s hash',
    async (name) => {
      const report = await auditAfter(`UPDATE t SET ${name}_hash = repeat('f', 64) WHERE ${target('PIT')}`);
      expect(report.checks.filter(({ violations }) => violations > 0)).toHaveLength(1);
    },
  );

  it('finds rows that were dropped after scoring, doubled, or taken from another run', async () => {
    const dropped = `DELETE FROM t WHERE anchor_position = (SELECT max(anchor_position) FROM t)`;
    expect(violated(await auditAfter(dropped))).toContain('population');
    expect(violated(await auditAfter(`INSERT INTO t SELECT * FROM t WHERE n < 6`))).toContain('population');
    expect(violated(await auditAfter(`UPDATE t SET run_id = '0123456789abcdef' WHERE n BETWEEN 6 AND 11`))).toContain(
      'population',
    );
  });

  it('finds another request, clock or snapshot under an anchor', async () => {
    for (const change of [
      `request_id = 'q0x'`,
      'request = request + 1',
      'anchor_clock = anchor_clock + 1',
      'corpus_rows = corpus_rows - 1',
    ]) {
      expect(violated(await auditAfter(`UPDATE t SET ${change} WHERE ${target('PIT')}`)), change).toContain('anchor');
    }
  });

  it('finds effects that were improved', async () => {
    const folder = await forge(run, copy(), async (at) => {
      const file = path.join(at, 'effects.json');
      const effects = JSON.parse(await readFile(file, 'utf8'));
      effects.cells[0].contrasts.recall_10.pitEffect.mean += 0.01;
      await writeFile(file, JSON.stringify(effects));
    });
    expect(violated(await auditFolder(folder))).toEqual(['effects']);
  });

  it('finds a mechanism that is not the one that was declared', async () => {
    const folder = await forge(run, copy(), (at) =>
      refit(at, (manifest) => {
        (manifest.experiment.mechanisms as { weight: number }[])[0]!.weight = 2;
        manifest.domains[0]!.shards[0]!.mechanism = 'trace,weight=2';
      }),
    );
    expect(violated(await auditFolder(folder))).toEqual(expect.arrayContaining(['model']));
  });
});

describe('audit of a damaged run', () => {
  it('finds files that do not have their digest', async () => {
    const folder = copy();
    await cp(run, folder, { recursive: true });
    await writeFile(path.join(folder, 'effects.csv'), 'domain\n');
    expect(violated(await auditFolder(folder))).toEqual(['artefacts', 'effects']);
  });

  it('finds a manifest that was edited', async () => {
    const folder = copy();
    await cp(run, folder, { recursive: true });
    const file = path.join(folder, 'manifest.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"assets": 90', '"assets": 91'));
    expect(violated(await auditFolder(folder))).toEqual(['manifest', 'corpus']);
  });

  it('cannot use a truncated file, and says which', async () => {
    for (const name of ['rows.parquet', 'domains/small/base.bm25.parquet']) {
      const folder = copy();
      await cp(run, folder, { recursive: true });
      await truncate(path.join(folder, name), 300);
      await expect(auditFolder(folder), name).rejects.toThrow(ForeignFileError);
      await expect(auditFolder(folder), name).rejects.toThrow(path.basename(name));
    }
    const folder = copy();
    await cp(run, folder, { recursive: true });
    await truncate(path.join(folder, 'manifest.json'), 300);
    await expect(auditFolder(folder)).rejects.toThrow('manifest.json: not JSON');
  });

  it('cannot use a run without its manifest, or with a file missing', async () => {
    const folder = copy();
    await cp(run, folder, { recursive: true });
    await rm(rows(folder));
    await expect(auditFolder(folder)).rejects.toThrow(MissingResourceError);
    await rm(path.join(folder, 'manifest.json'));
    await expect(auditFolder(folder)).rejects.toThrow('manifest.json is missing');
  });

  it('refuses a run of a newer format', async () => {
    const folder = copy();
    await cp(run, folder, { recursive: true });
    const file = path.join(folder, 'manifest.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('asof-run/1', 'asof-run/9'));
    await expect(auditFolder(folder)).rejects.toThrow('format is "asof-run/9", this version reads asof-run/1');
  });
});
