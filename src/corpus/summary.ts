import { type Instant, isInstant } from '../time/instant.js';
import type { Dataset } from './dataset.js';
import { productOf } from './products.js';

/** What a clock of the assets or requests says. */
export interface ClockSummary {
  /** How many have it. */
  readonly known: number;
  /** Absent when none has it. */
  readonly first: Instant | undefined;
  readonly last: Instant | undefined;
}

/** Counts that tell at a glance whether a data set is what it should be. */
export interface DatasetSummary {
  readonly assets: {
    readonly total: number;
    /** By type, in code-unit order of the types. */
    readonly byType: ReadonlyMap<string, number>;
    readonly emptyTexts: number;
    /** Assets whose text another one before them has, empty texts aside. */
    readonly repeatedTexts: number;
    /** Assets announced ahead: their event time is later than their availability. */
    readonly eventAfterAvailable: number;
    readonly eventAt: ClockSummary;
    readonly availableAt: ClockSummary;
  };
  readonly requests: {
    readonly total: number;
    readonly repeatedTexts: number;
    readonly observedAt: ClockSummary;
    /** Requests whose feedback was observed later than they were. */
    readonly laterFeedback: number;
  };
  readonly products: {
    /** Assets in products, over all requests. */
    readonly total: number;
    /** NaN when there are no requests; so are the two below. */
    readonly meanSize: number;
    readonly smallest: number;
    readonly largest: number;
    /** Assets that are in no product. */
    readonly assetsInNone: number;
    /** Requests whose product has an asset of the type, by type. */
    readonly requestsByType: ReadonlyMap<string, number>;
  };
}

export function summariseDataset({ corpus, requests, products }: Dataset): DatasetSummary {
  const byType = new Map(corpus.typeNames.map((name) => [name, 0]));
  let eventAfterAvailable = 0;
  for (let row = 0; row < corpus.size; row++) {
    const type = corpus.typeNames[corpus.types[row]!]!;
    byType.set(type, byType.get(type)! + 1);
    const availableAt = corpus.availableAt[row]!;
    if (isInstant(availableAt) && corpus.eventAt[row]! > availableAt) eventAfterAvailable++;
  }
  const texts = corpus.texts.filter((text) => text !== '');

  let smallest = Number.NaN;
  let largest = Number.NaN;
  const requestsByType = new Map(corpus.typeNames.map((name) => [name, 0]));
  let laterFeedback = 0;
  for (let request = 0; request < requests.size; request++) {
    const rows = productOf(products, request);
    if (!(rows.length >= smallest)) smallest = rows.length;
    if (!(rows.length <= largest)) largest = rows.length;
    for (const code of new Set(Array.from(rows, (row) => corpus.types[row]!))) {
      const type = corpus.typeNames[code]!;
      requestsByType.set(type, requestsByType.get(type)! + 1);
    }
    if (requests.feedbackAt[request]! > requests.observedAt[request]!) laterFeedback++;
  }
  return {
    assets: {
      total: corpus.size,
      byType,
      emptyTexts: corpus.size - texts.length,
      repeatedTexts: texts.length - new Set(texts).size,
      eventAfterAvailable,
      eventAt: summariseClock(corpus.eventAt),
      availableAt: summariseClock(corpus.availableAt),
    },
    requests: {
      total: requests.size,
      repeatedTexts: requests.size - new Set(requests.texts).size,
      observedAt: summariseClock(requests.observedAt),
      laterFeedback,
    },
    products: {
      total: products.rows.length,
      meanSize: products.rows.length / requests.size,
      smallest,
      largest,
      assetsInNone: corpus.size - new Set(products.rows).size,
      requestsByType,
    },
  };
}

/** @param clocks epoch milliseconds; NaN and infinities stand for none */
function summariseClock(clocks: Float64Array): ClockSummary {
  let known = 0;
  let first: number | undefined;
  let last: number | undefined;
  for (const clock of clocks) {
    if (!Number.isFinite(clock)) continue;
    known++;
    if (first === undefined || clock < first) first = clock;
    if (last === undefined || clock > last) last = clock;
  }
  return { known, first, last };
}
