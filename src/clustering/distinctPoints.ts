import { gatherRows, type Points } from './types.js';

/** The distinct points of a matrix, each standing for all its copies. */
export interface DistinctPoints extends Points {
  /** [count] how many points each stands for. */
  readonly weights: Float64Array;
  /** [original count] the distinct point that each original point equals. */
  readonly groupOf: Uint32Array;
}

/**
 * Finds points with equal coordinates (0 and -0 are equal), numbered in order of first occurrence. When all are distinct
 * the matrix is shared, not copied.
 */
export function distinctPoints({ matrix, count, dimension }: Points): DistinctPoints {
  const words = new Uint32Array(matrix.buffer, matrix.byteOffset, matrix.length);
  const groupOf = new Uint32Array(count);
  const firsts: number[] = [];
  /** Last distinct point of each hash; `previous` chains the earlier ones. */
  const byHash = new Map<number, number>();
  const previous: number[] = [];
  for (let point = 0; point < count; point++) {
    const start = point * dimension;
    const hash = hashRow(words, start, dimension);
    let group = byHash.get(hash) ?? -1;
    while (group >= 0 && !equalRows(matrix, firsts[group]! * dimension, start, dimension)) group = previous[group]!;
    if (group < 0) {
      group = firsts.push(point) - 1;
      previous.push(byHash.get(hash) ?? -1);
      byHash.set(hash, group);
    }
    groupOf[point] = group;
  }
  const weights = new Float64Array(firsts.length);
  for (const group of groupOf) weights[group]!++;
  const shared = firsts.length === count;
  return {
    matrix: shared ? matrix : gatherRows({ matrix, count, dimension }, firsts),
    count: firsts.length,
    dimension,
    weights,
    groupOf,
  };
}

/** FNV-1a over the words of a row, with -0 as 0. */
function hashRow(words: Uint32Array, start: number, dimension: number): number {
  const negativeZero = 0x80000000;
  let hash = 0x811c9dc5;
  for (let i = start; i < start + dimension; i++) {
    const word = words[i]!;
    hash = Math.imul(hash ^ (word === negativeZero ? 0 : word), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash;
}

function equalRows(matrix: Float32Array, a: number, b: number, dimension: number): boolean {
  for (let i = 0; i < dimension; i++) if (matrix[a + i] !== matrix[b + i]) return false;
  return true;
}
