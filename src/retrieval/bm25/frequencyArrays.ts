import { frequencyCap } from './InvertedIndex.js';

/** A term in at least this share of the documents gets a frequency array beside its postings. */
const frequentShare = 1 / 4;

/** The `frequentTerms` of an index. */
export function frequencyArrays(
  size: number,
  offsets: Uint32Array,
  postings: Uint32Array,
  pairFrequencies: Uint32Array,
): Map<number, Uint8Array> {
  const arrays = new Map<number, Uint8Array>();
  for (let term = 0; term + 1 < offsets.length; term++) {
    const start = offsets[term]!;
    const end = offsets[term + 1]!;
    if (end - start < size * frequentShare) continue;
    const frequencies = new Uint8Array(size);
    for (let posting = start; posting < end; posting++) {
      const frequency = pairFrequencies[postings[2 * posting + 1]!]!;
      frequencies[postings[2 * posting]!] = Math.min(frequency, frequencyCap);
    }
    arrays.set(term, frequencies);
  }
  return arrays;
}
