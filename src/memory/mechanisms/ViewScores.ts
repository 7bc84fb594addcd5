import { startKernel } from '../../kernels/webAssembly.js';
import { newRankedEntries, type RankedEntries, sortRanked } from '../../retrieval/sortRanked.js';
import { deepestBaseList, type MechanismOutput, requireFiniteScore } from './mechanism.js';
import { viewScoresModule } from './viewScoresModule.js';

/** Views that a kernel takes at a time, one in each lane of its vectors. */
export const viewLanes = 8;
const signalBytes = viewLanes * 8;
const scoredBytes = 16;
/** Of `BucketSelector`: the number of buckets, and the largest that is sorted by insertion. */
const buckets = 1024;
const shortBucket = 24;

interface Kernel {
  begin(count: number, rows: number, signals: number, placeOf: number): void;
  add(
    list: number,
    count: number,
    gain: number,
    views: number,
    divisors: number,
    visibleRows: number,
    candidates: number,
    rows: number,
    signals: number,
    placeOf: number,
  ): number;
  collect(candidates: number, rows: number, signals: number, placeOf: number, largest: number): void;
  score(
    signals: number,
    baseCount: number,
    candidates: number,
    scale: number,
    bucketsPerScore: number,
    reciprocals: number,
    counts: number,
    scored: number,
  ): number;
  keep(
    scored: number,
    count: number,
    depth: number,
    baseCount: number,
    rows: number,
    ties: number,
    counts: number,
    items: number,
    keptScores: number,
    keptTies: number,
    summary: number,
  ): void;
  sort(items: number, scores: number, ties: number, count: number): void;
}

/**
 * `CandidateScores` for up to eight views of one anchor at once, to the bit. Views of an anchor select mostly the same
 * entries; here an entry's list is walked once for all of them, and a candidate's signals lie side by side.
 *
 * In order: `begin`, `addList` any number of times, `collect`, then `rank` for each view.
 */
export class ViewScores {
  readonly #idOrder: Uint32Array;
  readonly #divisors: Float64Array;
  #space: Space | undefined;
  #baseCount = 0;
  #count = 0;
  #spare = newRankedEntries(0);

  /**
   * @param idOrder [assets] id order, the last tie-breaker
   * @param divisors [d] what a gain is divided by at each 0-based rank of a list
   */
  constructor(idOrder: Uint32Array, divisors: Float64Array) {
    this.#idOrder = idOrder;
    this.#divisors = divisors;
  }

