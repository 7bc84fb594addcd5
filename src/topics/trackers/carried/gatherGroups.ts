import { innerProduct } from '../../../retrieval/dense/cosine.js';

/** Documents compared with each other at a time: bounds time and memory by a multiple of the documents. */
const documentsPerBlock = 1024;

/**
 * Gathers documents into groups of like ones: the document with the most neighbours (cosine at least `similarity`) and
 * they are a group, then the one with the most of those left, until none is left. Of equals the earlier document comes
 * first. Long lists go in blocks, and a document joins the first document of an earlier block's group that it neighbours.
 *
 * @param vectors [documents, dimension] row-major, of length 1
 * @param rows documents to gather
 * @returns groups of rows, the middle document first
 */
export function gatherGroups(
  vectors: Float32Array,
  dimension: number,
  rows: readonly number[],
  similarity: number,
): number[][] {
  const groups: number[][] = [];
  const cosine = (a: number, b: number) => innerProduct(vectors, a * dimension, vectors, b * dimension, dimension);
  for (let start = 0; start < rows.length; start += documentsPerBlock) {
    const earlier = groups.length;
    const left = rows.slice(start, start + documentsPerBlock).filter((row) => {
      const joined = groups.slice(0, earlier).find((group) => cosine(group[0]!, row) >= similarity);
      joined?.push(row);
      return joined === undefined;
    });
    groups.push(...gatherBlock(left, (a, b) => cosine(a, b) >= similarity));
  }
  return groups;
}

function gatherBlock(rows: readonly number[], areNeighbours: (a: number, b: number) => boolean): number[][] {
  const count = rows.length;
  const neighbours: number[][] = rows.map(() => []);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < a; b++) {
      if (!areNeighbours(rows[a]!, rows[b]!)) continue;
      neighbours[a]!.push(b);
      neighbours[b]!.push(a);
    }
  }
  const free = new Uint8Array(count).fill(1);
  const degree = Uint32Array.from(neighbours, (list) => list.length);
  const groups: number[][] = [];
  for (let left = count; left > 0; ) {
    let middle = -1;
    for (let i = 0; i < count; i++) {
      if (free[i] === 1 && (middle < 0 || degree[i]! > degree[middle]!)) middle = i;
    }
    const members = [middle, ...neighbours[middle]!.filter((i) => free[i] === 1).sort((a, b) => a - b)];
    for (const member of members) free[member] = 0;
    for (const member of members) for (const other of neighbours[member]!) degree[other]!--;
    groups.push(members.map((member) => rows[member]!));
    left -= members.length;
  }
  return groups;
}
