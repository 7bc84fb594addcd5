import { type Products, productOf } from '../corpus/products.js';
import { type Condition, conditionsFor } from '../memory/conditions.js';
import type { AnchorClock } from '../memory/eligibility.js';
import type { EventLog } from '../memory/eventLog.js';
import type { MemoryMechanism } from '../memory/mechanisms/mechanism.js';
import { viewLanes } from '../memory/mechanisms/ViewScores.js';
import { NaiveMemory } from '../memory/naive.js';
import type { QuerySimilarity } from '../memory/querySimilarity.js';
import { SelectionUnion } from '../memory/SelectionUnion.js';
import { NestedSelector, newSelection, type Selection } from '../memory/selection.js';
import { similarityOf } from '../memory/vectorSimilarity.js';
import type { RankedBlock } from '../retrieval/ranking.js';
import type { TextVectors } from '../retrieval/vectors.js';
import type { MechanismSpec } from './experiment/experiment.js';
import { createMechanism } from './mechanisms/createMechanism.js';
import type { MechanismSource } from './mechanisms/mechanismModule.js';
import type { Anchor } from './plan/anchors.js';
import { RowWriter } from './rows/RowWriter.js';
import type { Budgets, RowBatch } from './rows/rowBatch.js';
import { RowMeter } from './rows/rowMetrics.js';

/** What all streams of a domain share, as plain data: it goes to worker threads as it is. */
export interface KernelSetup {
  readonly similarity: { readonly id: string; readonly hash: string; readonly vectors: TextVectors };
  readonly products: Products;
  /** [requests] rows of the snapshot at each request; the whole corpus under the frozen reading. */
  readonly visibleRows: Uint32Array;
  /** [assets] type vector and its names. */
  readonly types: Uint16Array;
  readonly typeNames: readonly string[];
  /** [assets] id order, the last tie-breaker. */
  readonly idOrder: Uint32Array;
  /** Lists of each base retriever by request index. */
  readonly bases: readonly RankedBlock[];
  readonly mechanisms: readonly MechanismSpec[];
  /** Of the mechanisms that are modules; a thread loads them before it makes a kernel. */
  readonly mechanismSources: readonly MechanismSource[];
  readonly horizons: readonly number[];
  readonly budgets: Budgets;
  /** Ascending. */
  readonly cutoffs: readonly number[];
}

/** Rows of one stream: a batch for each base retriever and mechanism, retrievers outermost. Plain data. */
export interface StreamTask {
  readonly log: EventLog;
  readonly anchors: readonly Anchor[];
  readonly batches: readonly RowBatch[];
}

/**
 * The paired replay (PIT Discovery sections 3.4 and 4.4). At each anchor every condition receives the same request, base
 * list, mechanism and budgets; only the eligibility of memory differs. What conditions, retrievers and mechanisms share is
 * done once: similarities, the nested views, and a ranking whenever two nested views select the same entries.
 *
 * Anchors do not depend on one another, so any split of them over kernels gives the same rows.
 */
export class ReplayKernel {
  readonly #setup: KernelSetup;
  readonly #conditions: readonly Condition[];
  readonly #similarity: QuerySimilarity;
  readonly #arms: readonly { readonly base: RankedBlock; readonly mechanism: MemoryMechanism }[];
  readonly #selectors: ReadonlyMap<MemoryMechanism['reads'], NestedSelector>;
  readonly #meter: RowMeter;
  readonly #union: SelectionUnion;
  readonly #similarities: Float64Array;
  readonly #rowOf: { stateless: number; naive: number; nested: ReadonlyMap<string, number> };

