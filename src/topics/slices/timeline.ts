import { compareCodeUnits } from '../../corpus/corpus.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Slice } from '../../time/calendar.js';
import type { Duration } from '../../time/duration.js';
import { formatInstant } from '../../time/formatInstant.js';
import { type Instant, isInstant, millisecondsPerDay } from '../../time/instant.js';
import type { TopicDocuments } from '../TopicDocuments.js';
import { dayOf } from './daySpans.js';
import { closingDelay, type SliceRule, slicesOf } from './sliceRule.js';

export interface TimelineOptions {
  /** Documents available at this instant are seen, no others. */
  readonly asOf: Instant;
  /**
   * The instant up to which the stream is known to be complete; `asOf` by default. A slice that ends after it is
   * provisional: that documents are missing in it says nothing.
   */
  readonly coveredUntil?: Instant | undefined;
  readonly slices: SliceRule;
  /** The end of a slice that is known already: slices follow from there, and earlier documents are left out. */
  readonly from?: Instant | undefined;
  /** `revised` by default. */
  readonly vintage?: Vintage | undefined;
}

/**
 * Which documents a finished slice has.
 * - `revised`: all that are available as of t; a document that came in late changes its slice, and what follows.
 * - `published`: those that were available `lateness` after the slice had ended, at its publication; so what was once
 *   published is what it was for ever. A slice is provisional until then.
 */
export type Vintage = { readonly kind: 'revised' } | { readonly kind: 'published'; readonly lateness: Duration };

/** A slice with its documents. */
export interface TimelineSlice extends Slice {
  /** Rows of the documents, in event order, then id order. */
  readonly rows: Uint32Array;
  /** Documents that came too late for the slice; 0 unless the vintage is `published`. */
  readonly late: number;
  /** The first instant at which the slice is known to be over. */
  readonly knownAt: Instant;
  /** Unfinished: it gets no labels, and teaches the model nothing. */
  readonly provisional: boolean;
}

/** The documents of D_t by slices, in order of time, without gaps; empty slices are there. */
export interface Timeline {
  readonly asOf: Instant;
  readonly coveredUntil: Instant;
  readonly slices: readonly TimelineSlice[];
  readonly counts: {
    /** Documents in the slices, and those known as of t that came too late for theirs. */
    readonly placed: number;
    readonly late: number;
    /** Documents of D_t without event time, and with one after the last slice. */
    readonly undated: number;
    readonly ahead: number;
  };
}

/** A calendar may not cut the stream into more slices than this. */
const mostSlices = 100_000;

/**
 * Cuts what is known as of t into slices by event time: documents with `availableAt <= t < endsAt`, from the first one's
 * slice to the slice that holds `coveredUntil`. Nothing that became available after t has a part in it.
 *
 * @throws InvalidArgumentError for instants out of range, or more than 100,000 slices
 */
export function timelineAsOf(documents: TopicDocuments, options: TimelineOptions): Timeline {
  const { asOf, vintage = { kind: 'revised' } } = options;
  const coveredUntil = Math.min(asOf, options.coveredUntil ?? asOf);
  if (!isInstant(asOf) || !isInstant(coveredUntil)) {
    const [argument, value] = isInstant(asOf) ? ['coveredUntil', coveredUntil] : ['asOf', asOf];
    throw new InvalidArgumentError({ argument, value, expected: 'an instant in years 0001 to 9999' });
  }
  const { rows, undated } = rowsInEventOrder(documents, asOf, options.from ?? Number.NEGATIVE_INFINITY);
  const delay = closingDelay(options.slices) + (vintage.kind === 'published' ? vintage.lateness : 0);
  const cutBy = rows.filter((row) => decidesCuts(documents, row, vintage, asOf));
  const slices: TimelineSlice[] = [];
  let next = 0;
  let placed = 0;
  let lateInAll = 0;
  const eventAt = Float64Array.from(cutBy, (row) => documents.eventAt[row]!);
  const start = options.from ?? eventAt[0] ?? Number.POSITIVE_INFINITY;
  if (start <= coveredUntil) {
    while (next < rows.length && documents.eventAt[rows[next]!]! < start) next++;
    for (const slice of slicesOf(eventAt, options.slices, start, coveredUntil)) {
      if (slices.length === mostSlices) throw tooManySlices(start, slice);
      const knownAt = slice.end + delay;
      const seenAt = vintage.kind === 'published' ? Math.min(knownAt, asOf) : asOf;
      const first = next;
      while (next < rows.length && documents.eventAt[rows[next]!]! < slice.end) next++;
      const inSlice = rows.slice(first, next);
      const seen = inSlice.filter((row) => isCurrent(documents, row, seenAt));
      const late = inSlice.filter((row) => documents.availableAt[row]! > seenAt).length;
      slices.push({ ...slice, rows: seen, late, knownAt, provisional: coveredUntil < knownAt });
      placed += seen.length;
      lateInAll += late;
    }
  }
  const ahead = rows.subarray(next).filter((row) => isCurrent(documents, row, asOf)).length;
  return { asOf, coveredUntil, slices, counts: { placed, late: lateInAll, undated, ahead } };
}

/** Rows with an event time that were available at `asOf`, whether or not they still are. */
function rowsInEventOrder(
  documents: TopicDocuments,
  asOf: Instant,
  from: Instant,
): { rows: Uint32Array; undated: number } {
  const { size, ids, eventAt, availableAt, endsAt } = documents;
  const dated: number[] = [];
  let undated = 0;
  for (let row = 0; row < size; row++) {
    // A row that was never current belongs to no snapshot.
    if (availableAt[row]! > asOf || (endsAt !== undefined && endsAt[row]! <= availableAt[row]!)) continue;
    if (eventAt[row]! >= from) dated.push(row);
    else if (Number.isNaN(eventAt[row]) && isCurrent(documents, row, asOf)) undated++;
  }
  dated.sort(
    (a, b) => eventAt[a]! - eventAt[b]! || compareCodeUnits(ids[a]!, ids[b]!) || availableAt[a]! - availableAt[b]!,
  );
  return { rows: Uint32Array.from(dated), undated };
}

function isCurrent({ availableAt, endsAt }: TopicDocuments, row: number, t: Instant): boolean {
  return availableAt[row]! <= t && (endsAt === undefined || t < endsAt[row]!);
}

/**
 * Whether a document has a part in where slices begin and end. In the published vintage it has only if it was there, at
 * the latest, `lateness` after its own day: a later one cannot move what is published.
 */
function decidesCuts(documents: TopicDocuments, row: number, vintage: Vintage, asOf: Instant): boolean {
  if (vintage.kind === 'revised') return isCurrent(documents, row, asOf);
  const dayEnd = (dayOf(documents.eventAt[row]!) + 1) * millisecondsPerDay;
  return documents.availableAt[row]! <= dayEnd + vintage.lateness;
}

function tooManySlices(start: Instant, last: Slice): InvalidArgumentError {
  return new InvalidArgumentError({
    argument: 'slices',
    value: `${mostSlices} up to ${last.id}`,
    expected: `fewer; the first document is of ${formatInstant(start)}`,
  });
}
