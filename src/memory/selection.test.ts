import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Condition, conditionsFor, future, naive, pit } from './conditions.js';
import { type AnchorClock, isEligible, temporalViolationRate } from './eligibility.js';
import { NaiveMemory } from './naive.js';
import { NestedSelector, newSelection, type Selection } from './selection.js';

interface Log {
  requestAt: Uint32Array;
  positionOf: Uint32Array;
  observedAt: Float64Array;
  dependencyAt: Float64Array;
}

/** Selection straight from the definition: filter by the predicate, sort, cut. */
function selectSlowly(
  condition: Condition,
  anchor: AnchorClock,
  log: Log,
  similarities: Float64Array,
  capacity: number,
) {
  return [...log.requestAt.keys()]
    .filter((position) => isEligible(condition, anchor, position, log.dependencyAt[position]!))
    .map((position) => ({ position, similarity: similarities[log.requestAt[position]!]! }))
    .filter(({ similarity }) => similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || a.position - b.position)
    .slice(0, capacity);
}

function entries(selection: Selection) {
  return Array.from({ length: selection.count }, (_, k) => ({
    position: selection.positions[k]!,
    similarity: selection.similarities[k]!,
  }));
}

function anchorAt(log: Log, position: number): AnchorClock {
  return { position, observedAt: log.observedAt[position]! };
}

/** Streams of up to 40 events with few distinct similarities and clocks, so that ties are everywhere. */
const streams = fc.integer({ min: 1, max: 40 }).chain((size) =>
  fc.record({
    order: fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
    gaps: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: size, maxLength: size }),
    delays: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: size, maxLength: size }),
    similarities: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: size, maxLength: size }),
    anchor: fc.nat({ max: size - 1 }),
    capacity: fc.integer({ min: 1, max: 12 }),
    horizons: fc.uniqueArray(fc.integer({ min: 1, max: 45 }), { maxLength: 4 }),
  }),
);

function logOf(stream: { order: number[]; gaps: number[]; delays: number[] }): Log {
  let clock = 0;
  const observedAt = Float64Array.from(stream.gaps, (gap) => (clock += gap));
  return {
    requestAt: Uint32Array.from(stream.order),
    positionOf: Uint32Array.from(stream.order, (_, request) => stream.order.indexOf(request)),
    observedAt,
    dependencyAt: observedAt.map((observed, position) => observed + stream.delays[position]!),
  };
}

describe('NestedSelector', () => {
  it('selects for every view what the predicate and a full sort select, with ties in clocks and similarities', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const log = logOf(stream);
        const conditions = conditionsFor(stream.horizons);
        const similarities = Float64Array.from(stream.similarities, (level) => level / 4);
        const anchor = anchorAt(log, stream.anchor);
        const selector = new NestedSelector(stream.capacity, conditions);
        selector.select(anchor, similarities, log, log.dependencyAt);
        for (const condition of conditions) {
          if (condition.kind === 'stateless' || condition.kind === 'naive') continue;
          const expected = selectSlowly(condition, anchor, log, similarities, stream.capacity);
          expect(entries(selector.view(condition.name)), condition.name).toEqual(expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('says that a view equals the narrower one exactly when their entries do', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const log = logOf(stream);
        const selector = new NestedSelector(stream.capacity, conditionsFor(stream.horizons));
        const similarities = Float64Array.from(stream.similarities, (level) => level / 4);
        selector.select(anchorAt(log, stream.anchor), similarities, log, log.dependencyAt);
        for (const [index, name] of selector.viewNames.entries()) {
          if (index === 0) continue;
          const same = (view: string) => JSON.stringify(entries(selector.view(view)));
          expect(selector.equalsNarrower(name)).toBe(same(name) === same(selector.viewNames[index - 1]!));
        }
      }),
    );
  });
});

describe('NaiveMemory', () => {
  it('looks up what the Future view selects', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const log = logOf(stream);
        const similarities = Float64Array.from(stream.similarities, (level) => level / 4);
        const memory = new NaiveMemory(log.positionOf, stream.capacity);
        memory.materialise(similarities);
        const looked = newSelection(stream.capacity);
        memory.lookup(stream.anchor, looked);
        const anchor = anchorAt(log, stream.anchor);
        expect(entries(looked)).toEqual(selectSlowly(future, anchor, log, similarities, stream.capacity));
      }),
      { numRuns: 500 },
    );
  });
});

describe('eligibility', () => {
  const anchor: AnchorClock = { position: 5, observedAt: 1_000 };

  it('is strict: an event at the anchor’s own instant is not memory, whatever its position (case 9)', () => {
    expect(isEligible(pit, anchor, 4, 1_000)).toBe(false);
    expect(isEligible(pit, anchor, 6, 1_000)).toBe(false);
    expect(isEligible(pit, anchor, 4, 999)).toBe(true);
  });

  it('does not count feedback on an earlier request that was observed after the anchor (case 10)', () => {
    const clickObservedAt = 1_500;
    expect(isEligible(pit, anchor, 3, clickObservedAt)).toBe(false);
    expect(isEligible(future, anchor, 3, clickObservedAt)).toBe(true);
  });

  it('splits identical timestamps around an anchor the same way every time: none of them is past (case 32)', () => {
    const instants = [900, 1_000, 1_000, 1_000, 1_100];
    const past = instants.map((at, position) => isEligible(pit, { position: 2, observedAt: 1_000 }, position, at));
    expect(past).toEqual([true, false, false, false, false]);
  });

  it('never lets the anchor see its own event', () => {
    for (const condition of [...conditionsFor([10]), naive]) expect(isEligible(condition, anchor, 5, 0)).toBe(false);
  });

  it('rates violations by the share of selected entries not strictly before the anchor; 0 of none is 0', () => {
    expect(temporalViolationRate(anchor, [], 0)).toBe(0);
    expect(temporalViolationRate(anchor, [1, 999, 1_000, 2_000], 4)).toBe(0.5);
  });
});
