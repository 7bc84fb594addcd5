import { describe, expect, it } from 'vitest';
import { sketchContract, sketchRun } from '../report/testing/sketches.js';
import { runForTest } from './testing/runForTest.js';
import { runFolder, sketchedRun, writeRun } from './testing/sketchedRun.js';

describe('asof gate', () => {
  it('prints Table 7 and the cells, and ends with 0 when the contract holds', async () => {
    const { exitCode, stdout, stderr } = await runForTest(['gate', '--recorded', runFolder(sketchedRun())]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^The audit contract holds: 24 checks, 960 comparisons, no violation\.\n\nsignal /);
    expect(stdout).toMatch(/lower > 0 +1 of 2 cells +Memory helps; retain it/);
    expect(stdout).toMatch(/upper < 0 +1 of 2 cells +Memory harms; reject or retune it\./);
    expect(stdout).toMatch(/reports +random +bm25 +feedback \(oracle\) +\+\d+\.\d\d \[.*\] +retain +\+\d/);
  });

  it('ends with 3 when it fails, after saying where', async () => {
    const { exitCode, stdout, stderr } = await runForTest([
      'gate',
      '--recorded',
      runFolder(sketchedRun(sketchContract(['eligibility']))),
    ]);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(
      /^asof: The audit contract fails: 1 of 24 checks found violations \(eligibility: 1\)\..*\n$/,
    );
    expect(stdout).toMatch(/anchor 40, PIT +position 41 +a position below 40/);
    expect(stdout).toMatch(/trace +-.* historical claim fails /);
    expect(stdout).not.toContain('1 of 2 cells');
  });

  it('asks for an audit where the run has none, with exit code 2', async () => {
    for (const words of [[], ['--json']]) {
      const attempt = await runForTest(['gate', '--recorded', runFolder(sketchedRun(null)), ...words]);
      expect(attempt).toMatchObject({ exitCode: 2, stdout: '' });
      expect(attempt.stderr).toMatch(
        /^asof: the audit result in .* is missing: .*asof gate without --recorded decides by a new one\n$/,
      );
    }
  });

  it('prints data with --json, whatever the outcome', async () => {
    const holds = JSON.parse((await runForTest(['gate', '--recorded', runFolder(sketchedRun()), '--json'])).stdout);
    expect(holds).toMatchObject({
      format: 'asof-gate/1',
      contract: { state: 'holds' },
      metric: { name: 'recall_100' },
      cells: [{ decision: 'reject or retune' }, { decision: 'retain', key: { mechanismUsesGold: true } }],
    });
    const failed = await runForTest([
      'gate',
      '--recorded',
      runFolder(sketchedRun(sketchContract(['control']))),
      '--json',
    ]);
    expect(failed.exitCode).toBe(3);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      contract: { state: 'fails' },
      cells: [{ decision: 'historical claim fails' }, {}],
    });
  });

  it('prints no control character of a name to a terminal', async () => {
    const folder = writeRun(sketchRun([{ key: { mechanism: '\u001b[2Jtrace\n' } }]));
    const { stdout } = await runForTest(['gate', '--recorded', runFolder(folder)]);
    expect(stdout).toContain('\\u{1B}[2Jtrace\\u{A}');
    expect(stdout).not.toContain('\u001b');
  });
});
