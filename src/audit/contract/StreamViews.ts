import type { Condition } from '../../memory/conditions.js';
import { type AnchorClock, isEligible } from '../../memory/eligibility.js';
import type { EventLog, EventReads } from '../../memory/eventLog.js';
import type { Anchor } from '../../replay/plan/anchors.js';

/** What a view selects at an anchor; the arrays are views of longer ones. */
export interface ViewEntries {
  /** Stream positions, most similar first. */
  readonly positions: Uint32Array;
  readonly similarities: Float64Array;
  /** The first condition of the anchor, by its index, that selects the same entries. */
  readonly sameAs: number;
}

/**
 * What every view of a stream selects at every anchor, straight from the definition (PIT Discovery section 3.3): all
 * events in order of similarity, filtered by the eligibility predicate, cut at the capacity. The slow twin of
 * `NestedSelector` and `NaiveMemory`, kept for all shards of the stream, which differ in retriever and mechanism only.
 */
export class StreamViews {
  readonly #conditions: readonly Condition[];
  readonly #capacity: number;
  readonly #byReads: ReadonlyMap<EventReads, Selections>;

  /**
   * @param reads what the mechanisms take from an event, on which its eligibility depends
   * @param similarity of two requests, pair by pair
   */
  constructor(
    stream: { readonly log: EventLog; readonly anchors: readonly Anchor[] },
    options: {
      readonly conditions: readonly Condition[];
      readonly capacity: number;
      readonly reads: readonly EventReads[];
      readonly similarity: (a: number, b: number) => number;
    },
  ) {
    const { log, anchors } = stream;
    const { conditions, capacity, reads, similarity } = options;
    this.#conditions = conditions;
    this.#capacity = capacity;
    const views = anchors.length * conditions.length;
    this.#byReads = new Map(reads.map((kind) => [kind, newSelections(views, capacity)]));
    for (const [index, { position }] of anchors.entries()) {
      const candidates = candidatesAt(position, log, similarity);
      const clock = { position, observedAt: log.observedAt[position]! };
      for (const [kind, selections] of this.#byReads) {
        for (const [c, condition] of conditions.entries()) {
          const view = index * conditions.length + c;
          select(condition, clock, candidates, log.newestDependencyAt[kind], selections, view, capacity);
          selections.sameAs[view] = firstEqual(selections, index * conditions.length, view, capacity);
        }
      }
    }
  }

  /** @param anchor and @param condition by index */
  entries(reads: EventReads, anchor: number, condition: number): ViewEntries {
    const { counts, sameAs, positions, similarities } = this.#byReads.get(reads)!;
    const view = anchor * this.#conditions.length + condition;
    const start = view * this.#capacity;
    const end = start + counts[view]!;
    return {
      positions: positions.subarray(start, end),
      similarities: similarities.subarray(start, end),
      sameAs: sameAs[view]!,
    };
  }
}

interface Candidates {
  /** In order. */
  readonly positions: Uint32Array;
  /** [events] by position. */
  readonly similarities: Float64Array;
}

/** Selections of all views: [anchors, conditions] and [anchors, conditions, capacity], row-major. */
interface Selections {
  readonly counts: Uint32Array;
  readonly sameAs: Uint32Array;
  readonly positions: Uint32Array;
  readonly similarities: Float64Array;
}

function newSelections(views: number, capacity: number): Selections {
  return {
    counts: new Uint32Array(views),
    sameAs: new Uint32Array(views),
    positions: new Uint32Array(views * capacity),
    similarities: new Float64Array(views * capacity),
  };
}

/** Every event with a similarity above 0 to the request at an anchor, most similar first, ties by position. */
function candidatesAt(anchor: number, log: EventLog, similarity: (a: number, b: number) => number): Candidates {
  const { requestAt, size } = log;
  const request = requestAt[anchor]!;
  const similarities = new Float64Array(size);
  const positions = new Uint32Array(size);
  let count = 0;
  for (let position = 0; position < size; position++) {
    const value = similarity(request, requestAt[position]!);
    similarities[position] = value;
    if (value > 0) positions[count++] = position;
  }
  const order = positions.subarray(0, count).sort((a, b) => similarities[b]! - similarities[a]! || a - b);
  return { positions: order, similarities };
}

function select(
  condition: Condition,
  clock: AnchorClock,
  { positions, similarities }: Candidates,
  dependencyAt: Float64Array,
  into: Selections,
  view: number,
  capacity: number,
): void {
  const start = view * capacity;
  let count = 0;
  for (let k = 0; k < positions.length && count < capacity; k++) {
    const position = positions[k]!;
    if (!isEligible(condition, clock, position, dependencyAt[position]!)) continue;
    into.positions[start + count] = position;
    into.similarities[start + count] = similarities[position]!;
    count++;
  }
  into.counts[view] = count;
}

/** Index within its anchor of the first view that holds the same positions. */
function firstEqual({ counts, positions }: Selections, firstView: number, view: number, capacity: number): number {
  for (let other = firstView; other < view; other++) {
    if (counts[other] !== counts[view]) continue;
    let k = 0;
    while (k < counts[view]! && positions[other * capacity + k] === positions[view * capacity + k]) k++;
    if (k === counts[view]) return other - firstView;
  }
  return view - firstView;
}
