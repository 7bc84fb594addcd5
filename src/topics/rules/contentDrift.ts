import { innerProduct } from '../../retrieval/dense/cosine.js';

/**
 * Cosine of two topics' contents, estimated from samples of documents: the cosine of the mean vectors, corrected for
 * their being means of few (ours).
 *
 * The mean of n vectors of length 1 has the squared length r + (1 - r) / n, where r is the mean cosine of two different
 * documents; so the mean of a small sample is too long, and two samples of one topic seem to differ. Taken out, the
 * estimate is m_a . m_b / sqrt(r_a r_b). With many documents it is the cosine of the centroids.
 *
 * @param a [dimension] sum of `sizeA` vectors of length 1
 * @returns NaN where a sample has fewer than two documents, or they have nothing in common
 */
export function sampledCosine(a: Float64Array, sizeA: number, b: Float64Array, sizeB: number): number {
  const cohesion = meanCosine(a, sizeA) * meanCosine(b, sizeB);
  if (!(cohesion > 0)) return Number.NaN;
  return Math.max(-1, Math.min(1, dot(a, b) / (sizeA * sizeB) / Math.sqrt(cohesion)));
}

/** Mean cosine of two different documents of a sample; NaN below two documents, and where they have nothing in common. */
function meanCosine(sum: Float64Array, size: number): number {
  const cosine = (dot(sum, sum) - size) / (size * (size - 1));
  return size > 1 && cosine > 0 ? cosine : Number.NaN;
}

/** Cosine of two sums, that is of the centroids; NaN where one is zero. */
export function centroidCosine(a: Float64Array, b: Float64Array): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function dot(a: Float64Array, b: Float64Array): number {
  return innerProduct(a, 0, b, 0, a.length);
}
