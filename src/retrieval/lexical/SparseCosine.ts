import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { SparseVectors } from '../vectors.js';

/**
 * Cosine of one sparse vector with every other, in [0, 1]: sum of x_t * y_t over common terms, terms ascending, divided by
 * sqrt(|x|^2 * |y|^2). Through inverted lists, so that a vector costs the length of the lists of its terms.
 *
 * Exact where it matters: cos(a, b) and cos(b, a) are the same number, whatever the order of the vectors; equal vectors
 * give exactly 1, since the sum then equals both squared norms and sqrt(s * s) is s; what rounding lifts above 1 becomes 1.
 * A vector without terms has cosine 0 with all, itself included (case 24).
 */
export class SparseCosine {
  readonly size: number;
  readonly #vectors: SparseVectors;
  readonly #squaredNorms: Float64Array;
  /** The components by term: [terms + 1] start of each list, [entries] vector and component. */
  readonly #listOffsets: Uint32Array;
  readonly #listMembers: Uint32Array;
  readonly #listWeights: Float64Array;

  constructor(vectors: SparseVectors) {
    const { offsets, terms, weights } = vectors;
    this.size = offsets.length - 1;
    this.#vectors = vectors;
    this.#squaredNorms = squaredNorms(vectors);
    const termCount = terms.reduce((largest, term) => Math.max(largest, term + 1), 0);
    this.#listOffsets = new Uint32Array(termCount + 1);
    this.#listMembers = new Uint32Array(terms.length);
    this.#listWeights = new Float64Array(terms.length);
    for (const term of terms) this.#listOffsets[term + 1]!++;
    for (let term = 0; term < termCount; term++) this.#listOffsets[term + 1]! += this.#listOffsets[term]!;
    const next = this.#listOffsets.slice();
    for (let member = 0; member < this.size; member++) {
      for (let entry = offsets[member]!; entry < offsets[member + 1]!; entry++) {
        const place = next[terms[entry]!]!++;
        this.#listMembers[place] = member;
        this.#listWeights[place] = weights[entry]!;
      }
    }
  }

  /**
   * @param similarities [size] is overwritten
   * @throws InvalidArgumentError when there is no such vector or `similarities` has another length
   */
  fill(vector: number, similarities: Float64Array): void {
    const { offsets, terms, weights } = this.#vectors;
    if (!Number.isInteger(vector) || vector < 0 || vector >= this.size) {
      throw new InvalidArgumentError({ argument: 'vector', value: vector, expected: `an integer below ${this.size}` });
    }
    if (similarities.length !== this.size) {
      const value = `${similarities.length} entries`;
      throw new InvalidArgumentError({ argument: 'similarities', value, expected: `${this.size} entries` });
    }
    similarities.fill(0);
    for (let entry = offsets[vector]!; entry < offsets[vector + 1]!; entry++) {
      const term = terms[entry]!;
      const weight = weights[entry]!;
      for (let at = this.#listOffsets[term]!, end = this.#listOffsets[term + 1]!; at < end; at++) {
        similarities[this.#listMembers[at]!]! += weight * this.#listWeights[at]!;
      }
    }
    const squaredNorm = this.#squaredNorms[vector]!;
    for (let other = 0; other < this.size; other++) {
      const product = similarities[other]!;
      if (product !== 0) similarities[other] = cosineFrom(product, squaredNorm, this.#squaredNorms[other]!);
    }
  }
}

/** `SparseCosine` of one pair, by merging their terms: its slow twin, equal to the last bit. */
export function pairwiseSparseCosine(vectors: SparseVectors): (a: number, b: number) => number {
  const { offsets, terms, weights } = vectors;
  const norms = squaredNorms(vectors);
  return (a, b) => {
    let i = offsets[a]!;
    let j = offsets[b]!;
    const [endA, endB] = [offsets[a + 1]!, offsets[b + 1]!];
    let product = 0;
    while (i < endA && j < endB) {
      if (terms[i]! < terms[j]!) i++;
      else if (terms[i]! > terms[j]!) j++;
      else product += weights[i++]! * weights[j++]!;
    }
    return product === 0 ? 0 : cosineFrom(product, norms[a]!, norms[b]!);
  };
}

/** [vectors] sum of x_t^2, terms ascending; 0 for a vector without terms. */
function squaredNorms({ offsets, weights }: SparseVectors): Float64Array {
  return Float64Array.from({ length: offsets.length - 1 }, (_, vector) => {
    let sum = 0;
    for (let entry = offsets[vector]!; entry < offsets[vector + 1]!; entry++) sum += weights[entry]! * weights[entry]!;
    return sum;
  });
}

function cosineFrom(product: number, squaredNormA: number, squaredNormB: number): number {
  return Math.min(1, product / Math.sqrt(squaredNormA * squaredNormB));
}
