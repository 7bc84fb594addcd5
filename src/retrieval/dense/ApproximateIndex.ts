import { readFile, rename, rm } from 'node:fs/promises';
import type { Index } from 'usearch';
import { sha256Hex } from '../../commitment/sha256.js';
import { readIfPresent, writeFileAtomically } from '../../files/atomicFile.js';

/** Parameters of the graph (Malkov and Yashunin 2018): M, efConstruction, ef. Part of θ. */
export const graphParameters = { connectivity: 16, expansionAdd: 128, expansionSearch: 512 } as const;

/**
 * Approximate nearest neighbours by a hierarchical graph (usearch, half precision). It only proposes rows: whoever uses it
 * scores them exactly. Rows are added one by one in order, so the graph is a function of the vectors alone on a machine.
 */
export class ApproximateIndex {
  readonly size: number;
  readonly #index: Index;

  private constructor(index: Index, size: number) {
    this.#index = index;
    this.size = size;
  }

  /** @param matrix [size, dimension] row-major, rows of length 1 */
  static async build(matrix: Float32Array, dimension: number): Promise<ApproximateIndex> {
    const index = await emptyGraph(dimension);
    const size = matrix.length / dimension;
    const batch = 1024;
    for (let start = 0; start < size; start += batch) {
      const end = Math.min(size, start + batch);
      const keys = BigUint64Array.from({ length: end - start }, (_, at) => BigInt(start + at));
      index.add(keys, matrix.subarray(start * dimension, end * dimension), 1);
      // Lets a server answer others while a graph is built.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return new ApproximateIndex(index, size);
  }

  /** The index that a file holds; undefined where there is none, or it is not what was written. */
  static async load(path: string, dimension: number, size: number): Promise<ApproximateIndex | undefined> {
    const sha256 = (await readIfPresent(`${path}.sha256`))?.toString();
    if (sha256 === undefined) return undefined;
    const bytes = await readIfPresent(path);
    if (bytes === undefined || sha256Hex(bytes) !== sha256) return undefined;
    const index = await emptyGraph(dimension);
    index.load(path);
    return index.size() === size ? new ApproximateIndex(index, size) : undefined;
  }

  /** Writes the index; a crash leaves a file that `load` does not take. */
  async save(path: string): Promise<void> {
    const partial = `${path}.${process.pid}.partial`;
    try {
      this.#index.save(partial);
      const sha256 = sha256Hex(await readFile(partial));
      await rename(partial, path);
      await writeFileAtomically(`${path}.sha256`, sha256);
    } finally {
      await rm(partial, { force: true });
    }
  }

  /** Numbers of rows near a query, at most `count`, nearest first as far as the graph knows. */
  search(query: Float32Array, count: number): number[] {
    const { keys } = this.#index.search(query, Math.min(count, this.size), 1);
    return Array.from(keys, Number).filter((row) => row < this.size);
  }
}

async function emptyGraph(dimension: number): Promise<Index> {
  const { Index, MetricKind, ScalarKind } = await import('usearch');
  return new Index({
    dimensions: dimension,
    metric: MetricKind.Cos,
    quantization: ScalarKind.F16,
    connectivity: graphParameters.connectivity,
    expansion_add: graphParameters.expansionAdd,
    expansion_search: graphParameters.expansionSearch,
    multi: false,
  });
}
