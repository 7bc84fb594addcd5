import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { rankedRows, rankedScores } from '../ranking.js';
import { DenseIndex, type DenseRows, type DenseSearchOptions } from './DenseIndex.js';
import { plainSearch } from './plainSearch.js';

/** Few distinct values, so that equal and nearly equal scores are common. */
const coordinate = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom(1 / 3, 0.1, 0.7, 1 + 2 ** -23, 1 - 2 ** -24),
);

const collection = fc.integer({ min: 1, max: 9 }).chain((dimension) =>
  fc.record({
    dimension: fc.constant(dimension),
    vectors: fc.array(fc.array(coordinate, { minLength: dimension, maxLength: dimension }), { maxLength: 40 }),
    queries: fc.array(fc.array(coordinate, { minLength: dimension, maxLength: dimension }), { maxLength: 5 }),
    depth: fc.integer({ min: 0, max: 12 }),
    scoresPerBlock: fc.constantFrom(1, 7, 64, 100_000),
    absent: fc.func(fc.boolean()),
    ineligible: fc.option(fc.func(fc.boolean())),
    prefix: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

function rowsOf(
  vectors: readonly (readonly number[])[],
  dimension: number,
  absent: (row: number) => boolean,
): DenseRows {
  const present = Uint8Array.from(vectors, (_, row) => (absent(row) ? 0 : 1));
  return {
    matrix: Float32Array.from(vectors.flat()),
    dimension,
    present,
    // Any permutation: 7 and 41 have no common divisor with the small sizes used here.
    idOrder: Uint32Array.from(vectors, (_, row) => (row * 7919 + 3) % 104_729),
  };
}

const copyOf = (rows: DenseRows): DenseRows => ({ ...rows, matrix: Float32Array.from(rows.matrix) });

/** Many directions that nearly coincide: the float32 scores of most are within rounding of each other. */
function crowdedRows(count: number, dimension: number): DenseRows {
  const vectors = Array.from({ length: count }, (_, row) =>
    Array.from({ length: dimension }, (__, i) => Math.fround(Math.sin(i + 1) + ((row * 37 + i * 11) % 5) * 2 ** -22)),
  );
  return rowsOf(vectors, dimension, (row) => row % 17 === 5);
}

describe('DenseIndex', () => {
  const opened: DenseIndex[] = [];
  async function create(rows: DenseRows, threads = 1): Promise<DenseIndex> {
    const index = await DenseIndex.create(rows, { threads });
    opened.push(index);
    return index;
  }
  afterAll(async () => {
    for (const index of opened) await index.close();
  });

  it('equals a search without a native kernel, bit for bit, for any prefix, ties, gaps and block size', async () => {
    await fc.assert(
      fc.asyncProperty(collection, async ({ vectors, queries, dimension, depth, scoresPerBlock, ...some }) => {
        const rows = rowsOf(vectors, dimension, some.absent);
        const ineligible = some.ineligible;
        const options: DenseSearchOptions = {
          depth,
          rows: Math.floor(some.prefix * vectors.length),
          eligible: ineligible === null ? undefined : Uint8Array.from(vectors, (_, row) => (ineligible(row) ? 0 : 1)),
        };
        const block = Float32Array.from(queries.flat());
        const expected = plainSearch(rows, block, options);
        const index = await create(copyOf(rows));
        expect(await index.search(block, { ...options, scoresPerBlock })).toEqual(expected);
        await opened.pop()!.close();
      }),
      { numRuns: 150 },
    );
  });

  it('does not depend on threads or blocks where hundreds of scores lie within rounding of the cut-off', async () => {
    const rows = crowdedRows(3000, 96);
    const queries = Float32Array.from({ length: 3 * 96 }, (_, i) => Math.sin((i % 96) + 1) + (i % 7) * 1e-3);
    const expected = plainSearch(rows, queries, { depth: 50 });
    const spread = rankedScores(expected, 0)[0]! - rankedScores(expected, 0)[49]!;
    expect(spread).toBeLessThan(1e-6);
    for (const threads of [1, 2, 4]) {
      const index = await create(copyOf(rows), threads);
      for (const scoresPerBlock of [50, 1000, 1_000_000]) {
        expect(await index.search(queries, { depth: 50, scoresPerBlock })).toEqual(expected);
      }
    }
  });

  it('ranks all copies of one vector by id order, and cuts there (case 21)', async () => {
    const vectors = Array.from({ length: 2000 }, () => [1, 2, 2]);
    const rows = rowsOf(vectors, 3, () => false);
    const index = await create(copyOf(rows));
    const ranking = await index.search(Float32Array.of(1, 2, 2), { depth: 5 });
    const byId = [...vectors.keys()].sort((a, b) => rows.idOrder[a]! - rows.idOrder[b]!);
    expect([...rankedRows(ranking, 0)]).toEqual(byId.slice(0, 5));
    expect([...rankedScores(ranking, 0)]).toEqual([1, 1, 1, 1, 1]);
  });

  it('as of t equals an index that was built from the rows of t alone, for every t', async () => {
    const rows = crowdedRows(60, 8);
    const queries = Float32Array.from({ length: 2 * 8 }, (_, i) => Math.cos(i));
    const whole = await create(copyOf(rows));
    for (let prefix = 0; prefix <= 60; prefix++) {
      const then = await create({
        matrix: rows.matrix.slice(0, prefix * 8),
        dimension: 8,
        present: rows.present.slice(0, prefix),
        idOrder: rows.idOrder.slice(0, prefix),
      });
      const asOf = await whole.search(queries, { depth: 10, rows: prefix });
      expect(asOf).toEqual(await then.search(queries, { depth: 10 }));
    }
  });

  it('never ranks a zero vector or a row without one, and counts them (case 24)', async () => {
    const rows = rowsOf(
      [
        [0, 0],
        [1, 0],
        [-1, 0],
        [0, -0],
        [5, 5],
      ],
      2,
      (row) => row === 4,
    );
    const index = await create(rows);
    expect(index).toMatchObject({ size: 5, zeroRows: 2, absentRows: 1 });
    const ranking = await index.search(Float32Array.of(2, 0, 0, 0), { depth: 5 });
    expect([...rankedRows(ranking, 0)]).toEqual([1, 2]);
    expect([...rankedScores(ranking, 0)]).toEqual([1, -1]);
    expect([...rankedRows(ranking, 1)]).toEqual([]);
  });

  it('answers from an empty collection and an empty prefix with empty lists', async () => {
    const none = await create(rowsOf([], 2, () => false));
    expect([...(await none.search(Float32Array.of(1, 0), { depth: 3 })).lengths]).toEqual([0]);
    const one = await create(rowsOf([[1, 1]], 2, () => false));
    expect([...(await one.search(Float32Array.of(1, 0), { depth: 3, rows: 0 })).lengths]).toEqual([0]);
    expect(await one.search(new Float32Array(0), { depth: 3 })).toMatchObject({
      depth: 3,
      lengths: new Uint32Array(0),
    });
  });

  it('refuses what does not fit together, and numbers that are not finite', async () => {
    const rows = rowsOf(
      [
        [1, 0],
        [0, 1],
      ],
      2,
      () => false,
    );
    const index = await create(copyOf(rows));
    const query = Float32Array.of(1, 0);
    await expect(index.search(Float32Array.of(1), { depth: 1 })).rejects.toThrow(InvalidArgumentError);
    await expect(index.search(query, { depth: 1, rows: 3 })).rejects.toThrow(
      /rows: got 3, expected an integer in 0\.\.2/,
    );
    await expect(index.search(query, { depth: -1 })).rejects.toThrow(/depth: got -1/);
    await expect(index.search(query, { depth: 1, eligible: new Uint8Array(1) })).rejects.toThrow(/eligible: got 1/);
    await expect(index.search(Float32Array.of(Number.NaN, 0), { depth: 1 })).rejects.toThrow(/row 0/);
    await expect(DenseIndex.create({ ...rows, present: new Uint8Array(1) })).rejects.toThrow(InvalidArgumentError);
    await expect(DenseIndex.create({ ...rows, matrix: Float32Array.of(1, 0, Number.NaN, 0) })).rejects.toThrow(/row 1/);
  });
});
