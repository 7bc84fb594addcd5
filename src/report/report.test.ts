import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import type { ContractReport } from '../audit/contract/check.js';
import { type Manifest, manifestSchema } from '../audit/manifest.js';
import { readExperiment } from '../replay/experiment/readExperiment.js';
import { gateReport } from './gateReport.js';
import { buildReport } from './report.js';
import { type CellSketch, sketchContract, sketchRun } from './testing/sketches.js';

const stress: CellSketch = {
  key: { stream: 'gold-overlap', streamKind: 'gold-overlap', streamUsesGold: true },
  pit: 0.3,
  future: 0.4,
};
const oracle: CellSketch = { key: { mechanism: 'feedback', mechanismUsesGold: true }, pit: 0.1, future: 0.2 };

describe('buildReport', () => {
  it('is made of a manifest that is one', () => {
    expect([...Value.Errors(manifestSchema, sketchRun([{}, oracle]).manifest)]).toEqual([]);
  });

  it('says what was measured on what', () => {
    const { measured } = buildReport(sketchRun([{}, oracle]));
    expect(measured[0]).toMatch(
      /^Asset Recall@100 with no memory .*: 2 cells of 40 anchors \(20 distinct requests\) each, /,
    );
    expect(measured[1]).toBe(
      'Replayed on reports (120 assets, 60 requests); random stream with 2 seeds; retrieved by bm25; memory by trace and feedback (oracle).',
    );
    expect(buildReport(sketchRun([{}])).measured[0]).toMatch(/: one cell of 40 anchors \(20 distinct requests\), /);
    expect(buildReport(sketchRun([{ anchors: 8 }, { ...oracle, anchors: 12 }])).measured[0]).toMatch(
      /2 cells of 8 to 12 anchors \(8 to 12 distinct requests\) each/,
    );
  });

  it('counts no seeds of a natural stream', () => {
    const natural = sketchRun([{ key: { stream: 'natural', streamKind: 'natural' } }]);
    expect(buildReport(natural).measured[1]).toContain('natural stream; retrieved');
  });

  it('has nothing to say of effects when no anchor was replayed', () => {
    const report = buildReport(sketchRun([]));
    expect(report).toMatchObject({ headline: null, findings: [], cells: [] });
    expect(report.measured[0]).toBe('No anchor was replayed: nothing was measured.');
  });

  it('keeps streams that look at labels apart from the others', () => {
    const report = buildReport(sketchRun([stress, {}, oracle]));
    expect(report.cells.map(({ effects }) => effects.key.stream)).toEqual(['random', 'random']);
    expect(report.stressCells.map(({ effects }) => effects.key.stream)).toEqual(['gold-overlap']);
    expect(report.findings.map(({ mechanism, cells }) => [mechanism, cells])).toEqual([
      ['trace', 1],
      ['feedback', 1],
    ]);
    expect(report.findings[0]!.decision).toBe('Reject or retune');
    expect(report.stressFindings).toMatchObject([{ mechanism: 'trace', cells: 1, decision: 'Retain' }]);
    expect(report.measured[1]).toContain('gold-overlap stream (uses gold)');
  });

  it('groups cells by domain, stream, retriever and mechanism in the order of the experiment', () => {
    const key = (domain: string, stream: string, mechanism: string) => ({ key: { domain, stream, mechanism } });
    const report = buildReport(
      sketchRun([key('z', 's', 'm'), key('a', 's', 'm'), key('z', 'r', 'm'), key('z', 's', 'k'), key('a', 'r', 'm')]),
    );
    expect(
      report.cells.map(
        ({
          effects: {
            key: { domain, stream, mechanism },
          },
        }) => `${domain}${stream}${mechanism}`,
      ),
    ).toEqual(['zsm', 'zsk', 'zrm', 'asm', 'arm']);
    expect(report.varying).toEqual(['domain', 'stream', 'mechanism']);
  });

  it('carries the notes of the data sets', () => {
    expect(buildReport(sketchRun([{}], { note: 'Queries are simulated.' })).notes).toEqual([
      'dataset0: Queries are simulated.',
    ]);
    expect(buildReport(sketchRun([{}])).notes).toEqual([]);
  });

  it('describes metrics as people read them', () => {
    const labels = buildReport(sketchRun([{}])).metrics.map(({ label, unit, higherIsBetter }) => [
      label,
      unit,
      higherIsBetter,
    ]);
    expect(labels).toEqual([
      ['Recall@10', 'points', true],
      ['Recall@100', 'points', true],
      ['Recall@10, table', 'points', true],
      ['Recall@100, table', 'points', true],
      ['Recall@10, text', 'points', true],
      ['Recall@100, text', 'points', true],
      ['Product coverage@100', 'points', true],
      ['Complete product@100', 'points', true],
      ['Rank at 80% of the product', 'ranks', false],
    ]);
  });
});

