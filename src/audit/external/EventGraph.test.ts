import { describe, expect, it } from 'vitest';
import { type DuplicateRule, EventGraphBuilder, keptConflicts } from './EventGraph.js';
import { graphOf } from './testing/graphs.js';

const at = (line: number, file = 0) => ({ file, line });

describe('EventGraphBuilder', () => {
  it('keeps what an event depends on in the order listed, over all its records, also before they are read', () => {
    const graph = graphOf(['a', 1, 'c', 'b'], ['b', 2], ['a', 1, 'd']);
    const a = graph.ids.find('a');
    const dependencies = graph.dependencies.subarray(graph.offsets[a], graph.offsets[a + 1]);
    expect([...dependencies].map((number) => graph.ids.idOf(number))).toEqual(['c', 'b', 'd']);
    expect(['a', 'b', 'c', 'd'].map((id) => graph.defined[graph.ids.find(id)])).toEqual([1, 1, 0, 0]);
    expect(graph.records).toBe(3);
    expect(graph.repeated).toBe(1);
  });

  it('takes a time from whichever record of an event has one', () => {
    const graph = graphOf(['a', undefined], ['a', 3], ['b', 4], ['b', undefined], ['c', undefined]);
    expect(['a', 'b', 'c'].map((id) => graph.observedAt[graph.ids.find(id)])).toEqual([3, 4, Number.NaN]);
    expect(graph.conflictCount).toBe(0);
  });

  it.each<[DuplicateRule, number]>([
    ['fault', 9],
    ['latest', 9],
    ['earliest', 3],
  ])('tells of two times for one event, and under the rule %s takes %d', (rule, taken) => {
    const builder = new EventGraphBuilder(rule);
    builder.add({ id: 'a', observedAt: 5, dependsOn: [] }, at(1));
    builder.add({ id: 'a', observedAt: 9, dependsOn: [] }, at(2));
    builder.add({ id: 'a', observedAt: 3, dependsOn: [] }, at(3, 1));
    const graph = builder.freeze();
    expect(graph.observedAt[0]).toBe(taken);
    expect(graph.conflictCount).toBe(2);
    expect(graph.conflicts[0]).toEqual({ event: 0, known: 5, other: 9, place: at(2) });
  });

  it('remembers where an event was first described, not where it was first named', () => {
    const graph = graphOf(['a', 1, 'b'], ['c', 1], ['b', 1], ['b', 1]);
    expect(graph.lines[graph.ids.find('b')]).toBe(3);
  });

  it('counts all conflicts and keeps a bounded number of them', () => {
    const builder = new EventGraphBuilder();
    for (let i = 0; i <= keptConflicts + 5; i++) builder.add({ id: 'a', observedAt: i, dependsOn: [] }, at(i + 1));
    const graph = builder.freeze();
    expect(graph.conflicts).toHaveLength(keptConflicts);
    expect(graph.conflictCount).toBe(keptConflicts + 5);
  });
});
