import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildElectronDataset, simulatedNote } from './buildDataset.js';
import { leakPitRows } from './leakPitRows.js';

/**
 * The main job, end to end, on real dated data: builds the collection, replays it, audits the run, writes the report, and
 * shows that a run whose past was contaminated is rejected.
 */
const output = path.resolve('demo-output');
const run = path.join(output, 'run');
const leaked = path.join(output, 'leaked-run');
const report = path.join(output, 'report.html');
const workspace = path.join(output, 'workspace');

const usage = `npm run demo [-- --serve]

Builds a collection of dated release notes, replays it, audits the run and a contaminated copy of it, and writes the report
and a workspace to demo-output, which is made anew. Takes about a minute.

  --serve   serve the dashboard on them in the end
  --help    print this and do nothing`;
const flags = process.argv.slice(2);
if (flags.includes('--help') || flags.includes('-h')) {
  console.log(usage);
  process.exit(0);
}
const unknown = flags.find((flag) => flag !== '--serve');
if (unknown !== undefined) {
  console.error(`unknown option ${unknown}\n\n${usage}`);
  process.exit(2);
}

const say = (text: string) => console.log(`\n— ${text}`);
const shown = (file: string) => path.relative('.', file);
/** Runs asof as a user would, and returns its exit code. */
function asof(...words: string[]): number {
  console.log(`$ asof ${words.map((word) => (path.isAbsolute(word) ? shown(word) : word)).join(' ')}`);
  try {
    execFileSync(process.execPath, ['dist/cli/main.js', ...words], { stdio: 'inherit' });
    return 0;
  } catch (error) {
    return (error as { status: number | null }).status ?? 1;
  }
}

function mustBe(expected: number, code: number): void {
  if (code !== expected) throw new Error(`exit code ${code}, expected ${expected}`);
}

say('Building asof');
execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' });

rmSync(output, { recursive: true, force: true });
say('Building a dated collection from the release notes of Electron (npm package electron-releases)');
const built = await buildElectronDataset(path.join(output, 'dataset'), 1);
console.log(`${built.notes} notes, ${built.families} changes told in several releases, ${built.requests} requests`);
console.log(simulatedNote);

say('Replaying every request in its natural order, with past-only and with full-stream memory');
mustBe(0, asof('replay', '--experiment', 'examples/electron/experiment.yaml', '--out', run));

say('Auditing the run from its artefacts');
mustBe(0, asof('audit', run));

say('Contaminating a copy: PIT rows get what Future selected, digests are made to fit');
cpSync(run, leaked, { recursive: true });
await leakPitRows(leaked);
mustBe(3, asof('audit', leaked));
console.log('Rejected, as it must be.');

say('Writing the report');
mustBe(0, asof('report', run, '--out', report));

say('Making a workspace of the notes, to be searched as of any time');
mustBe(0, asof('init', workspace));
mustBe(0, asof('ingest', path.join(output, 'dataset', 'assets.jsonl'), '--workspace', workspace));
mustBe(
  0,
  asof(
    ...['search', 'crash when closing window', '--as-of', '2018-01-01', '--mode', 'lexical', '--limit', '3'],
    ...['--workspace', workspace],
  ),
);

say('Where everything is');
console.log(`report    ${shown(report)}`);
console.log(`rows      ${shown(path.join(run, 'rows.parquet'))}`);
console.log(`effects   ${shown(path.join(run, 'effects.csv'))}, effects.json`);
console.log(`manifest  ${shown(path.join(run, 'manifest.json'))}`);
console.log(`data      ${shown(path.join(output, 'dataset'))}`);
console.log(`workspace ${shown(workspace)}`);

if (flags.includes('--serve')) {
  say('Serving the dashboard; interrupt to end');
  asof('serve', '--workspace', workspace, '--runs', output, '--log-level', 'warn');
} else {
  console.log('\nnpm run demo -- --serve shows all of it in the dashboard.');
}
