import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeOverDependencies, gap } from '../../lineage/dependencyClosure.js';
import { EventGraphBuilder, type EventRecord } from './EventGraph.js';
import { ancestorsOf, graphOf } from './testing/graphs.js';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const event: fc.Arbitrary<EventRecord> = fc.record({
  id: fc.constantFrom(...names),
  observedAt: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined }),
  dependsOn: fc.array(fc.constantFrom(...names, 'h', 'i'), { maxLength: 3 }),
});
const events = fc.uniqueArray(event, { selector: ({ id }) => id, maxLength: names.length });

describe('closeOverDependencies', () => {
  it('gives the newest time among all ancestors, and every gap among them, on any graph, cycles included', {
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(events, (records) => {
        const builder = new EventGraphBuilder();
        for (const [index, record] of records.entries()) builder.add(record, { file: 0, line: index + 1 });
        const graph = builder.freeze();
        const closure = closeOverDependencies(graph);
        for (let number = 0; number < graph.size; number++) {
          const id = graph.ids.idOf(number);
          const ancestors = ancestorsOf(id, records);
          let newest = Number.NEGATIVE_INFINITY;
          let gaps = 0;
          for (const ancestor of ancestors) {
            const record = records.find((candidate) => candidate.id === ancestor);
            newest = Math.max(newest, record?.observedAt ?? Number.NEGATIVE_INFINITY);
            if (record === undefined) gaps |= gap.unknown;
            else if (record.observedAt === undefined) gaps |= gap.untimed;
            const isCyclic = record?.dependsOn.some((next) => ancestorsOf(next, records).has(ancestor));
            if (isCyclic) gaps |= gap.cyclic;
          }
          expect(closure.newest[number]).toBe(newest);
          expect(closure.gaps[number]).toBe(gaps);
          if (newest > Number.NEGATIVE_INFINITY) {
            expect(graph.observedAt[closure.newestEvent[number]!]).toBe(newest);
            expect(ancestors).toContain(graph.ids.idOf(closure.newestEvent[number]!));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leads along dependencies to the newest ancestor, in the counted number of steps', () => {
    fc.assert(
      fc.property(events, (records) => {
        const builder = new EventGraphBuilder();
        for (const record of records) builder.add(record, { file: 0, line: 1 });
        const graph = builder.freeze();
        const closure = closeOverDependencies(graph);
        for (let start = 0; start < graph.size; start++) {
          let at = start;
          let steps = 0;
          for (; closure.towards[at] !== at; at = closure.towards[at]!, steps++) {
            const isCyclic = (closure.gaps[at]! & gap.cyclic) !== 0;
            const dependencies = graph.dependencies.subarray(graph.offsets[at]!, graph.offsets[at + 1]!);
            expect(isCyclic || dependencies.includes(closure.towards[at]!)).toBe(true);
          }
          expect(at).toBe(closure.newestEvent[start]);
          expect(steps).toBe(closure.steps[start]);
        }
      }),
    );
  });

  it('finds a cycle in each group of events that depend on one another, and only there', () => {
    fc.assert(
      fc.property(events, (records) => {
        const builder = new EventGraphBuilder();
        for (const record of records) builder.add(record, { file: 0, line: 1 });
        const graph = builder.freeze();
        const { cycles, cycleCount } = closeOverDependencies(graph);
        expect(cycles).toHaveLength(cycleCount);
        for (const cycle of cycles) {
          for (const [index, member] of cycle.entries()) {
            const next = cycle[(index + 1) % cycle.length]!;
            const dependencies = graph.dependencies.subarray(graph.offsets[member]!, graph.offsets[member + 1]!);
            expect(dependencies).toContain(next);
          }
        }
        const isCyclic = records.some(({ id, dependsOn }) =>
          dependsOn.some((next) => ancestorsOf(next, records).has(id)),
        );
        expect(cycleCount > 0).toBe(isCyclic);
      }),
    );
  });

  it('walks a chain of a million events without recursion, whichever end comes first', { timeout: 60_000 }, () => {
    const length = 1_000_000;
    for (const forwards of [true, false]) {
      const builder = new EventGraphBuilder();
      for (let i = 0; i < length; i++) {
        const n = forwards ? i : length - 1 - i;
        builder.add(
          { id: `e${n}`, observedAt: n === 0 ? 7 : -n, dependsOn: n === 0 ? [] : [`e${n - 1}`] },
          { file: 0, line: i + 1 },
        );
      }
      const graph = builder.freeze();
      const closure = closeOverDependencies(graph);
      const last = graph.ids.find(`e${length - 1}`);
      expect(closure.newest[last]).toBe(7);
      expect(graph.ids.idOf(closure.newestEvent[last]!)).toBe('e0');
      expect(closure.steps[last]).toBe(length - 1);
      expect(closure.cycleCount).toBe(0);
    }
  });

  it('names a cycle of a million events, and an event that depends on itself', { timeout: 60_000 }, () => {
    const length = 1_000_000;
    const builder = new EventGraphBuilder();
    for (let i = 0; i < length; i++) {
      builder.add({ id: `e${i}`, observedAt: i, dependsOn: [`e${(i + 1) % length}`] }, { file: 0, line: i + 1 });
    }
    builder.add({ id: 'self', observedAt: 1, dependsOn: ['self'] }, { file: 0, line: length + 1 });
    const graph = builder.freeze();
    const closure = closeOverDependencies(graph);
    expect(closure.cycles.map((cycle) => cycle.length)).toEqual([length, 1]);
    expect(closure.newest[0]).toBe(length - 1);
    expect(closure.gaps[graph.ids.find('self')]).toBe(gap.cyclic);
  });

  it('prefers the event itself to an ancestor of the same time, and the first listed of two', () => {
    const graph = graphOf(['a', 5, 'b'], ['b', 5], ['c', 1, 'd', 'b'], ['d', 5]);
    const { newestEvent } = closeOverDependencies(graph);
    expect(graph.ids.idOf(newestEvent[graph.ids.find('a')]!)).toBe('a');
    expect(graph.ids.idOf(newestEvent[graph.ids.find('c')]!)).toBe('d');
  });

  it('takes an empty log', () => {
    expect(closeOverDependencies(graphOf()).cycleCount).toBe(0);
  });
});
