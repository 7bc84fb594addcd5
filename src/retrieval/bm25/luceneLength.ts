const exactBelow = 24;
const keptBits = 4;

/**
 * A document length after its round trip through Lucene's one-byte form (SmallFloat.intToByte4, as BM25Similarity uses
 * it): lengths below 24 are kept; of a longer one, what exceeds 24 is rounded down to its four highest bits.
 */
export function luceneLength(length: number): number {
  const excess = length - exactBelow;
  if (excess < 1 << keptBits) return length;
  const droppedBits = 32 - Math.clz32(excess) - keptBits;
  return exactBelow + ((excess >>> droppedBits) << droppedBits);
}
