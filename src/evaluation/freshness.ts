import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import type { Instant } from '../time/instant.js';
import { indexOfRow, requireCutoff } from './productHits.js';

/**
 * Freshness measures (temporal RAG, section 5.3): does the top k hold the newest relevant asset? NaN stands for "not
 * defined".
 */

/** The newest of a query's relevant assets as of an instant. */
export interface NewestRelevant {
  /** Newest event instant among them, no later than the as-of instant. */
  readonly instant: Instant;
  /** The one newest asset; of those that share the instant, the last corpus row: available last, then last by id. */
  readonly row: number;
  /** Every relevant corpus row that shares the instant, ascending. */
  readonly rows: Uint32Array;
}

/**
 * Rows of a product that the snapshot D_t holds; a view. D_t is a prefix of the corpus rows, so it is a prefix of the
 * ascending product as well.
 *
 * @param snapshotSize number of corpus rows in D_t
 */
export function productAsOf(product: Uint32Array, snapshotSize: number): Uint32Array {
  let low = 0;
  let high = product.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (product[middle]! < snapshotSize) low = middle + 1;
    else high = middle;
  }
  return product.subarray(0, low);
}

/**
 * The newest relevant asset by event time. An event instant after `asOf` (announced ahead, or a placeholder such as the
 * year 9999) counts as `asOf`: nothing is fresher than now. Assets of unknown event time take no part.
 *
 * @param product relevant corpus rows that can be returned at `asOf` (see `productAsOf`), ascending
 * @param eventAt [corpus size] epoch milliseconds, NaN where unknown
 * @returns null when no relevant asset has a known event time
 */
export function newestRelevant(product: Uint32Array, eventAt: Float64Array, asOf: Instant): NewestRelevant | null {
  let instant = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const row of product) {
    const event = Math.min(eventAt[row]!, asOf);
    if (event > instant) {
      instant = event;
      count = 1;
    } else if (event === instant) count++;
  }
  if (count === 0) return null;
  const rows = product.filter((row) => Math.min(eventAt[row]!, asOf) === instant);
  return { instant, row: rows[count - 1]!, rows };
}

/** Latest@k: 1 when the newest relevant asset is in the top k, else 0; NaN when there is no newest. */
export function latestAt(ranked: Uint32Array, newest: NewestRelevant | null, cutoff: number): number {
  return newest === null ? Number.NaN : holdsAny(ranked, Uint32Array.of(newest.row), cutoff);
}

/** Latest-Set@k: 1 when any relevant asset that shares the newest instant is in the top k, else 0. */
export function latestSetAt(ranked: Uint32Array, newest: NewestRelevant | null, cutoff: number): number {
  return newest === null ? Number.NaN : holdsAny(ranked, newest.rows, cutoff);
}

/** A ranked list with its scores, for measures that see through ties. */
export interface ScoredList {
  /** Corpus rows, best first. */
  readonly rows: Uint32Array;
  /** [rows] scores, descending. */
  readonly scores: Float64Array;
  /** The list was cut at a depth, so that its last tie group may go on beyond its end. */
  readonly truncated: boolean;
}

/**
 * Expected Latest@k when entries of equal score are in random order: the chance that the newest relevant asset is in
 * the top k. Exact: a group of g tied entries of which c places lie inside the cut holds a given entry there with
 * chance c / g.
 *
 * NaN where it is not known: the tie group at the cut runs to the end of a truncated list.
 */
export function expectedLatestAt(list: ScoredList, newest: NewestRelevant | null, cutoff: number): number {
  return newest === null ? Number.NaN : chanceOfAny(list, Uint32Array.of(newest.row), cutoff);
}

/**
 * Expected Latest-Set@k under ties: the chance that at least one of the assets that share the newest instant is in the
 * top k. Exact: with m of them among g tied entries and c places inside the cut, 1 - C(g - m, c) / C(g, c)
 * (hypergeometric).
 */
export function expectedLatestSetAt(list: ScoredList, newest: NewestRelevant | null, cutoff: number): number {
  return newest === null ? Number.NaN : chanceOfAny(list, newest.rows, cutoff);
}

/**
 * As-of correctness@k: share of the top k entries that could be returned at `asOf`, that is
 * `availableAt <= asOf < endsAt`. NaN for an empty list, which returned nothing right or wrong.
 *
 * @param availableAt [corpus size] epoch milliseconds, -Infinity where always available
 * @param endsAt [corpus size] when the asset was superseded or withdrawn; absent: never
 */
export function asOfCorrectnessAt(
  ranked: Uint32Array,
  availableAt: Float64Array,
  asOf: Instant,
  cutoff: number,
  endsAt?: Float64Array,
): number {
  requireCutoff(cutoff);
  const length = Math.min(cutoff, ranked.length);
  let correct = 0;
  for (let at = 0; at < length; at++) {
    const row = ranked[at]!;
    if (availableAt[row]! <= asOf && (endsAt === undefined || asOf < endsAt[row]!)) correct++;
  }
  return correct / length;
}

function holdsAny(ranked: Uint32Array, wanted: Uint32Array, cutoff: number): number {
  requireCutoff(cutoff);
  return countOf(wanted, ranked, 0, Math.min(cutoff, ranked.length)) > 0 ? 1 : 0;
}

/**
 * Chance that at least one of `wanted` is among the first `cutoff` entries when each group of equal scores is in random
 * order. Groups wholly above the cut count whole; only the group that holds the last place inside the cut is uncertain.
 */
function chanceOfAny(list: ScoredList, wanted: Uint32Array, cutoff: number): number {
  requireCutoff(cutoff);
  requireDescending(list);
  const { rows, scores } = list;
  const cut = Math.min(cutoff, rows.length);
  let start = cut;
  while (start > 0 && scores[start - 1] === scores[cut - 1]) start--;
  let end = cut;
  while (end < rows.length && scores[end] === scores[cut - 1]) end++;
  if (countOf(wanted, rows, 0, start) > 0) return 1;
  if (list.truncated && end === rows.length) return Number.NaN;
  return chanceInDraw(end - start, countOf(wanted, rows, start, end), cut - start);
}

/** Chance that `places` drawn from `size` without replacement hold at least one of `marked`: 1 - C(g-m, c) / C(g, c). */
function chanceInDraw(size: number, marked: number, places: number): number {
  let none = 1;
  for (let mark = 0; mark < marked; mark++) none *= Math.max(0, size - places - mark) / (size - mark);
  return 1 - none;
}

function countOf(wanted: Uint32Array, rows: Uint32Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (indexOfRow(wanted, rows[at]!) >= 0) count++;
  return count;
}

function requireDescending({ rows, scores }: ScoredList): void {
  if (scores.length !== rows.length) {
    throw new InvalidArgumentError({ argument: 'scores.length', value: scores.length, expected: `${rows.length}` });
  }
  for (let at = 0; at < scores.length; at++) {
    if (Number.isFinite(scores[at]) && (at === 0 || scores[at]! <= scores[at - 1]!)) continue;
    throw new InvalidArgumentError({
      argument: `scores[${at}]`,
      value: scores[at],
      expected: at === 0 ? 'a finite number' : `a finite number of at most ${scores[at - 1]}`,
    });
  }
}
