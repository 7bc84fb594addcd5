import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { defaultBm25Parameters } from '../retrieval/bm25/parameters.js';
import { type FreshnessOptions, type FreshnessSettings, freshnessSettings } from '../retrieval/freshness/options.js';
import type { Instant } from '../time/instant.js';
import type { EmbedderRecord } from './embedderRecord.js';

/**
 * What relevance is:
 * - `fresh` (default): how much of the query's subject an asset covers, with recency as the second voice;
 * - `lexical`: BM25 with the statistics of D_t;
 * - `semantic`: cosine of embeddings;
 * - `hybrid`: both, fused.
 */
export type SearchMode = 'fresh' | 'lexical' | 'semantic' | 'hybrid';

export const searchModes: readonly SearchMode[] = ['fresh', 'lexical', 'semantic', 'hybrid'];

/** How `hybrid` fuses: min-max-normalised scores, or reciprocal ranks. */
export type FusionMethod = 'convex' | 'rrf';

export interface SearchOptions {
  readonly mode?: SearchMode | undefined;
  /** Hits at most; 10 by default. */
  readonly limit?: number | undefined;
  /** Only assets with an event time from here on; statistics stay those of D_t. */
  readonly from?: Instant | undefined;
  /** Only assets with an event time before this. */
  readonly to?: Instant | undefined;
  /** Only the best so many by relevance take part; the full snapshot by default. */
  readonly pool?: number | undefined;
  /** Of `hybrid`; `convex` by default. */
  readonly fusion?: FusionMethod | undefined;
  /** Weight of cosine in convex fusion, in [0, 1]; 0.5 by default. */
  readonly semanticWeight?: number | undefined;
  /** How age counts beside relevance. Not at all by default, but in `fresh`; `fused` where only numbers are given. */
  readonly freshness?: Omit<FreshnessOptions, 'pool' | 'depth'> | undefined;
}

/** Options with every default filled in. */
export interface SearchSettings {
  readonly mode: SearchMode;
  readonly limit: number;
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
  readonly fusion: FusionMethod;
  readonly semanticWeight: number;
  /** Its `pool` is that of the search. */
  readonly freshness: FreshnessSettings;
}

/** @throws InvalidArgumentError when a value is out of its bounds, or does not go with the mode */
export function searchSettings(options: SearchOptions): SearchSettings {
  const { mode = 'fresh', limit = 10, from, to, pool, fusion = 'convex', semanticWeight = 0.5 } = options;
  const refuse = (argument: string, value: unknown, expected: string) =>
    new InvalidArgumentError({ argument, value, expected });
  if (!searchModes.includes(mode)) throw refuse('mode', mode, `one of ${searchModes.join(', ')}`);
  if (!(Number.isSafeInteger(limit) && limit >= 1)) throw refuse('limit', limit, 'a positive integer');
  if (fusion !== 'convex' && fusion !== 'rrf') throw refuse('fusion', fusion, 'convex or rrf');
  if (!(semanticWeight >= 0 && semanticWeight <= 1)) throw refuse('semanticWeight', semanticWeight, 'a number in 0..1');
  if (from !== undefined && to !== undefined && from >= to) throw refuse('to', to, `an instant after from (${from})`);
  const { freshness = {} } = options;
  const hasNumbers = freshness.alpha !== undefined || freshness.halfLife !== undefined;
  const method = freshness.method ?? (mode === 'fresh' ? 'coverage' : hasNumbers ? 'fused' : 'similarity');
  if ((method === 'coverage') !== (mode === 'fresh')) {
    throw refuse('freshness.method', method, 'coverage with mode fresh, another one with any other mode');
  }
  const settings = freshnessSettings({ ...freshness, method, pool, depth: limit });
  return { mode, limit, from, to, fusion, semanticWeight, freshness: settings };
}

/** Everything fitted, tuned or chosen that an answer depends on, beside the corpus: θ (architecture, historical state). */
export function describeModel(
  settings: SearchSettings,
  analyzer: { readonly id: string },
  embedder: EmbedderRecord | undefined,
): object {
  const { mode, fusion, semanticWeight, freshness } = settings;
  const { method, alpha, halfLife, floor, pool } = freshness;
  const usesWords = mode !== 'semantic';
  const usesVectors = mode === 'semantic' || mode === 'hybrid';
  const weighsAge = method === 'fused' || method === 'coverage';
  return {
    mode,
    analyzer: usesWords ? analyzer.id : undefined,
    bm25: mode === 'lexical' || mode === 'hybrid' ? defaultBm25Parameters : undefined,
    embedder: usesVectors && embedder ? { id: embedder.id, hash: embedder.hash } : undefined,
    fusion: mode !== 'hybrid' ? undefined : fusion === 'rrf' ? { method: 'rrf' } : { method: 'convex', semanticWeight },
    freshness: {
      method,
      alpha: weighsAge ? alpha : undefined,
      halfLife: weighsAge ? halfLife : undefined,
      floor: Number.isFinite(floor) ? floor : undefined,
      pool: Number.isFinite(pool) ? pool : undefined,
    },
  };
}
