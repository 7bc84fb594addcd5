import { luceneLength } from './luceneLength.js';
import type { Bm25Parameters } from './parameters.js';

/**
 * BM25 as asof computes it, from Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
 * (2009), section 3.3, without the factor (k1 + 1), which changes no ranking (Lucene dropped it too):
 *
 *     score(q, d) = sum over distinct terms t of q that d holds of  count(t in q) * idf(t) * tf / (tf + K(d))
 *     idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))
 *     K(d) = k1 * (1 - b + b * length(d) / average length)
 *
 * with N, df and the average length of the snapshot. Every addend is positive: idf > 0 even for a term in all documents.
 *
 * To be reproducible to the last bit, an addend is (count * idf) * (tf / (tf + K)), and addends are summed in float64
 * from the rarest term to the most frequent (df ascending), then by first position in the query.
 */
export function inverseDocumentFrequency(documentCount: number, documentFrequency: number): number {
  return Math.log(1 + (documentCount - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** K(d): how much of a term's frequency the document's length discounts. `averageLength` is above 0. */
export function lengthNorm(length: number, averageLength: number, { k1, b, lengths }: Bm25Parameters): number {
  const counted = lengths === 'lucene' ? luceneLength(length) : length;
  return k1 * (1 - b + (b * counted) / averageLength);
}

/** tf / (tf + K), in (0, 1]. */
export function saturation(frequency: number, norm: number): number {
  return frequency / (frequency + norm);
}
