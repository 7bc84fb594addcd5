import { inverseDocumentFrequency, saturation } from '../bm25/formula.js';
import type { CandidateTerms } from './candidates.js';

/** How much of the query's subject each candidate holds, and what each term weighed in it. */
export interface Coverage {
  /** [n] in [0, 1]: the weight of the terms that the candidate holds over the weight of all terms. */
  readonly shares: Float64Array;
  /**
   * [n] in [0, 1): the same sum with each term's weight times f / (f + 1), f its frequency in the candidate: orders
   * candidates of the same share and age, and nothing else.
   */
  readonly strengths: Float64Array;
  /** [m] weight of each term; they add up to 1, or are all 0 when the snapshot holds none of the terms. */
  readonly weights: Float64Array;
  /** [m] nameness of each term, in (0, 1]; 1 where the spelling is not known. */
  readonly namenesses: Float64Array;
}

/**
 * Coverage of a query's subject (ours): the share of its terms that a candidate holds, each weighed by
 *
 *     weight(term) = idf(term) * nameness(term)
 *
 * Inverse document frequency alone takes a rare way of speaking (`problems`, `defects`) for a rarer subject than a common
 * product; spelling tells them apart. Both come from the snapshot. In a corpus without capitals, or with nothing but
 * capitals, idf alone decides.
 *
 * A term that no document of the snapshot holds weighs nothing: no candidate could have it. Frequency and length play no
 * part in the share: it is coarse on purpose, so that among texts on the subject recency decides.
 */
export function coverageOf(terms: CandidateTerms): Coverage {
  const { documentFrequencies, documentCount, frequencies } = terms;
  const termCount = documentFrequencies.length;
  const namenesses = terms.namenesses ?? new Float64Array(termCount).fill(1);
  const weights = Float64Array.from(documentFrequencies, (frequency, term) =>
    frequency === 0 ? 0 : inverseDocumentFrequency(documentCount, frequency) * namenesses[term]!,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total > 0) for (let term = 0; term < termCount; term++) weights[term]! /= total;
  const shares = new Float64Array(termCount === 0 ? 0 : frequencies.length / termCount);
  const strengths = new Float64Array(shares.length);
  for (let at = 0; at < shares.length; at++) {
    let share = 0;
    let strength = 0;
    let complete = true;
    for (let term = 0; term < termCount; term++) {
      const frequency = frequencies[at * termCount + term]!;
      if (frequency !== 0) {
        share += weights[term]!;
        strength += weights[term]! * saturation(frequency, 1);
      } else if (weights[term]! > 0) complete = false;
    }
    strengths[at] = strength;
    // What holds every term holds all of the subject, whatever the rounding of the sum.
    shares[at] = complete && total > 0 ? 1 : Math.min(1, share);
  }
  return { shares, strengths, weights, namenesses };
}
