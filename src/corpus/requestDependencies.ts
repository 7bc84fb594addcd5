import { type InputLocation, InvalidInputError } from '../errors/InvalidInputError.js';
import { closeOverDependencies } from '../lineage/dependencyClosure.js';
import type { Reject } from './dropped.js';

/** A record of a request, as far as dependencies go. */
interface DependentRecord {
  readonly id: string;
  readonly dependsOn?: readonly string[];
}

/** For each request (by its index) the requests whose events its own event was made from. */
export interface RequestDependencies {
  /** [requests + 1] start of each request's dependencies. */
  readonly offsets: Uint32Array;
  /** Request indices, in the order in which the record lists them. */
  readonly requests: Uint32Array;
}

/** Dependencies of `size` requests of which none has any. */
export function noDependencies(size: number): RequestDependencies {
  return { offsets: new Uint32Array(size + 1), requests: new Uint32Array(0) };
}

/**
 * Resolves `dependsOn` of the records at the places `kept`, numbering requests in that order.
 * @throws InvalidInputError for a dependency that no kept record has the id of
 */
export function resolveDependencies(records: readonly DependentRecord[], kept: readonly number[]): RequestDependencies {
  const numbers = new Map(kept.map((index, number) => [records[index]!.id, number]));
  const lists = kept.map((index) =>
    [...new Set(records[index]!.dependsOn ?? [])].map((id) => {
      const number = numbers.get(id);
      if (number !== undefined) return number;
      throw new InvalidInputError({ location: { file: 'requests' }, value: id, expected: 'the id of a request' });
    }),
  );
  const offsets = new Uint32Array(kept.length + 1);
  for (const [number, list] of lists.entries()) offsets[number + 1] = offsets[number]! + list.length;
  return { offsets, requests: Uint32Array.from(lists.flat()) };
}

/**
 * Drops the records whose ancestors cannot all be followed: one that depends on a request that is not there (or was
 * dropped itself), and those that depend on one another. What the missing one had seen is not known, so nothing that was
 * made from it may pass for past.
 * @returns the places that stay, in the order given
 */
export function dropUnresolvable(
  records: readonly DependentRecord[],
  kept: readonly number[],
  locate: (index: number) => InputLocation,
  reject: Reject,
): number[] {
  const cyclic = new Set(findCycles(records, kept).flat());
  let remaining = kept.filter((index) => {
    if (!cyclic.has(index)) return true;
    const { id, dependsOn } = records[index]!;
    const expected = `earlier requests only: request ${JSON.stringify(id)} comes, through others, to depend on itself`;
    const location = { ...locate(index), field: 'dependsOn' };
    reject('malformed', new InvalidInputError({ location, value: dependsOn, expected }));
    return false;
  });
  for (let count = -1; count !== remaining.length; ) {
    count = remaining.length;
    const ids = new Set(remaining.map((index) => records[index]!.id));
    remaining = remaining.filter((index) => {
      const { id, dependsOn = [] } = records[index]!;
      const unknown = dependsOn.findIndex((dependency) => !ids.has(dependency));
      if (unknown === -1) return true;
      const location = { ...locate(index), field: `dependsOn[${unknown}]` };
      const expected = `the id of a request, as what request ${JSON.stringify(id)} was made from`;
      reject('unknownDependency', new InvalidInputError({ location, value: dependsOn[unknown], expected }));
      return false;
    });
  }
  return remaining;
}

/** Places of the records that depend on one another, group by group. */
function findCycles(records: readonly DependentRecord[], kept: readonly number[]): number[][] {
  const known = new Set(kept.map((index) => records[index]!.id));
  const resolvable = records.map((record) => ({
    ...record,
    dependsOn: (record.dependsOn ?? []).filter((id) => known.has(id)),
  }));
  const { offsets, requests } = resolveDependencies(resolvable, kept);
  const size = kept.length;
  const graph = { size, observedAt: new Float64Array(size), defined: new Uint8Array(size).fill(1), offsets };
  const { cycles } = closeOverDependencies({ ...graph, dependencies: requests });
  return cycles.map((cycle) => Array.from(cycle, (number) => kept[number]!));
}
