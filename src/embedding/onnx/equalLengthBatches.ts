/** Texts that go through the model together. */
export interface Batch {
  /** Tokens of each text of the batch. */
  readonly length: number;
  /** Indices of the texts. */
  readonly texts: readonly number[];
}

/**
 * Groups texts of equal length, so that no text is padded and none can feel its neighbours; shortest first. Texts of
 * length 0 are left out.
 * @param lengths [texts] tokens of each text
 * @param tokensPerBatch bound on the tokens of a batch; a longer text is a batch of its own
 */
export function equalLengthBatches(lengths: ArrayLike<number>, tokensPerBatch: number): Batch[] {
  const order = Array.from({ length: lengths.length }, (_, text) => text)
    .filter((text) => lengths[text]! > 0)
    .sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  const batches: Batch[] = [];
  for (let start = 0; start < order.length; ) {
    const length = lengths[order[start]!]!;
    const most = Math.max(1, Math.floor(tokensPerBatch / length));
    let end = start + 1;
    while (end < order.length && end - start < most && lengths[order[end]!] === length) end++;
    batches.push({ length, texts: order.slice(start, end) });
    start = end;
  }
  return batches;
}
