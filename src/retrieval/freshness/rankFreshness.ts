import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Duration } from '../../time/duration.js';
import { newRankedEntries, type RankedEntries, sortRanked } from '../sortRanked.js';
import { adaptiveHalfLife } from './adaptiveHalfLife.js';
import { checkCandidates, type FreshnessCandidates } from './candidates.js';
import { type Coverage, coverageOf } from './coverage.js';
import { ageOf, decayOf } from './decay.js';
import { type FreshnessOptions, type FreshnessSettings, freshnessSettings } from './options.js';
import { selectBest } from './selectBest.js';

/** A ranking by freshness, best first, column by column, with what explains each entry. */
export interface FreshnessRanking {
  readonly settings: FreshnessSettings;
  /** The half-life that was used, in milliseconds. */
  readonly halfLife: Duration;
  /** [length] index of each entry among the candidates. */
  readonly candidates: Uint32Array;
  /** [length] its row. */
  readonly rows: Uint32Array;
  /** [length] its score, descending: fused, or what the method ranks by (the event time for `semantic-then-newest`). */
  readonly scores: Float64Array;
  /** [length] relevance: the similarity, or for `coverage` the share of the query's subject. */
  readonly relevances: Float64Array;
  /** [length] rank by relevance alone among all candidates, from 1. */
  readonly relevanceRanks: Uint32Array;
  /** [length] age at t in milliseconds; NaN where the event time is unknown. */
  readonly ages: Float64Array;
  /** [length] 0.5^(age / halfLife). */
  readonly decays: Float64Array;
  /** Candidates given, those under the floor, and those outside the pool. */
  readonly counts: { readonly candidates: number; readonly belowFloor: number; readonly outsidePool: number };
  /** What each term of the query weighed; for `coverage` only. */
  readonly coverage: Coverage | undefined;
}

/**
 * Ranks what the snapshot offers by relevance and age. A pure function of the candidates: their order does not matter.
 *
 * The pool and the floor are applied to the relevance first; then the rest is scored and ordered by the one comparator.
 *
 * @throws InvalidArgumentError when an option is out of bounds or the candidates do not fit together
 * @throws NonFiniteScoreError when a similarity is not finite
 */
export function rankFreshness(candidates: FreshnessCandidates, options: FreshnessOptions): FreshnessRanking {
  const settings = freshnessSettings(options);
  checkCandidates(candidates);
  const { asOf, eventAt, rows } = candidates;
  const count = rows.length;
  const coverage = settings.method === 'coverage' ? coverageOf(termsOf(candidates)) : undefined;
  const relevance = coverage?.shares ?? similarityOf(candidates);

  // A narrow pool and the adaptive half-life need all in order; and where much of the list is wanted, sorting is less work.
  const sorts = settings.pool < count || settings.halfLife === 'adaptive' || settings.depth > count / 16;
  const order = sorts ? sortOrder : selectOrder;
  const { halfLife, chosen, scores, relevanceRanks, belowFloor } = order(candidates, settings, relevance, coverage);
  const ages = Float64Array.from(chosen, (candidate) => ageOf(asOf, eventAt[candidate]!));
  return {
    settings,
    halfLife,
    candidates: chosen,
    rows: chosen.map((candidate) => rows[candidate]!),
    scores,
    relevances: Float64Array.from(chosen, (candidate) => relevance[candidate]!),
    relevanceRanks,
    ages,
    decays: ages.map((age) => decayOf(age, halfLife)),
    counts: { candidates: count, belowFloor, outsidePool: count - Math.min(count, settings.pool) },
    coverage,
  };
}

/** The ranked candidates. */
interface Order {
  readonly halfLife: Duration;
  readonly chosen: Uint32Array;
  readonly scores: Float64Array;
  readonly relevanceRanks: Uint32Array;
  readonly belowFloor: number;
}

