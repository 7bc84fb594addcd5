import { sha256 } from '../../commitment/sha256.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { TfIdfVectors } from './tfIdfVectors.js';

export interface HashedDenseOptions {
  /** Number of columns, 512 by default. */
  readonly dimension?: number;
  /** Chooses the hash function; any integer. */
  readonly seed: number;
}

/**
 * TF-IDF vectors folded into few dense columns by signed feature hashing (Weinberger et al., "Feature Hashing for Large
 * Scale Multitask Learning", 2009): a term adds its component to the column that its hash names, with a sign that the
 * hash gives too, so that collisions cancel on average and inner products are kept in expectation. It stands in for
 * embeddings where there is no model, as the input of k-means for semantic streams.
 *
 * The hash of a term is the start of SHA-256(`seed/term`): it depends on nothing but the two.
 *
 * @returns [texts, dimension] row-major; rows of length 1 (L2), or all 0 for a text without terms
 * @throws InvalidArgumentError when `dimension` is not a positive integer or `seed` not an integer
 */
export function hashedDense(tfIdf: TfIdfVectors, { dimension = 512, seed }: HashedDenseOptions): Float32Array {
  if (!Number.isSafeInteger(dimension) || dimension < 1) {
    throw new InvalidArgumentError({ argument: 'dimension', value: dimension, expected: 'a positive integer' });
  }
  if (!Number.isSafeInteger(seed)) {
    throw new InvalidArgumentError({ argument: 'seed', value: seed, expected: 'an integer' });
  }
  const { terms, vectors } = tfIdf;
  const { offsets, terms: entryTerms, weights } = vectors;
  const size = offsets.length - 1;
  const columns = new Uint32Array(terms.length);
  const signs = new Int8Array(terms.length);
  for (const [number, term] of terms.entries()) {
    const hash = sha256(`${seed}/${term}`);
    columns[number] = hash.readUInt32LE(0) % dimension;
    signs[number] = (hash[4]! & 1) === 0 ? 1 : -1;
  }
  const dense = new Float32Array(size * dimension);
  const row = new Float64Array(dimension);
  for (let request = 0; request < size; request++) {
    row.fill(0);
    for (let entry = offsets[request]!; entry < offsets[request + 1]!; entry++) {
      const term = entryTerms[entry]!;
      row[columns[term]!]! += signs[term]! * weights[entry]!;
    }
    let squaredNorm = 0;
    for (const value of row) squaredNorm += value * value;
    if (squaredNorm === 0) continue;
    const norm = Math.sqrt(squaredNorm);
    for (let column = 0; column < dimension; column++) dense[request * dimension + column] = row[column]! / norm;
  }
  return dense;
}
