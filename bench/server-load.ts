import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Sustained searches over HTTP while records are ingested: `npm run bench bench/server-load.ts [MINUTES] [CLIENTS]`, after a
 * build. One server; clients ask as fast as they are answered, each time as of another day; meanwhile a body of 200 records
 * is put in, and another a second after its answer. The last minute has searches only. Prints a table by minute: latencies,
 * errors, and the memory of the server and of its process that writes.
 */
const [minutes = '6', clients = '4'] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'asof-load-'));
const workspace = path.join(folder, 'workspace');
const cli = path.resolve('dist/cli/main.js');
const words =
  'amber basin cedar delta ember fjord grove harbor inlet jetty knoll lagoon meadow nook orchard prairie'.split(' ');
const day = 86_400_000;
const start = Date.parse('2020-01-01T00:00:00Z');
const bodyRecords = 200;
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

/** Resident memory of a process, MiB. */
const resident = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
const writerMemory = () => {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim();
  return children === '' ? 0 : resident(Number(children.split(' ')[0]));
};
/** JavaScript's heap in use and buffers beside it, MiB, as the server tells. */
const heap = async () => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]) / 2 ** 20;
  return of('nodejs_heap_size_used_bytes') + of('nodejs_external_memory_bytes');
};
const ingest = (count: number) =>
  fetch(`${url}/v1/ingest?backfill=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: records(count),
  });

/** What went on in a minute. */
interface Minute {
  readonly searches: number[];
  readonly ingests: number[];
  errors: number;
}
const newMinute = (): Minute => ({ searches: [], ingests: [], errors: 0 });
let minute = newMinute();
const all = newMinute();
const count = (kind: 'searches' | 'ingests', began: number, isRight: boolean) => {
  for (const to of [minute, all]) {
    to[kind].push(performance.now() - began);
    if (!isRight) to.errors++;
  }
};
const at = (values: number[], share: number) =>
  values.length === 0
    ? '-'
    : values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!.toFixed(0);

try {
  await ingest(20_000);
  const total = Number(minutes);
  const began = performance.now();
  const end = began + total * 60_000;
  const ingestEnd = end - 60_000;
  const searching = Array.from({ length: Number(clients) }, async () => {
    while (performance.now() < end) {
      const asOf = new Date(start + (500 + random(500)) * day).toISOString();
      const asked = performance.now();
      const answer = await fetch(`${url}/v1/search?q=${encodeURIComponent(pick(3))}&asOf=${asOf}`);
      await answer.arrayBuffer();
      count('searches', asked, answer.ok);
    }
  });
  const ingesting = (async () => {
    while (performance.now() < ingestEnd) {
      const asked = performance.now();
      count('ingests', asked, (await ingest(bodyRecords)).ok);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  })();
  const model = cpus()[0]!.model.trim();
  console.log(`${cpus().length} cores, ${model}; Node ${process.version}; ${clients} clients, ${total} minutes\n`);
  console.log(
    '| minute | assets | searches | p50 ms | p99 ms | ingests | p50 ms | slowest ms | errors | server MiB | heap and buffers MiB | writer MiB | load average |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (let number = 1; number <= total; number++) {
    await new Promise((resolve) => setTimeout(resolve, began + number * 60_000 - performance.now()));
    const { searches, ingests, errors } = minute;
    minute = newMinute();
    const memory = [resident(server.pid!), await heap(), writerMemory()].map((value) => value.toFixed(0));
    const latencies = [searches.length, at(searches, 0.5), at(searches, 0.99), ingests.length, at(ingests, 0.5)];
    const cells = [number, made, ...latencies, at(ingests, 1), errors, ...memory, loadavg()[0]!.toFixed(1)];
    console.log(`| ${cells.join(' | ')} |`);
  }
  await Promise.all([...searching, ingesting]);
  const { searches, ingests, errors } = all;
  console.log(
    `\nsearches ${searches.length}: p50 ${at(searches, 0.5)} ms, p99 ${at(searches, 0.99)} ms, slowest ${at(searches, 1)} ms`,
  );
  console.log(`ingests ${ingests.length}: p50 ${at(ingests, 0.5)} ms, slowest ${at(ingests, 1)} ms; errors ${errors}`);
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.on('exit', resolve));
  rmSync(folder, { recursive: true });
}
