/**
 * What each part of the default ranking by freshness is worth, over queries of `buildQueries.ts`:
 *
 *     npx tsx examples/freshness/ablation.ts nvd-2019.jsonl.gz queries.jsonl
 */
import { tmpdir } from 'node:os';
import { snapshotSize } from '../../src/corpus/corpus.js';
import { definedMean } from '../../src/evaluation/definedMean.js';
import { productAsOf } from '../../src/evaluation/freshness.js';
import { readFreshnessData } from '../../src/evaluation/freshnessEvaluation/freshnessData.js';
import { measureRanking } from '../../src/evaluation/freshnessEvaluation/measureRanking.js';
import { SnapshotRanker } from '../../src/evaluation/freshnessEvaluation/SnapshotRanker.js';
import { shareText } from '../../src/report/freshness/freshnessRows.js';
import { english } from '../../src/retrieval/analysis/english.js';
import type { FreshnessCandidates } from '../../src/retrieval/freshness/candidates.js';
import { coverageOf } from '../../src/retrieval/freshness/coverage.js';
import type { FreshnessOptions } from '../../src/retrieval/freshness/options.js';
import { rankFreshness } from '../../src/retrieval/freshness/rankFreshness.js';
import { temporalIntent, withoutTemporalIntent } from '../../src/retrieval/intent/temporalIntent.js';
import { millisecondsPerDay } from '../../src/time/instant.js';

type Choice = Partial<FreshnessOptions>;
interface Variant {
  readonly name: string;
  readonly readsIntent?: boolean;
  /** What the ranking is given instead of the candidates. */
  readonly change?: (candidates: FreshnessCandidates) => FreshnessCandidates;
  readonly choice?: Choice;
}

const withNamenesses = (change: (nameness: number) => number) => (candidates: FreshnessCandidates) => ({
  ...candidates,
  terms: { ...candidates.terms!, namenesses: candidates.terms!.namenesses!.map(change) },
});
const asSimilarity = (candidates: FreshnessCandidates) => ({
  ...candidates,
  similarity: coverageOf(candidates.terms!).shares,
});
const days = (count: number) => count * millisecondsPerDay;
const variants: readonly Variant[] = [
  { name: 'coverage' },
  { name: 'without nameness (idf alone)', change: withNamenesses(() => 1) },
  { name: 'with the square root of nameness', change: withNamenesses(Math.sqrt) },
  { name: 'without reading words about time', readsIntent: false },
  { name: 'without recency (alpha 1)', choice: { alpha: 1 } },
  { name: 'adaptive half-life', choice: { halfLife: 'adaptive' } },
  ...[0.5, 0.7, 0.8, 0.9].map((alpha) => ({
    name: `sum, not product, alpha ${alpha}, 30 d`,
    change: asSimilarity,
    choice: { method: 'fused', alpha, halfLife: days(30) } as const,
  })),
];

const [documents, queries] = process.argv.slice(2);
if (documents === undefined || queries === undefined) throw new Error('usage: ablation.ts <records> <queries>');
const data = await readFreshnessData({
  documents: [documents],
  queries,
  mapping: { preset: 'nvd' },
  labelField: 'products',
  queryLabelField: 'product',
  scratchFolder: tmpdir(),
});
const ranker = new SnapshotRanker(data.corpus, english);
const cutoff = 10;
const values = variants.map(() => ({ latestSet: [] as number[], precision: [] as number[] }));
for (const [at, query] of data.queries.entries()) {
  const relevant = productAsOf(data.relevant[at]!, snapshotSize(data.corpus, query.asOf));
  for (const [number, { readsIntent = true, change, choice }] of variants.entries()) {
    const intent = (readsIntent ? temporalIntent : withoutTemporalIntent)(query.text, query.asOf);
    const candidates = ranker.byTerms(intent);
    // A span that the query names is the half-life, as in a search, where the variant leaves it open.
    const options = { halfLife: intent.recentSpan ?? undefined, ...choice, depth: cutoff };
    const ranking = rankFreshness(change === undefined ? candidates : change(candidates), options);
    const { latestSet, precision } = measureRanking(ranking, relevant, data.corpus, query.asOf, cutoff);
    values[number]!.latestSet.push(latestSet);
    values[number]!.precision.push(precision);
  }
}
console.log('| | Latest-Set@10 | P@10 |\n| --- | --- | --- |');
for (const [number, { name }] of variants.entries()) {
  const { latestSet, precision } = values[number]!;
  const mean = (numbers: number[]) => shareText(definedMean(Float64Array.from(numbers)).mean);
  console.log(`| ${name} | ${mean(latestSet)} | ${mean(precision)} |`);
}