/** Sorts all candidates, by relevance and then by score. */
function sortOrder(
  candidates: FreshnessCandidates,
  settings: FreshnessSettings,
  relevance: Float64Array,
  coverage: Coverage | undefined,
): Order {
  const { asOf, eventAt, ties, rows } = candidates;
  // Candidates of equal relevance are told apart by how strongly they hold the terms, where that is known, then by `ties`.
  const baseTies = coverage === undefined ? ties : ranksOf(sortAll(coverage.strengths, ties));
  const byRelevance = sortAll(relevance, baseTies);
  const ranks = ranksOf(byRelevance);
  const pooled = Math.min(rows.length, settings.pool);
  let kept = pooled;
  while (kept > 0 && byRelevance.scores[kept - 1]! < settings.floor) kept--;
  const relevant = byRelevance.items.slice(0, kept);

  const halfLife =
    settings.halfLife === 'adaptive' ? adaptiveHalfLife(asOf, eventAt, relevance, relevant) : settings.halfLife;
  const score = scorerOf(settings, halfLife, candidates, relevance);
  const entries = newRankedEntries(kept);
  for (let at = 0; at < kept; at++) {
    const candidate = relevant[at]!;
    entries.items[at] = candidate;
    entries.scores[at] = score(candidate);
    // The base rank of the comparator's rule is the rank by relevance, which ends in the given tie keys.
    entries.ties[at] = ranks[candidate]!;
  }
  const ordered = sortRanked(entries, kept, newRankedEntries(kept));
  const length = Math.min(kept, settings.depth);
  const chosen = ordered.items.slice(0, length);
  return {
    halfLife,
    chosen,
    scores: ordered.scores.slice(0, length),
    relevanceRanks: chosen.map((candidate) => ranks[candidate]!),
    belowFloor: pooled - kept,
  };
}

/** The same order where all candidates take part and the half-life is given: the best are picked out. */
function selectOrder(
  candidates: FreshnessCandidates,
  settings: FreshnessSettings,
  relevances: Float64Array,
  coverage: Coverage | undefined,
): Order {
  const { ties, rows } = candidates;
  const halfLife = settings.halfLife as Duration;
  const score = scorerOf(settings, halfLife, candidates, relevances);
  const scores = new Float64Array(rows.length);
  for (let candidate = 0; candidate < scores.length; candidate++) scores[candidate] = score(candidate);
  const keys = { scores, relevances, strengths: coverage?.strengths, ties };
  const { items, relevanceRanks, belowFloor } = selectBest(keys, settings.depth, settings.floor);
  return { halfLife, chosen: items, scores: Float64Array.from(items, (at) => scores[at]!), relevanceRanks, belowFloor };
}

/** All candidates by the one comparator. */
function sortAll(scores: Float64Array, ties: Uint32Array): RankedEntries {
  const count = scores.length;
  const entries = { items: Uint32Array.from(scores.keys()), scores: scores.slice(), ties: ties.slice() };
  return sortRanked(entries, count, newRankedEntries(count));
}

/** [n] place of each candidate in a sorted list, from 1. */
function ranksOf({ items }: RankedEntries): Uint32Array {
  const ranks = new Uint32Array(items.length);
  for (let place = 0; place < items.length; place++) ranks[items[place]!] = place + 1;
  return ranks;
}

function scorerOf(
  { method, alpha }: FreshnessSettings,
  halfLife: Duration,
  { asOf, eventAt }: FreshnessCandidates,
  relevance: Float64Array,
): (candidate: number) => number {
  switch (method) {
    case 'similarity':
      return (candidate) => relevance[candidate]!;
    case 'semantic-then-newest':
      // Newest first is youngest first; what has no date comes last.
      return (candidate) => {
        const age = ageOf(asOf, eventAt[candidate]!);
        return Number.isNaN(age) ? -Number.MAX_VALUE : 0 - age;
      };
    case 'coverage':
      return (candidate) =>
        relevance[candidate]! * (alpha + (1 - alpha) * decayOf(ageOf(asOf, eventAt[candidate]!), halfLife));
    case 'fused':
      return (candidate) =>
        alpha * relevance[candidate]! + (1 - alpha) * decayOf(ageOf(asOf, eventAt[candidate]!), halfLife);
  }
}

function termsOf({ terms }: FreshnessCandidates) {
  if (terms !== undefined) return terms;
  throw new InvalidArgumentError({
    argument: 'terms',
    value: undefined,
    expected: 'the query terms, for method coverage',
  });
}

function similarityOf({ similarity }: FreshnessCandidates): Float64Array {
  if (similarity !== undefined) return similarity;
  throw new InvalidArgumentError({
    argument: 'similarity',
    value: undefined,
    expected: 'a similarity of each candidate',
  });
}
