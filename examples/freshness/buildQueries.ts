/**
 * Makes freshness queries over labelled CVE records, in many wordings and spellings:
 *
 *     npx tsx examples/freshness/buildQueries.ts nvd-2019.jsonl.gz queries.jsonl [--half validation] [--fewest 5]
 *         [--naming 0.5] [--wordings 4]
 *
 * for `asof evaluate freshness`. See `ProductQueryOptions` for what the options say.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readJsonLines } from '../support/readJsonLines.js';
import { type CveRecord, productQueries } from './productQueries.js';
import { type Half, wordings } from './wordings.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'design' },
    fewest: { type: 'string', default: '5' },
    naming: { type: 'string', default: '0' },
    wordings: { type: 'string', default: '4' },
  },
});
const [source, target] = positionals;
if (source === undefined || target === undefined || !Object.hasOwn(wordings, values.half)) {
  throw new Error('usage: buildQueries.ts <records.jsonl.gz> <queries> [--half design|validation] [--fewest <n>] ...');
}
const queries = productQueries(await readJsonLines<CveRecord>(source), {
  half: values.half as Half,
  fewest: Number(values.fewest),
  naming: Number(values.naming),
  wordingsEach: Number(values.wordings),
});
await writeFile(target, queries.map((query) => `${JSON.stringify(query)}\n`).join(''));
console.log(`${new Set(queries.map(({ product }) => product)).size} products, ${queries.length} queries`);
