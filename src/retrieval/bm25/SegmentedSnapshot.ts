import type { CollectionStatistics } from './CollectionStatistics.js';
import type { IndexSnapshot } from './IndexSnapshot.js';

/**
 * A snapshot of several indexes that are searched as one: of each a prefix, less its dead rows. Counts add up, so its
 * statistics are those of one index built from the live documents alone.
 */
export class SegmentedSnapshot implements CollectionStatistics {
  readonly parts: readonly IndexSnapshot[];
  /** [parts] number of each part's first row in the whole. */
  readonly firstRows: readonly number[];
  readonly documentCount: number;
  readonly averageLength: number;

  /** @param firstRows ascending, and far enough apart for the parts' rows; a number means the same row in any snapshot */
  constructor(parts: readonly IndexSnapshot[], firstRows: readonly number[]) {
    this.parts = parts;
    this.firstRows = firstRows;
    let documentCount = 0;
    let totalLength = 0;
    for (const part of parts) {
      documentCount += part.documentCount;
      totalLength += part.totalLength;
    }
    this.documentCount = documentCount;
    this.averageLength = documentCount === 0 ? 0 : totalLength / documentCount;
  }

  documentFrequencyOf(token: string): number {
    let count = 0;
    for (const part of this.parts) count += part.documentFrequencyOf(token);
    return count;
  }
}
