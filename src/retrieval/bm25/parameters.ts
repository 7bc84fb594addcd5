import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';

/** Parameters of BM25. */
export interface Bm25Parameters {
  /** Saturation of term frequency, at least 0. */
  readonly k1: number;
  /** Strength of length normalisation, in [0, 1]. */
  readonly b: number;
  /**
   * `exact` document lengths, or `lucene`: rounded down as Lucene stores them in one byte, so that scores can be
   * compared with Lucene's. The average length is exact either way, as it is in Lucene.
   */
  readonly lengths: 'exact' | 'lucene';
}

/** The parameters of base retrieval (specification): k1 1.5, b 0.75, exact lengths. */
export const defaultBm25Parameters: Bm25Parameters = { k1: 1.5, b: 0.75, lengths: 'exact' };

/** @throws InvalidArgumentError when a parameter is out of its range */
export function checkBm25Parameters({ k1, b, lengths }: Bm25Parameters): void {
  if (!(k1 >= 0 && k1 < Number.POSITIVE_INFINITY)) {
    throw new InvalidArgumentError({ argument: 'k1', value: k1, expected: 'a finite number, at least 0' });
  }
  if (!(b >= 0 && b <= 1)) throw new InvalidArgumentError({ argument: 'b', value: b, expected: 'a number in 0..1' });
  if (lengths !== 'exact' && lengths !== 'lucene') {
    throw new InvalidArgumentError({ argument: 'lengths', value: lengths, expected: '`exact` or `lucene`' });
  }
}
