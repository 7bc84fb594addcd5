import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Serves a tiny workspace with the given Node, asks it, and ends it: does the built server work there at all? */
const [node, folder] = process.argv.slice(2);
if (node === undefined || folder === undefined) throw new Error('usage: serverSmoke.ts <node> <folder>');

mkdirSync(folder, { recursive: true });
const workspace = path.join(folder, 'workspace');
execFileSync(node, ['dist/cli/main.js', 'init', workspace], { stdio: 'inherit' });
const server = spawn(
  node,
  ['dist/cli/main.js', 'serve', '--workspace', workspace, '--port', '0', '--log-level', 'warn'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const ended = new Promise<number | null>((resolve) => server.on('exit', resolve));
const check = (holds: boolean, what: string) => {
  if (!holds) throw new Error(`the server does not: ${what}`);
  console.log(`ok: ${what}`);
};
try {
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (text) => resolve(/http:\/\/\S+/.exec(String(text))![0]));
    void ended.then((code) => reject(new Error(`the server ended with code ${code}`)));
  });
  const record = { id: 'a', text: 'login outage', eventAt: '2024-01-01', availableAt: '2024-01-01' };
  const headers = { 'content-type': 'application/x-ndjson' };
  const taken = await fetch(`${url}/v1/ingest`, { method: 'POST', headers, body: `${JSON.stringify(record)}\n` });
  check(taken.ok, 'take records in');
  const { hits } = (await (await fetch(`${url}/v1/search?q=login&asOf=2024-02-01`)).json()) as { hits: object[] };
  check(hits.length === 1, 'find one of them');
  const page = await fetch(`${url}/search`, { headers: { accept: 'text/html' } });
  check(page.ok && (await page.text()).includes('<title>asof</title>'), 'serve the dashboard');
  const wrong = await fetch(`${url}/v1/assets/%E0%A4%A`);
  check(wrong.headers.get('content-type')?.includes('problem+json') === true, 'answer errors with problems');
} finally {
  server.kill('SIGTERM');
}
check((await ended) === 0, 'end when it is told to');
