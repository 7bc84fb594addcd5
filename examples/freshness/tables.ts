/**
 * Prints what `asof evaluate freshness --json` found as the tables of docs/results/freshness.md:
 *
 *     npx tsx examples/freshness/tables.ts results.json [--queries queries.jsonl --by style]
 *
 * `--by` groups the queries by a field of their file, for the method `coverage`.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compareCodeUnits } from '../../src/corpus/corpus.js';
import {
  type FreshnessResults,
  halfLifeText,
  leakageHeader,
  leakageRow,
  methodRow,
  metricNames,
  selectionHeader,
  selectionRow,
  shareText,
} from '../../src/report/freshness/freshnessRows.js';
import { readJsonLines } from '../support/readJsonLines.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { queries: { type: 'string' }, by: { type: 'string' } },
});
const results = JSON.parse(await readFile(positionals[0]!, 'utf8')) as FreshnessResults;
const { cutoff, queries, methods, sweeps, leakage, similarity } = results;

const relevant = queries.map((query) => query.relevant).filter((count) => count > 0);
const ceiling = relevant.reduce((sum, count) => sum + Math.min(cutoff, count) / cutoff, 0) / relevant.length;
console.log(`${relevant.length} queries; similarity: ${similarity}; P@${cutoff} is at most ${ceiling.toFixed(3)}\n`);
print(['method', ...metricNames(cutoff)], methods.map(methodRow));

for (const { method, alphas, halfLives, latestSet, precision } of sweeps) {
  console.log(`Sweep of ${method}: Latest-Set@${cutoff}, P@${cutoff}\n`);
  const rows = alphas.map((alpha, row) => {
    const cells = halfLives.map((_, column) => {
      const at = row * halfLives.length + column;
      return `${shareText(latestSet[at]!)}, ${shareText(precision[at]!)}`;
    });
    return [String(alpha), ...cells];
  });
  print(['alpha', ...halfLives.map(halfLifeText)], rows);
}
if (sweeps.length > 0) print(selectionHeader, sweeps.map(selectionRow));
for (const { method, at } of leakage) {
  console.log(`Statistics leakage of ${method}\n`);
  print(leakageHeader, at.map(leakageRow));
}

if (values.queries !== undefined && values.by !== undefined) {
  const field = values.by;
  const records = await readJsonLines<Record<string, string>>(values.queries);
  const groupOf = new Map(records.map((record) => [record.id!, record[field]!]));
  const coverage = methods.find(({ method }) => method === 'coverage')!;
  const groups = new Map<string, { latestSet: number[]; precision: number[] }>();
  for (const [at, { id }] of queries.entries()) {
    const { latestSet, precision } = coverage.perQuery[at]!;
    if (latestSet === null || precision === null) continue;
    const name = groupOf.get(id)!;
    const group = groups.get(name) ?? { latestSet: [], precision: [] };
    groups.set(name, group);
    group.latestSet.push(latestSet);
    group.precision.push(precision);
  }
  const mean = (numbers: readonly number[]) => shareText(numbers.reduce((sum, one) => sum + one, 0) / numbers.length);
  const rows = [...groups].sort(([a], [b]) => compareCodeUnits(a, b));
  print(
    [field, 'queries', `Latest-Set@${cutoff}`, `P@${cutoff}`],
    rows.map(([name, group]) => [name, String(group.latestSet.length), mean(group.latestSet), mean(group.precision)]),
  );
}

function print(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log([line(header), line(header.map(() => '---')), ...rows.map(line), ''].join('\n'));
}