  /**
   * Takes in the base list of the next anchor.
   * @param lists how many lists will be added at most
   */
  begin(baseRows: Uint32Array, lists: number): void {
    const most = Math.min(this.#idOrder.length, baseRows.length + lists * this.#divisors.length);
    const { kernel, at, rows } = this.#reserve(baseRows.length, most);
    rows.set(baseRows);
    kernel.begin(baseRows.length, at.rows, at.signals, at.placeOf);
    this.#baseCount = baseRows.length;
    this.#count = baseRows.length;
  }

  /**
   * Adds `gain / divisors[rank]` to the signals of assets 0 to `count - 1` of a list in the views of `views`.
   * @param views bit v is set for view v
   * @param visibleRows assets with a row at or beyond this are passed over: they were not yet available
   */
  addList(list: Uint32Array, count: number, gain: number, views: number, visibleRows: number): void {
    const { kernel, at, list: into } = this.#space!;
    into.set(count === list.length ? list : list.subarray(0, count));
    this.#count = kernel.add(
      at.list,
      count,
      gain,
      views,
      at.divisors,
      Math.min(visibleRows, this.#idOrder.length),
      this.#count,
      at.rows,
      at.signals,
      at.placeOf,
    );
  }

  /** Ends the sums; returns the largest signal of each view, [8], 0 where there is none; a view of the kernel's memory. */
  collect(): Float64Array {
    const { kernel, at, largest } = this.#space!;
    kernel.collect(this.#count, at.rows, at.signals, at.placeOf, at.largest);
    return largest;
  }

  /** Ranks the candidates of a view into `output` as `CandidateScores.rank` does. */
  rank(view: number, scale: number, largest: number, output: MechanismOutput): void {
    const largestScore = requireFiniteScore(scale, largest);
    const { kernel, at, summary, kept } = this.#space!;
    const scored = kernel.score(
      at.signals + view * 8,
      this.#baseCount,
      this.#count,
      scale,
      buckets / largestScore,
      at.reciprocals,
      at.counts,
      at.scored,
    );
    kernel.keep(
      at.scored,
      scored,
      output.rows.length,
      this.#baseCount,
      at.rows,
      at.ties,
      at.counts,
      at.items,
      at.keptScores,
      at.keptTies,
      at.summary,
    );
    const [size, largestBucket] = [summary[0]!, summary[1]!];
    let sorted: RankedEntries = kept;
    if (largestBucket > shortBucket) {
      if (this.#spare.items.length < size) this.#spare = newRankedEntries(2 * size);
      sorted = sortRanked(kept, size, this.#spare);
    } else {
      kernel.sort(at.items, at.keptScores, at.keptTies, size);
    }
    output.length = Math.min(size, output.rows.length);
    output.rows.set(sorted.items.subarray(0, output.length));
    output.scores.set(sorted.scores.subarray(0, output.length));
  }

  #reserve(baseCount: number, candidates: number): Space {
    const space = this.#space;
    if (space !== undefined && baseCount <= space.baseDepth && candidates <= space.candidates) return space;
    const depth = Math.max(baseCount, space?.baseDepth ?? 0);
    const room = Math.min(this.#idOrder.length, Math.max(2 * candidates, space?.candidates ?? 0));
    this.#space = startSpace(this.#idOrder, this.#divisors, depth, Math.max(room, depth));
    return this.#space;
  }
}

type Space = ReturnType<typeof startSpace>;

/** A kernel with room for a number of candidates: where everything lies, in bytes, and arrays over what is shared. */
function startSpace(idOrder: Uint32Array, divisors: Float64Array, baseDepth: number, candidates: number) {
  const assets = idOrder.length;
  let end = 0;
  const room = (bytes: number) => {
    const start = end;
    end += Math.ceil(bytes / 16) * 16;
    return start;
  };
  const at = {
    largest: room(signalBytes),
    summary: room(8),
    counts: room((buckets + 1) * 4),
    divisors: room(divisors.length * 8),
    reciprocals: room(baseDepth * 8),
    list: room(divisors.length * 4),
    placeOf: room(assets * 4),
    ties: room(assets * 4),
    rows: room(candidates * 4),
    scored: room(candidates * scoredBytes),
    items: room(candidates * 4),
    keptScores: room(candidates * 8),
    keptTies: room(candidates * 4),
    signals: room(candidates * signalBytes),
  };
  const { kernel, buffer } = startKernel<Kernel>(viewScoresModule, end);
  new Float64Array(buffer, at.divisors).set(divisors);
  const reciprocals = new Float64Array(buffer, at.reciprocals, baseDepth);
  for (let rank = 0; rank < baseDepth; rank++) reciprocals[rank] = 1 / (rank + 1);
  const ties = new Uint32Array(buffer, at.ties, assets);
  for (let row = 0; row < assets; row++) ties[row] = deepestBaseList + 1 + idOrder[row]!;
  return {
    kernel,
    at,
    baseDepth,
    candidates,
    rows: new Uint32Array(buffer, at.rows, candidates),
    list: new Uint32Array(buffer, at.list, divisors.length),
    largest: new Float64Array(buffer, at.largest, viewLanes),
    summary: new Uint32Array(buffer, at.summary, 2),
    kept: {
      items: new Uint32Array(buffer, at.items, candidates),
      scores: new Float64Array(buffer, at.keptScores, candidates),
      ties: new Uint32Array(buffer, at.keptTies, candidates),
    },
  };
}