  constructor(setup: KernelSetup) {
    const { products, idOrder, budgets } = setup;
    this.#setup = setup;
    this.#conditions = conditionsFor(setup.horizons);
    this.#similarity = similarityOf(setup.similarity);
    this.#arms = setup.bases.flatMap((base) =>
      setup.mechanisms.map((spec) => {
        const context = { traces: base, traceDepth: budgets.traceDepth, idOrder };
        return { base, mechanism: createMechanism(spec, context, products) };
      }),
    );
    const reads = new Set(this.#arms.map(({ mechanism }) => mechanism.reads));
    this.#selectors = new Map(
      Array.from(reads, (kind) => [kind, new NestedSelector(budgets.capacity, this.#conditions)]),
    );
    this.#union = new SelectionUnion(viewLanes, budgets.capacity);
    this.#meter = new RowMeter(setup.cutoffs, setup.types, setup.typeNames);
    this.#similarities = new Float64Array(this.#similarity.size);
    this.#rowOf = {
      stateless: this.#conditions.findIndex(({ kind }) => kind === 'stateless'),
      naive: this.#conditions.findIndex(({ kind }) => kind === 'naive'),
      nested: new Map(this.#conditions.map(({ name }, row) => [name, row])),
    };
  }

  /** Writes the rows of anchors `start` to `end - 1` into the task's batches, at their places. */
  replay({ log, anchors, batches }: StreamTask, start: number, end: number): void {
    const { products, visibleRows, budgets } = this.#setup;
    const writers = this.#arms.map(
      (arm, i) => new RowWriter({ ...arm, batch: batches[i]!, meter: this.#meter, log, visibleRows }),
    );
    const naive = new NaiveMemory(log.positionOf, budgets.capacity);
    const naiveSelection = newSelection(budgets.capacity);
    const nothing = newSelection(0);
    const similarities = this.#similarities;
    const rowOf = this.#rowOf;
    for (let index = start; index < end; index++) {
      const anchor = anchors[index]!;
      const row = index * this.#conditions.length;
      const request = log.requestAt[anchor.position]!;
      const clock: AnchorClock = { position: anchor.position, observedAt: log.observedAt[anchor.position]! };
      this.#meter.begin(visibleProduct(products, request, visibleRows[request]!));
      this.#similarity.fill(request, similarities);
      naive.materialise(similarities);
      naive.lookup(anchor.position, naiveSelection);
      for (const [reads, selector] of this.#selectors) {
        const dependencyAt = log.newestDependencyAt[reads];
        selector.select(clock, similarities, log, dependencyAt);
        const readers = writers.filter((writer) => writer.reads === reads);
        for (const writer of readers) {
          writer.begin(anchor, clock, request, dependencyAt);
          writer.write(row + rowOf.stateless, rowOf.stateless, nothing);
        }
        this.#writeViews(row, selector, naiveSelection, readers);
      }
    }
  }

  /** Writes the rows of every condition that has a memory, in order; those that selected the same entries by copying. */
  #writeViews(row: number, selector: NestedSelector, naive: Selection, writers: readonly RowWriter[]): void {
    const rowOf = this.#rowOf;
    const conditions = [rowOf.naive];
    const selections = [naive];
    const copies: [from: number, to: number][] = [];
    let narrower = 0;
    for (const name of selector.viewNames) {
      const condition = rowOf.nested.get(name)!;
      if (selector.equalsNarrower(name)) copies.push([narrower, condition]);
      else {
        conditions.push(condition);
        selections.push(selector.view(name));
      }
      narrower = condition;
    }
    for (let start = 0; start < selections.length; start += viewLanes) {
      const together = selections.slice(start, start + viewLanes);
      const own = conditions.slice(start, start + viewLanes);
      this.#union.unite(together);
      for (const writer of writers) writer.writeViews(row, own, together, this.#union);
    }
    for (const [from, to] of copies) {
      for (const writer of writers) writer.copy(row + from, row + to, to);
    }
  }
}

/** The part of a request's product that the snapshot holds: corpus rows, ascending; a view, not a copy. */
export function visibleProduct(products: Products, request: number, visibleRows: number): Uint32Array {
  const product = productOf(products, request);
  let count = product.length;
  while (count > 0 && product[count - 1]! >= visibleRows) count--;
  return product.subarray(0, count);
}
