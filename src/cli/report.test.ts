import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeTemporaryFiles } from '../corpus/testing/temporaryFiles.js';
import { sketchContract } from '../report/testing/sketches.js';
import { runForTest } from './testing/runForTest.js';
import { runFolder, sketchedRun } from './testing/sketchedRun.js';

describe('asof report', () => {
  it('prints a page, Markdown or data', async () => {
    const folder = sketchedRun();
    const html = await runForTest(['report', runFolder(folder)]);
    expect(html).toMatchObject({ exitCode: 0, stderr: '' });
    expect(html.stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect((await runForTest(['report', runFolder(folder), '--format', 'md'])).stdout).toMatch(/^# sketch\n/);
    const data = JSON.parse((await runForTest(['report', runFolder(folder), '--format', 'json'])).stdout);
    expect(data).toMatchObject({ format: 'asof-report/1', title: 'sketch', contract: { state: 'holds' } });
    expect(data.cells).toHaveLength(2);
  });

  it('takes the format from the name of --out, and says nothing when it has written', async () => {
    const folder = sketchedRun();
    const starts = { 'a.html': '<!doctype html>', 'b.md': '# sketch', 'c.json': '{\n  "format"', d: '<!doctype html>' };
    for (const [name, start] of Object.entries(starts)) {
      const out = join(folder, 'new', name);
      expect(await runForTest(['report', runFolder(folder), '--out', out])).toEqual({
        exitCode: 0,
        stdout: '',
        stderr: '',
      });
      expect(readFileSync(out, 'utf8').startsWith(start)).toBe(true);
    }
  });

  it('replaces no file unless told to, and no file of the run at all', async () => {
    const folder = sketchedRun();
    const out = join(folder, 'report.html');
    writeFileSync(out, 'mine');
    const refused = await runForTest(['report', runFolder(folder), '--out', out]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/report\.html exists already .*--force/);
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect((await runForTest(['report', runFolder(folder), '--out', out, '--force'])).exitCode).toBe(0);
    expect(readFileSync(out, 'utf8')).toMatch(/^<!doctype/);
    for (const name of ['manifest.json', 'effects.json']) {
      const before = readFileSync(join(runFolder(folder), name), 'utf8');
      const attempt = await runForTest([
        'report',
        runFolder(folder),
        '--out',
        join(runFolder(folder), '.', name),
        '--force',
      ]);
      expect(attempt.exitCode).toBe(2);
      expect(attempt.stderr).toMatch(/--out: got .*expected a file that is no input/);
      expect(readFileSync(join(runFolder(folder), name), 'utf8')).toBe(before);
    }
    expect(
      (await runForTest(['report', runFolder(folder), '--out', join(runFolder(folder), 'report.html')])).exitCode,
    ).toBe(0);
  });

  it('is written of a run that fails its contract, too', async () => {
    const { exitCode, stdout } = await runForTest(['report', runFolder(sketchedRun(sketchContract(['control'])))]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('<strong>Contract fails</strong>');
  });

  it('refuses a manifest or effects that were changed after the run', async () => {
    const forged = sketchedRun(sketchContract(['control']), (manifest) => ({
      ...manifest,
      contract: sketchContract(),
    }));
    for (const command of ['report', 'gate']) {
      const attempt = await runForTest([command, runFolder(forged)]);
      expect(attempt).toMatchObject({ exitCode: 3, stdout: '' });
      expect(attempt.stderr).toMatch(
        /manifest\.json: got a content with hash \w{64}, expected \w{64} .*changed after the run/,
      );
    }
    const folder = sketchedRun();
    const file = join(runFolder(folder), 'effects.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"requests":20', '"requests":21'));
    const attempt = await runForTest(['report', runFolder(folder), '--out', join(folder, 'out.html')]);
    expect(attempt.exitCode).toBe(3);
    expect(attempt.stderr).toMatch(/effects\.json: got SHA-256 \w{64}, expected \w{64} as the manifest records/);
    expect(existsSync(join(folder, 'out.html'))).toBe(false);
  });

  it('names what is missing', async () => {
    const folder = writeTemporaryFiles({ 'empty/x': '' });
    expect((await runForTest(['report', join(folder, 'empty')])).stderr).toMatch(
      /manifest\.json is missing: name the folder/,
    );
    mkdirSync(join(folder, 'empty', '.partial'));
    expect((await runForTest(['report', join(folder, 'empty')])).stderr).toMatch(/the run is unfinished/);
    expect(await runForTest(['report'])).toMatchObject({
      exitCode: 2,
      stderr: "asof: missing required argument 'run'\n",
    });
  });
});
