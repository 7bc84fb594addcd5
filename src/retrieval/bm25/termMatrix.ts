import { frequencyCap } from './InvertedIndex.js';
import type { SegmentedSnapshot } from './SegmentedSnapshot.js';

/** Which rows of a snapshot hold which of some terms. */
export interface TermMatrix {
  /** [n] live rows that hold at least one of the terms, ascending. */
  readonly rows: Uint32Array;
  /** [n, terms] row-major: how often each row holds each term, capped at 255. */
  readonly frequencies: Uint8Array;
  /** [terms] live documents that hold each term. */
  readonly documentFrequencies: Uint32Array;
}

/** Looks terms up in a snapshot. @param terms distinct */
export function termMatrix(snapshot: SegmentedSnapshot, terms: readonly string[]): TermMatrix {
  const parts: { rows: Uint32Array; frequencies: Uint8Array }[] = [];
  for (const [at, part] of snapshot.parts.entries()) {
    const { index, dead, size } = part;
    const lists = terms.flatMap((term, column) => {
      const number = index.termNumber(term);
      return number === undefined ? [] : [{ column, start: index.offsets[number]!, end: part.postingsEnd(number) }];
    });
    // [size] 1 where the row is wanted, then the row's place among those wanted.
    const places = new Uint32Array(size);
    for (const { start, end } of lists) {
      for (let posting = start; posting < end; posting++) places[index.postings[2 * posting]!] = 1;
    }
    let count = 0;
    for (let row = 0; row < size; row++) {
      if (dead !== undefined && dead[row] !== 0) places[row] = 0;
      if (places[row] !== 0) places[row] = ++count;
    }
    const rows = new Uint32Array(count);
    const frequencies = new Uint8Array(count * terms.length);
    for (const { column, start, end } of lists) {
      for (let posting = start; posting < end; posting++) {
        const row = index.postings[2 * posting]!;
        const place = places[row]!;
        if (place === 0) continue;
        rows[place - 1] = snapshot.firstRows[at]! + row;
        const frequency = index.pairFrequencies[index.postings[2 * posting + 1]!]!;
        frequencies[(place - 1) * terms.length + column] = Math.min(frequency, frequencyCap);
      }
    }
    parts.push({ rows, frequencies });
  }
  const total = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const rows = new Uint32Array(total);
  const frequencies = new Uint8Array(total * terms.length);
  let start = 0;
  for (const part of parts) {
    rows.set(part.rows, start);
    frequencies.set(part.frequencies, start * terms.length);
    start += part.rows.length;
  }
  const documentFrequencies = Uint32Array.from(terms, (term) => snapshot.documentFrequencyOf(term));
  return { rows, frequencies, documentFrequencies };
}