describe('the audit in a report', () => {
  it('holds with the number of checks and comparisons', () => {
    expect(buildReport(sketchRun([{}])).contract).toMatchObject({
      state: 'holds',
      comparisons: 960,
      words: 'The audit contract holds: 24 checks, 960 comparisons, no violation.',
    });
  });

  it('fails with the checks that found violations', () => {
    const { contract } = buildReport(sketchRun([{}], { contract: sketchContract(['eligibility', 'control']) }));
    expect(contract.state).toBe('fails');
    expect(contract.words).toMatch(
      /^The audit contract fails: 2 of 24 checks found violations \(eligibility: 1 and control: 1\)\./,
    );
    const violated = contract.checks.filter(({ outcome }) => outcome === 'violated');
    expect(violated.map(({ examples }) => examples)).toEqual([
      [{ where: 'anchor 40, PIT', found: 'position 41', expected: 'a position below 40' }],
      [{ where: 'anchor 40, PIT', found: 'position 41', expected: 'a position below 40' }],
    ]);
  });

  it('tells checks that were not made, or only in part', () => {
    const contract = sketchContract()!;
    const checks = contract.checks.map((check) =>
      check.name === 'inputs'
        ? { ...check, checked: 0, note: '2 input files are not in place and were not checked' }
        : check,
    );
    const facts = buildReport(sketchRun([{}], { contract: { ...contract, checks } })).contract;
    expect(facts.words).toMatch(/no violation\. 1 check could not be made, or only in part/);
    expect(facts.checks.find(({ name }) => name === 'inputs')!.outcome).toBe('not made');
  });

  it('prefers a fresh audit to the one recorded', () => {
    const input = sketchRun([{}]);
    const { holds, checks } = sketchContract(['ranking'])!;
    const titled = checks.map((check) => ({ ...check, title: check.name }));
    const contract = { runId: 'r', rows: 1, readings: [], holds, checks: titled };
    expect(buildReport({ ...input, contract: contract as ContractReport }).contract.state).toBe('fails');
  });

  it('decides nothing without an audit', () => {
    const report = buildReport(sketchRun([{}], { contract: null }));
    expect(report.contract.state).toBe('not audited');
    expect(report.cells[0]!.verdict).toBeNull();
    expect(report.findings[0]!.decision).toBe('No decision');
  });
});

describe('reproduction', () => {
  it('is an experiment that reads back to the one of the run', () => {
    const note = 'line one: "quoted"\nline two #hash';
    const datasets = [{ name: 'dataset0', assets: ['data/a.jsonl'], requests: ['data/q.jsonl'], note }];
    const { manifest, effects } = sketchRun([{}], {
      note,
      recorded: { datasets, command: 'asof replay x.yaml' },
    });
    const { experiment, command, hasPaths } = buildReport({ manifest, effects }).reproduction;
    expect({ command, hasPaths }).toEqual({ command: 'asof replay x.yaml', hasPaths: true });
    expect(readExperiment(experiment, 'report')).toEqual({ ...manifest.experiment, datasets });
    expect(experiment).toMatch(/^name: sketch\ndatasets:\n/);
    expect(experiment).toContain('seeds: [ 1, 2 ]\n');
  });

  it('says when neither command nor paths were recorded', () => {
    for (const recorded of [{}, { command: 5, datasets: 'x' }, { command: '' }]) {
      expect(buildReport(sketchRun([{}], { recorded })).reproduction).toMatchObject({ command: null, hasPaths: false });
    }
  });
});

describe('gateReport', () => {
  const foundOf = (sketches: readonly CellSketch[], contract?: Manifest['contract']) =>
    gateReport(buildReport(sketchRun(sketches, contract === undefined ? {} : { contract }))).signals.map(
      ({ found }) => found,
    );

  it('counts the cells under each row of Table 7, stress streams apart', () => {
    const unsure: CellSketch = { key: { domain: 'unsure' }, requests: 1 };
    expect(foundOf([{}, oracle, unsure])).toEqual([
      '0 of 24 checks violated',
      '24 checks, 960 comparisons',
      '1 of 3 cells',
      '1 of 3 cells',
      '1 of 3 cells',
    ]);
    expect(foundOf([{}, stress]).slice(2)).toEqual([
      '0 of 1 cell; under stress 1 of 1 cell',
      '1 of 1 cell; under stress 0 of 1 cell',
      '0 of 1 cell; under stress 0 of 1 cell',
    ]);
  });

  it('interprets nothing of a run that fails, or was not audited', () => {
    expect(foundOf([{}], sketchContract(['anchor']))).toEqual([
      '1 of 24 checks violated',
      'no',
      ...Array(3).fill('not interpreted'),
    ]);
    expect(foundOf([{}], null)).toEqual(['not audited', 'not audited', ...Array(3).fill('not decided')]);
  });

  it('gives each cell its decision with both effects', () => {
    const [cell] = gateReport(buildReport(sketchRun([{}]))).cells;
    expect(cell).toMatchObject({ key: { mechanism: 'trace' }, decision: 'reject or retune' });
    expect(cell!.pitEffect.mean).toBeLessThan(0);
    expect(cell!.hindsightGain.mean).toBeGreaterThan(0);
  });
});
