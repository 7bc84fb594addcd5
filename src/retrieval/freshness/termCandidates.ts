import type { Instant } from '../../time/instant.js';
import type { IndexSnapshot } from '../bm25/IndexSnapshot.js';
import type { CandidateTerms, FreshnessCandidates } from './candidates.js';

/** What the candidates of a query are taken from: two indexes over the same rows, cut at the same snapshot. */
export interface TermSource {
  readonly snapshot: IndexSnapshot;
  /** The same snapshot of an index by `namesOf(snapshot.index.analyzer)`; absent: idf alone weighs the terms. */
  readonly names?: IndexSnapshot | undefined;
  /** [at least snapshot size] epoch milliseconds, NaN where unknown. */
  readonly eventAt: Float64Array;
  /** [at least snapshot size] the tie-breaker of each row (`corpus.idOrder`). */
  readonly idOrder: Uint32Array;
}

const frequencyCap = 255;

/**
 * All live rows of a snapshot that hold at least one term of a query, rows ascending, with their terms: what the method
 * `coverage` ranks. Costs the length of the terms' postings and a pass over the snapshot's rows.
 */
export function termCandidates(source: TermSource, query: string, asOf: Instant): FreshnessCandidates {
  const { snapshot, names, eventAt, idOrder } = source;
  const { index, size, dead } = snapshot;
  const { offsets, postings, pairFrequencies } = index;
  const texts = [...new Set(index.analyzer.tokenize(query))];
  const numbers = texts.map((text) => index.termNumber(text));
  const placeOf = new Uint32Array(size);
  for (const term of numbers) {
    if (term === undefined) continue;
    const end = snapshot.postingsEnd(term);
    for (let posting = offsets[term]!; posting < end; posting++) placeOf[postings[2 * posting]!] = 1;
  }
  let count = 0;
  for (let row = 0; row < size; row++) {
    if (placeOf[row] === 0 || (dead !== undefined && dead[row] !== 0)) placeOf[row] = 0;
    else placeOf[row] = ++count;
  }
  const rows = new Uint32Array(count);
  for (let row = 0; row < size; row++) if (placeOf[row]! > 0) rows[placeOf[row]! - 1] = row;
  const frequencies = new Uint8Array(count * texts.length);
  for (const [column, term] of numbers.entries()) {
    if (term === undefined) continue;
    const end = snapshot.postingsEnd(term);
    for (let posting = offsets[term]!; posting < end; posting++) {
      const place = placeOf[postings[2 * posting]!]!;
      if (place === 0) continue;
      const frequency = pairFrequencies[postings[2 * posting + 1]!]!;
      frequencies[(place - 1) * texts.length + column] = Math.min(frequencyCap, frequency);
    }
  }
  const terms: CandidateTerms = {
    texts,
    documentFrequencies: frequenciesOf(snapshot, texts),
    namedFrequencies: names === undefined ? undefined : frequenciesOf(names, texts),
    documentCount: snapshot.documentCount,
    frequencies,
  };
  return {
    asOf,
    rows,
    ties: rows.map((row) => idOrder[row]!),
    eventAt: Float64Array.from(rows, (row) => eventAt[row]!),
    terms,
  };
}

/** Live documents of the snapshot that hold each term. */
function frequenciesOf(snapshot: IndexSnapshot, texts: readonly string[]): Uint32Array {
  return Uint32Array.from(texts, (text) => {
    const term = snapshot.index.termNumber(text);
    return term === undefined ? 0 : snapshot.documentFrequency(term);
  });
}
