import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runForTest } from '../src/cli/testing/runForTest.js';
import { checkExperiment, readExperiment } from '../src/replay/experiment/readExperiment.js';
import type { Report } from '../src/report/report.js';
import { differenceText } from '../src/report/words/numbers.js';
import { runExperiment } from '../src/store/runs/runExperiment.js';

const data = '../shared/data/tatqa';
const isPresent = existsSync(data);
if (!isPresent) console.info(`note: ${data} is absent, reports of a real run are not tested`);

const folder = mkdtempSync(join(tmpdir(), 'asof-report-'));
const runOf = (name: string) => join(folder, name);
const experiment = checkExperiment(
  {
    name: 'tatqa',
    datasets: [{ name: 'tatqa', assets: [`${data}/assets.jsonl`], requests: [`${data}/requests.page.jsonl`] }],
    mechanisms: ['trace', 'feedback'],
    seeds: [1],
    horizons: [10],
    anchorsPerWindow: 15,
    bootstrap: { resamples: 200 },
  },
  'test',
);

describe.skipIf(!isPresent)('the report of a real run', () => {
  beforeAll(async () => {
    const options = { experiment, version: '0.0.0', recorded: () => ({ command: 'asof replay tatqa.yaml' }) };
    await runExperiment({ ...options, folder: runOf('audited') });
    await runExperiment({ ...options, folder: runOf('unaudited'), skipAudit: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('prints the effects that the run estimated, and the audit that it recorded', async () => {
    const effects = JSON.parse(readFileSync(join(runOf('audited'), 'effects.json'), 'utf8'));
    const { stdout } = await runForTest(['report', runOf('audited')]);
    for (const cell of effects.cells) {
      const { hindsightGain, pitEffect } = cell.contrasts[cell.headline];
      expect(stdout).toContain(
        `Hindsight gain (Future − PIT) on Recall@100: ${differenceText(hindsightGain.mean)} points`,
      );
      expect(stdout).toContain(
        `PIT memory effect (PIT − Stateless) on Recall@100: ${differenceText(pitEffect.mean)} points`,
      );
    }
    expect(stdout).toContain('<strong>Contract holds</strong>');
    expect((await runForTest(['gate', runOf('audited')])).exitCode).toBe(0);
    expect((await runForTest(['gate', runOf('unaudited'), '--recorded'])).exitCode).toBe(2);
    expect((await runForTest(['gate', runOf('unaudited')])).exitCode).toBe(0);
  });

  it('holds an experiment that makes the same run again', async () => {
    const { stdout } = await runForTest(['report', runOf('audited'), '--format', 'json']);
    const { reproduction, manifest } = JSON.parse(stdout) as Report;
    expect(reproduction).toMatchObject({ command: 'asof replay tatqa.yaml', hasPaths: true });
    const again = await runExperiment({
      experiment: readExperiment(reproduction.experiment, 'report'),
      folder: runOf('again'),
      version: '0.0.0',
      recorded: () => ({}),
    });
    expect(again.manifest.hash).toBe(manifest.hash);
  });
});
