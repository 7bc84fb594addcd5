import { newSha256, sha256 } from '../../commitment/sha256.js';
import { littleEndianBytes } from '../../commitment/typedArrayBytes.js';
import type { Analyzer } from '../analysis/Analyzer.js';
import { frequencyArrays } from './frequencyArrays.js';
import { GrowableUint32Array } from './GrowableUint32Array.js';
import { commitmentWords, type InvertedIndex } from './InvertedIndex.js';

/**
 * Builds an inverted index from texts given one by one in row order; a text is not kept. The index depends on the texts
 * and their order alone.
 */
export class InvertedIndexBuilder {
  readonly #analyzer: Analyzer;
  readonly #terms: string[] = [];
  readonly #termNumbers = new Map<string, number>();
  /** [terms] occurrences in the document at hand; all 0 between documents. */
  readonly #frequencies = new GrowableUint32Array();
  readonly #documentFrequencies = new GrowableUint32Array();
  readonly #largestFrequencies = new GrowableUint32Array();
  readonly #shortestLengths = new GrowableUint32Array();
  readonly #distinctLengths = new GrowableUint32Array();
  readonly #lengthNumbers = new GrowableUint32Array();
  /** The forward index: for each row its distinct terms in order of first occurrence, and the pair of each. */
  readonly #rowEnds = new GrowableUint32Array();
  readonly #rowTerms = new GrowableUint32Array();
  readonly #rowPairs = new GrowableUint32Array();
  /** By document length: its number, and the pairs of each frequency with it. */
  readonly #byLength = new Map<number, { number: number; pairs: Map<number, number> }>();
  readonly #pairFrequencies = new GrowableUint32Array();
  readonly #pairLengths = new GrowableUint32Array();
  readonly #commitments = new GrowableUint32Array();

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
    this.#pushCommitment(sha256(JSON.stringify(['inverted-index/1', analyzer.id])));
  }

  /** Appends the next row. */
  add(text: string): void {
    const tokens = this.#analyzer.tokenize(text);
    const firstNewTerm = this.#terms.length;
    const start = this.#rowTerms.length;
    for (const token of tokens) this.#count(token);
    const rowTerms = this.#rowTerms.view(start);
    const rowFrequencies = new Uint32Array(rowTerms.length);
    const length = tokens.length;
    const { number: lengthNumber, pairs } = this.#entryOfLength(length);
    for (let i = 0; i < rowTerms.length; i++) {
      const term = rowTerms[i]!;
      const frequency = this.#frequencies.get(term);
      this.#frequencies.set(term, 0);
      rowFrequencies[i] = frequency;
      this.#rowPairs.push(this.#pairNumber(pairs, frequency, length));
      this.#noteInList(term, frequency, length);
    }
    this.#lengthNumbers.push(lengthNumber);
    this.#rowEnds.push(this.#rowTerms.length);
    this.#commit(rowTerms, rowFrequencies, this.#terms.slice(firstNewTerm));
  }

  /** The index over the rows so far. */
  finish(): InvertedIndex {
    const lengthNumbers = this.#lengthNumbers.toArray();
    const size = lengthNumbers.length;
    const lengthSums = new Float64Array(size + 1);
    for (let row = 0; row < size; row++) {
      lengthSums[row + 1] = lengthSums[row]! + this.#distinctLengths.get(lengthNumbers[row]!);
    }
    const offsets = this.#postingOffsets();
    const postings = this.#invert(offsets);
    const pairFrequencies = this.#pairFrequencies.toArray();
    const termNumbers = new Map(this.#termNumbers);
    return {
      analyzer: this.#analyzer,
      size,
      terms: [...this.#terms],
      termNumber: (term) => termNumbers.get(term),
      offsets,
      postings,
      pairFrequencies,
      pairLengths: this.#pairLengths.toArray(),
      distinctLengths: this.#distinctLengths.toArray(),
      lengthNumbers,
      lengthSums,
      largestFrequencies: this.#largestFrequencies.toArray(),
      shortestLengths: this.#shortestLengths.toArray(),
      frequentTerms: frequencyArrays(size, offsets, postings, pairFrequencies),
      commitments: this.#commitments.toArray(),
    };
  }

  #count(token: string): void {
    let term = this.#termNumbers.get(token);
    if (term === undefined) {
      term = this.#terms.length;
      this.#termNumbers.set(token, term);
      this.#terms.push(token);
      this.#frequencies.push(0);
      this.#documentFrequencies.push(0);
      this.#largestFrequencies.push(0);
      this.#shortestLengths.push(0xffffffff);
    }
    const frequency = this.#frequencies.get(term);
    if (frequency === 0) this.#rowTerms.push(term);
    this.#frequencies.set(term, frequency + 1);
  }

  #entryOfLength(length: number): { number: number; pairs: Map<number, number> } {
    let entry = this.#byLength.get(length);
    if (entry === undefined) {
      entry = { number: this.#distinctLengths.length, pairs: new Map() };
      this.#byLength.set(length, entry);
      this.#distinctLengths.push(length);
    }
    return entry;
  }

  #pairNumber(pairs: Map<number, number>, frequency: number, length: number): number {
    let pair = pairs.get(frequency);
    if (pair === undefined) {
      pair = this.#pairFrequencies.length;
      pairs.set(frequency, pair);
      this.#pairFrequencies.push(frequency);
      this.#pairLengths.push(length);
    }
    return pair;
  }

  #noteInList(term: number, frequency: number, length: number): void {
    this.#documentFrequencies.set(term, this.#documentFrequencies.get(term) + 1);
    if (frequency > this.#largestFrequencies.get(term)) this.#largestFrequencies.set(term, frequency);
    if (length < this.#shortestLengths.get(term)) this.#shortestLengths.set(term, length);
  }

  /** Term numbers are a function of the rows so far, so they and the words of the new ones say what the row holds. */
  #commit(rowTerms: Uint32Array, rowFrequencies: Uint32Array, newTerms: readonly string[]): void {
    const entry = newSha256()
      .update(littleEndianBytes(this.#commitments.view(this.#commitments.length - commitmentWords)))
      .update(littleEndianBytes(Uint32Array.of(rowTerms.length)))
      .update(littleEndianBytes(rowTerms))
      .update(littleEndianBytes(rowFrequencies))
      .update(JSON.stringify(newTerms));
    this.#pushCommitment(entry.digest());
  }

  #pushCommitment(digest: Buffer): void {
    for (let word = 0; word < commitmentWords; word++) this.#commitments.push(digest.readUInt32LE(4 * word));
  }

  #postingOffsets(): Uint32Array {
    const documentFrequencies = this.#documentFrequencies.view();
    const offsets = new Uint32Array(documentFrequencies.length + 1);
    for (let term = 0; term < documentFrequencies.length; term++) {
      offsets[term + 1] = offsets[term]! + documentFrequencies[term]!;
    }
    return offsets;
  }

  /** Turns the forward index over; rows are met in order, so every list comes out ascending. */
  #invert(offsets: Uint32Array): Uint32Array {
    const rowTerms = this.#rowTerms.view();
    const rowPairs = this.#rowPairs.view();
    const rowEnds = this.#rowEnds.view();
    const postings = new Uint32Array(2 * rowTerms.length);
    const next = offsets.slice();
    let at = 0;
    for (let row = 0; row < rowEnds.length; row++) {
      for (const end = rowEnds[row]!; at < end; at++) {
        const term = rowTerms[at]!;
        const posting = next[term]!;
        next[term] = posting + 1;
        postings[2 * posting] = row;
        postings[2 * posting + 1] = rowPairs[at]!;
      }
    }
    return postings;
  }
}

/** The index over all texts of an iterable, for example `corpus.texts`. */
export function buildInvertedIndex(texts: Iterable<string>, analyzer: Analyzer): InvertedIndex {
  const builder = new InvertedIndexBuilder(analyzer);
  for (const text of texts) builder.add(text);
  return builder.finish();
}
