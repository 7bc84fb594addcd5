import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Products } from '../../corpus/products.js';
import type { RankedBlock } from '../../retrieval/ranking.js';
import { type MechanismContext, type MemoryMechanism, newMechanismOutput } from '../mechanisms/mechanism.js';

export interface MechanismWorld {
  readonly context: MechanismContext;
  readonly products: Products;
  readonly assets: number;
  readonly requests: number;
}

/** A small random world: base lists, traces and products over a few assets. */
export const mechanismWorlds: fc.Arbitrary<MechanismWorld> = fc
  .record({ assets: fc.integer({ min: 1, max: 30 }), requests: fc.integer({ min: 1, max: 8 }) })
  .chain(({ assets, requests }) =>
    fc
      .record({
        lists: fc.array(fc.shuffledSubarray([...Array(assets).keys()]), { minLength: requests, maxLength: requests }),
        gold: fc.array(fc.subarray([...Array(assets).keys()], { minLength: 1 }), {
          minLength: requests,
          maxLength: requests,
        }),
        idOrder: fc.shuffledSubarray([...Array(assets).keys()], { minLength: assets }),
        traceDepth: fc.integer({ min: 1, max: 12 }),
      })
      .map(({ lists, gold, idOrder, traceDepth }) => ({
        assets,
        requests,
        context: { traces: blockOf(lists, assets), traceDepth, idOrder: Uint32Array.from(idOrder) },
        products: productsOf(gold),
      })),
  );

export function blockOf(lists: readonly (readonly number[])[], depth: number): RankedBlock {
  const block = {
    depth,
    lengths: Uint32Array.from(lists, (list) => list.length),
    rows: new Uint32Array(lists.length * depth),
    scores: new Float64Array(lists.length * depth),
  };
  for (const [request, list] of lists.entries()) {
    block.rows.set(list, request * depth);
    block.scores.set(
      list.map((_, rank) => list.length - rank),
      request * depth,
    );
  }
  return block;
}

export function productsOf(gold: readonly (readonly number[])[]): Products {
  const offsets = new Uint32Array(gold.length + 1);
  for (const [request, rows] of gold.entries()) offsets[request + 1] = offsets[request]! + rows.length;
  return { offsets, rows: Uint32Array.from(gold.flatMap((rows) => [...rows].sort((a, b) => a - b))) };
}

/** Runs a mechanism over entries given as [request, similarity] pairs; returns ranked rows and scores. */
export function rankWith(
  mechanism: MemoryMechanism,
  options: {
    base: readonly number[];
    entries: readonly (readonly [request: number, similarity: number])[];
    outputDepth: number;
    visibleRows?: number;
  },
) {
  const output = newMechanismOutput(options.outputDepth);
  mechanism.rank(
    {
      baseRows: Uint32Array.from(options.base),
      entryCount: options.entries.length,
      entryRequests: Uint32Array.from(options.entries, ([request]) => request),
      entrySimilarities: Float64Array.from(options.entries, ([, similarity]) => similarity),
      visibleRows: options.visibleRows ?? Number.MAX_SAFE_INTEGER,
    },
    output,
  );
  return {
    rows: Array.from(output.rows.subarray(0, output.length)),
    scores: Array.from(output.scores.subarray(0, output.length)),
  };
}

/** Entries of one view, as `rankWith` takes them. */
type Entries = readonly (readonly [request: number, similarity: number])[];

/** Ranks several views at once; `entries` come with the views that selected them. */
function rankViewsWith(
  mechanism: MemoryMechanism,
  options: {
    base: readonly number[];
    entries: readonly (readonly [request: number, similarity: number, views: number])[];
    outputDepth: number;
    visibleRows: number;
    views: number;
  },
) {
  const outputs = Array.from({ length: options.views }, () => newMechanismOutput(options.outputDepth));
  mechanism.rankViews?.(
    {
      baseRows: Uint32Array.from(options.base),
      entryCount: options.entries.length,
      entryRequests: Uint32Array.from(options.entries, ([request]) => request),
      entrySimilarities: Float64Array.from(options.entries, ([, similarity]) => similarity),
      entryViews: Uint32Array.from(options.entries, ([, , views]) => views),
      visibleRows: options.visibleRows,
    },
    outputs,
  );
  return outputs.map(({ rows, scores, length }) => ({
    rows: Array.from(rows.subarray(0, length)),
    scores: Array.from(scores.subarray(0, length)),
  }));
}

