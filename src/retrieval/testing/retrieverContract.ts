import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { compareRanked, type RankedBlock, rankedRows, rankedScores } from '../ranking.js';
import type { Retriever } from '../retriever.js';

/** What the contract suite needs to know of an implementation. */
export interface RetrieverFixture {
  /** Builds the retriever anew, over the same snapshot each time. */
  readonly build: () => Retriever | Promise<Retriever>;
  /** Rows of the snapshot: list entries are below it. */
  readonly snapshotSize: number;
  /** [at least snapshotSize] rank of each row's id. */
  readonly idOrder: Uint32Array;
  /** At least three queries that match something, each a different text. */
  readonly queries: readonly string[];
  /** A query that matches nothing, where the implementation has one. */
  readonly unmatched?: string;
}

/** The rules of `Retriever`; every implementation runs them. */
export function describeRetriever(name: string, fixture: RetrieverFixture): void {
  const { queries, snapshotSize, idOrder } = fixture;
  const lists = (block: RankedBlock) =>
    Array.from(block.lengths.keys(), (query) => ({
      rows: [...rankedRows(block, query)],
      scores: [...rankedScores(block, query)],
    }));
  const rank = async (texts: readonly string[], depth?: number) =>
    lists(await (await fixture.build()).rankBlock(texts, depth));

  describe(`${name} as a retriever`, () => {
    it('gives lists in comparator order, each row once, of the snapshot alone', async () => {
      for (const { rows, scores } of await rank(queries)) {
        expect(rows.length).toBeGreaterThan(0);
        expect(new Set(rows).size).toBe(rows.length);
        for (const [at, row] of rows.entries()) {
          expect(row).toBeLessThan(snapshotSize);
          expect(Number.isFinite(scores[at])).toBe(true);
          if (at === 0) continue;
          const before = rows[at - 1]!;
          expect(compareRanked(scores[at - 1]!, idOrder[before]!, scores[at]!, idOrder[row]!)).toBeLessThan(0);
        }
      }
    });

    it('gives the first entries of the deeper list at a smaller depth, and no more than the depth', async () => {
      const deep = await rank(queries, snapshotSize + 5);
      for (const depth of [1, 2, 10]) {
        const cut = deep.map(({ rows, scores }) => ({ rows: rows.slice(0, depth), scores: scores.slice(0, depth) }));
        expect(await rank(queries, depth)).toEqual(cut);
      }
    });

    it('ranks each query of a block as if it were alone, whatever its neighbours', async () => {
      const together = await rank([...queries, ...queries.toReversed()]);
      const alone = (await Promise.all(queries.map((query) => rank([query])))).flat();
      expect(together).toEqual([...alone, ...alone.toReversed()]);
    });

    it('answers an empty block with an empty block', async () => {
      expect(await rank([])).toEqual([]);
    });

    it('has one id and one hash, however often it is built', async () => {
      const [first, second] = [await fixture.build(), await fixture.build()];
      expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
      expect([first.id, first.hash]).toEqual([second.id, second.hash]);
    });

    it('refuses a depth that is not a positive integer', async () => {
      const retriever = await fixture.build();
      for (const depth of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await expect(async () => retriever.rankBlock(queries, depth)).rejects.toThrow(InvalidArgumentError);
      }
    });

    it.skipIf(fixture.unmatched === undefined)(
      'gives an empty list where nothing matches, beside full ones (case 23)',
      async () => {
        const [first, none, last] = await rank([queries[0]!, fixture.unmatched!, queries[1]!]);
        expect(none).toEqual({ rows: [], scores: [] });
        expect(first!.rows.length * last!.rows.length).toBeGreaterThan(0);
      },
    );
  });
}
