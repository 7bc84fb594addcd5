/**
 * Makes freshness queries over labelled CVE records, in several wordings:
 *
 *     npx tsx examples/freshness/buildQueries.ts nvd-2019.jsonl.gz queries.jsonl [share]
 *
 * One query a product and wording, for each product with eight records or more, each as of a time within a week after one
 * of them, drawn with a fixed seed. `share` keeps the products whose name stands in at least this share of their records'
 * descriptions (0 by default): no search of texts can find a name that no text has.
 */
import { writeFile } from 'node:fs/promises';
import { compareCodeUnits } from '../../src/corpus/corpus.js';
import { RandomSource } from '../../src/random/RandomSource.js';
import { plain } from '../../src/retrieval/analysis/plain.js';
import { formatInstant } from '../../src/time/formatInstant.js';
import { parseInstant } from '../../src/time/parseInstant.js';
import { readJsonLines } from '../support/readJsonLines.js';

const wordings = [
  '@',
  '@ vulnerability',
  'latest @ vulnerabilities',
  'recent security issues in @',
  'new @ security flaws last week',
  'what are the newest bugs in @',
  'most recent problems affecting @',
  '@ exploits and weaknesses',
  'current security advisories for @',
  'show me the latest defects reported in @',
  'is there any new flaw in @',
];
const fewest = 8;
const day = 86_400_000;

interface CveRecord {
  readonly published: string;
  readonly description: string;
  readonly products: readonly string[];
}

const [source, target, share = '0'] = process.argv.slice(2);
if (source === undefined || target === undefined)
  throw new Error('usage: buildQueries.ts <records.jsonl.gz> <queries> [share]');
const records = await readJsonLines<CveRecord>(source);
records.sort((a, b) => compareCodeUnits(a.published, b.published));

const byProduct = new Map<string, CveRecord[]>();
for (const record of records) {
  for (const product of new Set(record.products)) {
    const known = byProduct.get(product);
    if (known === undefined) byProduct.set(product, [record]);
    else known.push(record);
  }
}

const random = new RandomSource(1, 'freshness/queries');
const lines: string[] = [];
let products = 0;
for (const product of [...byProduct.keys()].sort(compareCodeUnits)) {
  const own = byProduct.get(product)!;
  if (own.length < fewest) continue;
  const newest = own[fewest - 1 + random.below(own.length - fewest + 1)]!;
  const asOf = parseInstant(newest.published) + random.below(7 * 24 * 60) * (day / 1440);
  const name = product.slice(product.indexOf(':') + 1).replaceAll('_', ' ');
  const terms = plain.tokenize(name);
  const naming = own.filter(({ description }) => {
    const held = new Set(plain.tokenize(description));
    return terms.every((term) => held.has(term));
  });
  if (naming.length < Number(share) * own.length) continue;
  products++;
  for (const [number, wording] of wordings.entries()) {
    const text = wording.replace('@', name);
    lines.push(JSON.stringify({ id: `${product} ${number}`, text, asOf: formatInstant(asOf), product }));
  }
}
await writeFile(target, lines.map((line) => `${line}\n`).join(''));
console.log(`${products} products, ${lines.length} queries`);
