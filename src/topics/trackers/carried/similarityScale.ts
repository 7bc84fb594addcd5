import { innerProduct } from '../../../retrieval/dense/cosine.js';

/** Documents of a slice without which its similarities say nothing, and documents that are compared at most. */
const leastDocuments = 20;
const mostDocuments = 256;
const bins = 400;

/** Where the two kinds of pairs are this many standard deviations apart, there are two kinds; a bell has 2.7. */
const clearSeparation = 6;
/** Pairs of different topics are not more alike than this: what seems so is one topic, in its varieties. */
const mostBackground = 0.75;

/**
 * How alike two documents of one topic must be in this stream, where that shows: if the cosines of pairs fall into two
 * clearly separate kinds (Otsu 1979; separation after Ashman 1994), the pairs within topics and those across, half-way
 * between the two. Texts made from one template are alike whatever they say, so that a cosine that parts the topics of one
 * stream takes in all of another.
 *
 * @param vectors [count, dimension] row-major, of length 1
 * @returns null where there is no saying: few documents, or similarities of one kind, or of all degrees
 */
export function similarityScale(vectors: Float32Array, count: number, dimension: number): number | null {
  if (count < leastDocuments) return null;
  const step = Math.ceil(count / mostDocuments);
  const cosines: number[] = [];
  for (let a = 0; a < count; a += step) {
    for (let b = 0; b < a; b += step) {
      cosines.push(innerProduct(vectors, a * dimension, vectors, b * dimension, dimension));
    }
  }
  const kinds = twoKinds(cosines);
  if (kinds === null || kinds.separation < clearSeparation || kinds.lower > mostBackground) return null;
  return (kinds.lower + kinds.upper) / 2;
}

/** The cut of a histogram that leaves the least variance within its two parts: means of the parts, and how far apart. */
function twoKinds(cosines: readonly number[]): { lower: number; upper: number; separation: number } | null {
  const counts = new Float64Array(bins);
  const sums = new Float64Array(bins);
  const squares = new Float64Array(bins);
  for (const cosine of cosines) {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(((cosine + 1) / 2) * bins)));
    counts[bin]!++;
    sums[bin]! += cosine;
    squares[bin]! += cosine * cosine;
  }
  const part = (from: number, to: number) => {
    const total = (values: Float64Array) => values.subarray(from, to).reduce((sum, value) => sum + value, 0);
    const [count, sum, square] = [total(counts), total(sums), total(squares)];
    return { count, mean: sum / count, variance: Math.max(0, square / count - (sum / count) ** 2) };
  };
  let best: { lower: number; upper: number; separation: number } | null = null;
  let most = 0;
  for (let cut = 1; cut < bins; cut++) {
    if (counts[cut - 1] === 0) continue;
    const [lower, upper] = [part(0, cut), part(cut, bins)];
    if (upper.count === 0) break;
    const between = lower.count * upper.count * (upper.mean - lower.mean) ** 2;
    if (between <= most) continue;
    most = between;
    // Single precision leaves equal documents a little apart.
    const spread = Math.sqrt((lower.variance + upper.variance) / 2 + 1e-9);
    best = { lower: lower.mean, upper: upper.mean, separation: (upper.mean - lower.mean) / spread };
  }
  return best;
}
