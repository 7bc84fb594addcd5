import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { closeOverDependencies, type DependencyClosure, type DependencyGraph, gap } from './dependencyClosure.js';
import { type ModelVersion, ownTime } from './modelVersion.js';

/** How far towards the present a version reaches, itself and all that it was made from. */
export interface ModelReach {
  /** Newest time among the version and its ancestors, frozen ones apart; -Infinity where none has one. */
  readonly newestAt: number;
  /** From the version along parents to the one that has that time. */
  readonly path: readonly ModelVersion[];
  /** An ancestor (or itself) that is not frozen and has no date, if there is one: nothing can be said of it. */
  readonly undated: ModelVersion | undefined;
  /** Those that are taken as they are, whatever their date: nothing historical is claimed of them. */
  readonly frozen: readonly ModelVersion[];
}

/**
 * A set of model versions that is closed under parents, and what may be asked of it. "May this θ be used at t?" is the
 * same question as for memory: is the newest time in the closure of its ancestors before t (PIT Discovery section 7)?
 */
export class ModelLineage {
  readonly versions: readonly ModelVersion[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #graph: DependencyGraph;
  readonly #closure: DependencyClosure;

  /** @throws InvalidArgumentError when two versions have one id, a parent is not among them, or ancestors form a cycle */
  constructor(versions: readonly ModelVersion[]) {
    this.versions = versions;
    this.#numbers = new Map(versions.map(({ id }, number) => [id, number]));
    if (this.#numbers.size !== versions.length) {
      const repeated = versions.find(({ id }, number) => this.#numbers.get(id) !== number)!;
      throw new InvalidArgumentError({ argument: 'models', value: repeated.id, expected: 'every version once' });
    }
    for (const { id, parents } of versions) {
      const stranger = parents.find((parent) => !this.#numbers.has(parent));
      if (stranger !== undefined) {
        const expected = 'a version that is registered as well';
        throw new InvalidArgumentError({ argument: `models: parent of ${id}`, value: stranger, expected });
      }
    }
    this.#graph = this.#graphOf();
    this.#closure = closeOverDependencies(this.#graph);
    const [cycle] = this.#closure.cycles;
    if (cycle !== undefined) {
      throw new InvalidArgumentError({
        argument: 'models: parents',
        value: Array.from(cycle, (number) => versions[number]!.id).join(' -> '),
        expected: 'versions that were made one after the other',
      });
    }
  }

  get(id: string): ModelVersion | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.versions[number];
  }

  /** The version and all its ancestors, itself first, then parents before their parents; each once. */
  withAncestors(id: string): ModelVersion[] {
    const found = new Set([this.#numberOf(id)]);
    for (const number of found) {
      for (const parent of this.versions[number]!.parents) found.add(this.#numbers.get(parent)!);
    }
    return Array.from(found, (number) => this.versions[number]!);
  }

  reach(id: string): ModelReach {
    const number = this.#numberOf(id);
    const { newest, newestEvent, towards, gaps } = this.#closure;
    const path = [this.versions[number]!];
    for (let at = number; at !== newestEvent[number]; at = towards[at]!) path.push(this.versions[towards[at]!]!);
    return {
      newestAt: newest[number]!,
      path,
      undated: gaps[number]! & gap.untimed ? this.#firstUndated(number) : undefined,
      frozen: this.withAncestors(id).filter(({ reading }) => reading === 'frozen'),
    };
  }

  #numberOf(id: string): number {
    const number = this.#numbers.get(id);
    if (number !== undefined) return number;
    throw new InvalidArgumentError({ argument: 'model', value: id, expected: 'the id of a registered version' });
  }

  /** What a frozen version was made from is as little a claim as the version itself: the walk ends there. */
  #graphOf(): DependencyGraph {
    const claimed = this.versions.map((version) => (version.reading === 'frozen' ? [] : version.parents));
    const offsets = new Uint32Array(claimed.length + 1);
    for (const [number, parents] of claimed.entries()) offsets[number + 1] = offsets[number]! + parents.length;
    return {
      size: claimed.length,
      observedAt: Float64Array.from(this.versions, (version) =>
        version.reading === 'frozen' ? Number.NEGATIVE_INFINITY : ownTime(version),
      ),
      defined: new Uint8Array(claimed.length).fill(1),
      offsets,
      dependencies: Uint32Array.from(claimed.flat(), (parent) => this.#numbers.get(parent)!),
    };
  }

  #firstUndated(number: number): ModelVersion | undefined {
    const { observedAt, offsets, dependencies } = this.#graph;
    const found = new Set([number]);
    for (const at of found) {
      if (Number.isNaN(observedAt[at]!)) return this.versions[at];
      for (const parent of dependencies.subarray(offsets[at]!, offsets[at + 1]!)) found.add(parent);
    }
    return undefined;
  }
}
