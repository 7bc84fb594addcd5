import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Sustained searches over HTTP while records are ingested: `npm run bench bench/server-load.ts [SECONDS] [CLIENTS]`, after a
 * build. One server process; clients ask as fast as they are answered, each time as of another day; meanwhile a body of 200
 * records is put in every second. Prints latencies, errors and the server's memory at the beginning and the end.
 */
const [seconds = '20', clients = '4'] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'asof-load-'));
const workspace = path.join(folder, 'workspace');
const cli = path.resolve('dist/cli/main.js');
const words =
  'amber basin cedar delta ember fjord grove harbor inlet jetty knoll lagoon meadow nook orchard prairie'.split(' ');
const day = 86_400_000;
const start = Date.parse('2020-01-01T00:00:00Z');
let state = 1;
const random = (below: number) => {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
};
const pick = (count: number) => Array.from({ length: count }, () => words[random(words.length)]).join(' ');
let made = 0;
const records = (count: number) =>
  Array.from({ length: count }, () => {
    const at = new Date(start + (made / 20) * day).toISOString();
    return `${JSON.stringify({ id: `a${made++}`, text: pick(24), eventAt: at, availableAt: at })}\n`;
  }).join('');

const run = (...argv: string[]) =>
  new Promise<void>((resolve, reject) =>
    spawn(process.execPath, [cli, ...argv], { stdio: 'ignore' }).on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${argv[0]}: exit code ${code}`)),
    ),
  );
await run('init', workspace);
const server = spawn(process.execPath, [
  cli,
  'serve',
  '--workspace',
  workspace,
  '--port',
  '0',
  '--log-level',
  'silent',
]);
const url = await new Promise<string>((resolve) =>
  server.stdout.on('data', (text) => resolve(/http:\/\/\S+/.exec(String(text))![0])),
);
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;
const ingest = (count: number) =>
  fetch(`${url}/v1/ingest?backfill=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: records(count),
  });
try {
  await ingest(20_000);
  const latencies: number[] = [];
  const commits: number[] = [];
  let errors = 0;
  const end = performance.now() + Number(seconds) * 1000;
  const searching = Array.from({ length: Number(clients) }, async () => {
    while (performance.now() < end) {
      const asOf = new Date(start + (500 + random(500)) * day).toISOString();
      const began = performance.now();
      const answer = await fetch(`${url}/v1/search?q=${encodeURIComponent(pick(3))}&asOf=${asOf}`);
      await answer.arrayBuffer();
      latencies.push(performance.now() - began);
      if (!answer.ok) errors++;
    }
  });
  const before = memory();
  while (performance.now() < end) {
    const began = performance.now();
    const answer = await ingest(200);
    commits.push(performance.now() - began);
    if (!answer.ok) errors++;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  await Promise.all(searching);
  const at = (values: number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!.toFixed(0);
  console.log(`${clients} clients, ${seconds} s, ${made} assets at the end`);
  console.log(`searches ${latencies.length}: p50 ${at(latencies, 0.5)} ms, p99 ${at(latencies, 0.99)} ms`);
  console.log(`ingests of 200 records ${commits.length}: p50 ${at(commits, 0.5)} ms, slowest ${at(commits, 1)} ms`);
  console.log(`errors ${errors}; memory of the server ${before.toFixed(0)} MiB, then ${memory().toFixed(0)} MiB`);
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.on('exit', resolve));
  rmSync(folder, { recursive: true });
}