/** What every memory mechanism must keep. */
export function mechanismContract(name: string, create: (world: MechanismWorld) => MemoryMechanism): void {
  const calls = mechanismWorlds
    .chain((world) =>
      fc.record({
        world: fc.constant(world),
        base: fc.shuffledSubarray([...Array(world.assets).keys()]),
        entries: fc.array(
          fc.tuple(fc.nat({ max: world.requests - 1 }), fc.double({ min: 0.01, max: 1, noNaN: true })),
          {
            maxLength: 6,
          },
        ),
        outputDepth: fc.integer({ min: 1, max: world.assets }),
        visibleRows: fc.integer({ min: 0, max: world.assets }),
      }),
    )
    // A base list holds what was available.
    .map(({ base, ...call }) => ({ ...call, base: base.filter((row) => row < call.visibleRows) }));

  describe(`${name} keeps the mechanism contract`, () => {
    it('leaves the base list as it is when nothing was selected', () => {
      fc.assert(
        fc.property(calls, ({ world, base, outputDepth }) => {
          const { rows } = rankWith(create(world), { base, entries: [], outputDepth });
          expect(rows).toEqual(base.slice(0, outputDepth));
        }),
      );
    });

    it('returns distinct rows with finite, descending scores, at most as many as asked', () => {
      fc.assert(
        fc.property(calls, ({ world, ...call }) => {
          const { rows, scores } = rankWith(create(world), call);
          expect(rows.length).toBeLessThanOrEqual(call.outputDepth);
          expect(new Set(rows).size).toBe(rows.length);
          for (const [i, score] of scores.entries()) {
            expect(Number.isFinite(score)).toBe(true);
            if (i > 0) expect(score).toBeLessThanOrEqual(scores[i - 1]!);
          }
        }),
      );
    });

    it('never brings in an asset that was not yet available', () => {
      fc.assert(
        fc.property(calls, ({ world, ...call }) => {
          const { rows } = rankWith(create(world), call);
          expect(rows.every((row) => row < call.visibleRows)).toBe(true);
        }),
      );
    });

    it('is deterministic, and remembers nothing from one anchor to the next', () => {
      fc.assert(
        fc.property(calls, calls, (first, second) => {
          const fresh = rankWith(create(first.world), first);
          const used = create(first.world);
          const entries = second.entries.map(([request, s]) => [request % first.world.requests, s] as const);
          const visibleRows = Math.min(second.visibleRows, first.world.assets);
          const base = second.base.filter((row) => row < visibleRows);
          rankWith(used, { ...second, base, entries, visibleRows });
          expect(rankWith(used, first)).toEqual(fresh);
        }),
      );
    });

    it('ranks views together as each alone, to the bit, if it ranks views together', () => {
      const viewCalls = calls.chain((call) =>
        fc.record({
          call: fc.constant(call),
          // Some similarities are so small that their squares are 0.
          factors: fc.array(fc.constantFrom(1, 1e-170), { minLength: 6, maxLength: 6 }),
          views: fc.integer({ min: 1, max: 8 }),
          selectedBy: fc.array(fc.nat({ max: 255 }), {
            minLength: call.entries.length,
            maxLength: call.entries.length,
          }),
        }),
      );
      fc.assert(
        fc.property(viewCalls, viewCalls, (first, second) => {
          const mechanism = create(first.call.world);
          if (mechanism.rankViews === undefined) return;
          for (const { call, views, selectedBy, factors } of [first, second]) {
            if (call.world.assets > first.call.world.assets) return;
            const entries = call.entries.map(
              ([request, s], k) => [request % first.call.world.requests, s * factors[k]!, selectedBy[k]!] as const,
            );
            const together = rankViewsWith(mechanism, { ...call, entries, views });
            for (const [view, ranked] of together.entries()) {
              const own: Entries = entries.filter(([, , by]) => (by >>> view) & 1).map(([request, s]) => [request, s]);
              expect(ranked).toEqual(rankWith(create(first.call.world), { ...call, entries: own }));
            }
          }
        }),
      );
    });

    it('cuts a longer ranking to get a shorter one', () => {
      fc.assert(
        fc.property(calls, ({ world, ...call }) => {
          const long = rankWith(create(world), { ...call, outputDepth: world.assets });
          expect(rankWith(create(world), call).rows).toEqual(long.rows.slice(0, call.outputDepth));
        }),
      );
    });
  });
}
