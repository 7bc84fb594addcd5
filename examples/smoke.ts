import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Replays and audits a tiny collection with the given Node: does the built command line work there at all? */
const [node, folder] = process.argv.slice(2);
if (node === undefined || folder === undefined) throw new Error('usage: smoke.ts <node> <folder>');

const colours = ['amber', 'blue', 'cyan', 'denim', 'ecru'];
const assets = Array.from({ length: 40 }, (_, i) => ({
  id: `a${i}`,
  type: 'text',
  text: `${colours[i % 5]} ${colours[(i + 2) % 5]} item ${i % 8}`,
}));
const requests = Array.from({ length: 60 }, (_, i) => ({
  id: `q${i}`,
  text: `${colours[i % 5]} item ${i % 8}`,
  gold: [`a${i % 40}`],
}));
const data = path.join(folder, 'data');
mkdirSync(data, { recursive: true });
writeFileSync(path.join(data, 'assets.jsonl'), assets.map((asset) => `${JSON.stringify(asset)}\n`).join(''));
writeFileSync(path.join(data, 'requests.jsonl'), requests.map((request) => `${JSON.stringify(request)}\n`).join(''));

const asof = (...words: string[]) => execFileSync(node, ['dist/cli/main.js', ...words], { stdio: 'inherit' });
asof('dataset', 'info', data);
asof(
  'replay',
  data,
  '--out',
  path.join(folder, 'run'),
  '--anchors-per-window',
  '5',
  '--capacity',
  '8',
  '--seeds',
  '1-2',
);
asof('audit', path.join(folder, 'run'));
