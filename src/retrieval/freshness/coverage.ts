import { inverseDocumentFrequency } from '../bm25/formula.js';
import type { CandidateTerms } from './candidates.js';

/** How much of the query each candidate covers, and what each term weighed in it. */
export interface Coverage {
  /** [n] in [0, 1]: the weight of the terms that the candidate holds over the weight of all terms. */
  readonly shares: Float64Array;
  /** [m] weight of each term; they add up to 1, or are all 0 when the snapshot holds none of the terms. */
  readonly weights: Float64Array;
}

/**
 * Coverage of the query by each candidate (ours): the idf-weighted share of its terms that the candidate holds.
 *
 * @param eventAt [n] epoch milliseconds
 */
export function coverageOf(terms: CandidateTerms, _eventAt: Float64Array): Coverage {
  const { documentFrequencies, documentCount, frequencies } = terms;
  const termCount = documentFrequencies.length;
  const weights = Float64Array.from(documentFrequencies, (frequency) =>
    frequency === 0 ? 0 : inverseDocumentFrequency(documentCount, frequency),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total > 0) for (let term = 0; term < termCount; term++) weights[term]! /= total;
  const shares = new Float64Array(termCount === 0 ? 0 : frequencies.length / termCount);
  for (let at = 0; at < shares.length; at++) {
    let share = 0;
    for (let term = 0; term < termCount; term++) if (frequencies[at * termCount + term] !== 0) share += weights[term]!;
    shares[at] = Math.min(1, share);
  }
  return { shares, weights };
}
