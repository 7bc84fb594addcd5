import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareCodeUnits } from '../corpus/corpus.js';
import { ProductHits } from './productHits.js';
import { recallAt } from './productMetrics.js';
import { averagePrecision, ndcgAt, precisionAt, reciprocalRank } from './rankedMetrics.js';
import { trecEvalOrder } from './trecFiles.js';

interface Fixture {
  cutoffs: number[];
  queries: Record<string, { run: [string, number][]; qrels: [string, number][]; expected: Record<string, number> }>;
}

const fixture = JSON.parse(readFileSync(new URL('testing/trecEval.fixture.json', import.meta.url), 'utf8')) as Fixture;

describe('figures of trec_eval (fixture by pytrec_eval)', () => {
  it.each(Object.entries(fixture.queries))('are reproduced to 1e-12 for query %s', (_, { run, qrels, expected }) => {
    const assetIds = [...new Set([...run, ...qrels].map(([id]) => id))].sort(compareCodeUnits);
    const rowOf = new Map(assetIds.map((id, row) => [id, row]));
    const rows = Uint32Array.from(run, ([id]) => rowOf.get(id)!);
    const order = trecEvalOrder(
      rows,
      Float64Array.from(run, ([, score]) => score),
      assetIds,
    );
    const ranked = Uint32Array.from(order, (at) => rows[at]!);
    const labels = qrels.map(([id, grade]) => ({ row: rowOf.get(id)!, grade })).sort((a, b) => a.row - b.row);
    const product = Uint32Array.from(labels, ({ row }) => row);
    const grades = labels.map(({ grade }) => grade);

    const hits = new ProductHits().locate(ranked, product);
    const actual: Record<string, number> = { map: averagePrecision(hits), recip_rank: reciprocalRank(hits) };
    for (const cutoff of fixture.cutoffs) {
      actual[`P_${cutoff}`] = precisionAt(hits, cutoff);
      actual[`recall_${cutoff}`] = recallAt(hits, cutoff);
      actual[`ndcg_cut_${cutoff}`] = ndcgAt(hits, cutoff, grades);
      actual[`success_${cutoff}`] = hits.countAt(cutoff) > 0 ? 1 : 0;
    }
    expect(Object.keys(actual).sort()).toEqual(Object.keys(expected).sort());
    for (const [measure, value] of Object.entries(expected)) {
      expect(Math.abs(actual[measure]! - value), measure).toBeLessThanOrEqual(1e-12);
    }
  });

  it('cover graded labels, ties in double and in single precision, short lists and misses', () => {
    const kinds = new Set(Object.keys(fixture.queries).map((query) => query.replace(/\d+$/, '')));
    expect([...kinds].sort()).toEqual(['graded', 'miss', 'plain', 'short', 'single', 'surrogates', 'ties']);
  });
});
