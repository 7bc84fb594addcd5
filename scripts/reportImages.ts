import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { renderReport } from '../src/report/renderReport.js';
import { readRunReport } from '../src/store/runs/readRunReport.js';

/**
 * Pictures of the first screen of a run's report, light and dark, for the documentation: `tsx scripts/reportImages.ts RUN
 * [HEIGHT]`. Needs Chromium on the PATH; fonts, and so pixels, are those of the machine.
 */
const [run, height = '1400'] = process.argv.slice(2);
if (run === undefined) throw new Error('name the folder of a run');
const folder = mkdtempSync(join(tmpdir(), 'asof-images-'));
try {
  const page = join(folder, 'report.html');
  writeFileSync(page, renderReport(await readRunReport(run), 'html'));
  for (const [name, scheme] of [
    ['report', 1],
    ['report-dark', 0],
  ]) {
    const image = resolve(import.meta.dirname, `../docs/images/${name}.png`);
    const options = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      `--blink-settings=preferredColorScheme=${scheme}`,
      `--window-size=1160,${height}`,
      `--screenshot=${image}`,
    ];
    execFileSync('chromium', [...options, `file://${page}`], { stdio: 'ignore' });
    console.log(image);
  }
} finally {
  rmSync(folder, { recursive: true });
}
