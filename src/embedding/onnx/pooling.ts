/** How the vectors of a text's tokens become one (Sentence-Transformers' pooling layer). */
export const poolings = ['mean', 'cls', 'max', 'last'] as const;
export type Pooling = (typeof poolings)[number];

/**
 * Pools one text.
 * @param tokens [length, dimension] vectors of the text's tokens, without padding
 * @param into [dimension] receives the pooled vector
 */
export function poolTokens(tokens: Float32Array, dimension: number, pooling: Pooling, into: Float32Array): void {
  const length = tokens.length / dimension;
  if (pooling === 'cls') into.set(tokens.subarray(0, dimension));
  else if (pooling === 'last') into.set(tokens.subarray((length - 1) * dimension));
  else if (pooling === 'max') {
    into.set(tokens.subarray(0, dimension));
    for (let i = dimension; i < tokens.length; i++) {
      const column = i % dimension;
      if (tokens[i]! > into[column]!) into[column] = tokens[i]!;
    }
  } else {
    const sums = new Float64Array(dimension);
    for (let i = 0; i < tokens.length; i += dimension) {
      for (let column = 0; column < dimension; column++) sums[column]! += tokens[i + column]!;
    }
    for (let column = 0; column < dimension; column++) into[column] = sums[column]! / length;
  }
}
