import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import type { Analyzer } from '../retrieval/analysis/Analyzer.js';
import { defaultBm25Parameters } from '../retrieval/bm25/parameters.js';
import { graphParameters } from '../retrieval/dense/ApproximateIndex.js';
import { type FreshnessOptions, type FreshnessSettings, freshnessSettings } from '../retrieval/freshness/options.js';
import type { TemporalIntent } from '../retrieval/intent/temporalIntent.js';
import { formatInstant } from '../time/formatInstant.js';
import { type Instant, isInstant } from '../time/instant.js';
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

/** How a snapshot is searched: relevance, recency, and what takes part. */
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
  /**
   * Whether `semantic` and `hybrid` may miss near neighbours to be faster: candidates come from graphs and are scored
   * exactly, so what is found has its true score. The pool is then 200 unless said otherwise.
   */
  readonly approximate?: boolean | undefined;
  /** How age counts beside relevance. Not at all by default, but in `fresh`; `fused` where only numbers are given. */
  readonly freshness?: Omit<FreshnessOptions, 'pool' | 'depth'> | undefined;
  /**
   * What the query says about time: its other words are searched for, and it narrows the event times and sets the half-life
   * where the options say nothing of it. Absent: all words are searched for.
   */
  readonly intent?: TemporalIntent | undefined;
}

/** Pool of approximate search. */
const approximatePool = 200;

/** Options with every default filled in. */
export interface SearchSettings {
  readonly mode: SearchMode;
  readonly limit: number;
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
  readonly fusion: FusionMethod;
  readonly semanticWeight: number;
  readonly approximate: boolean;
  /** Its `pool` is that of the search. */
  readonly freshness: FreshnessSettings;
}

/** @throws InvalidArgumentError when a value is out of its bounds, or does not go with the mode */
export function searchSettings(options: SearchOptions): SearchSettings {
  const { mode = 'fresh', limit = 10, fusion = 'convex', semanticWeight = 0.5, approximate = false, intent } = options;
  const pool = options.pool ?? (approximate ? Math.max(approximatePool, limit) : undefined);
  const { from, to } = narrowed(options);
  const refuse = (argument: string, value: unknown, expected: string) =>
    new InvalidArgumentError({ argument, value, expected });
  if (!searchModes.includes(mode)) throw refuse('mode', mode, `one of ${searchModes.join(', ')}`);
  if (approximate && mode !== 'semantic' && mode !== 'hybrid') {
    throw refuse('approximate', approximate, `mode semantic or hybrid beside it, not ${mode}`);
  }
  for (const argument of ['fusion', 'semanticWeight'] as const) {
    if (options[argument] !== undefined && mode !== 'hybrid') {
      throw refuse(argument, options[argument], `mode hybrid beside it, not ${mode}`);
    }
  }
  if (!(Number.isSafeInteger(limit) && limit >= 1)) throw refuse('limit', limit, 'a positive integer');
  if (fusion !== 'convex' && fusion !== 'rrf') throw refuse('fusion', fusion, 'convex or rrf');
  if (!(semanticWeight >= 0 && semanticWeight <= 1)) throw refuse('semanticWeight', semanticWeight, 'a number in 0..1');
  for (const bound of ['from', 'to'] as const) {
    const instant = options[bound];
    if (instant !== undefined && !isInstant(instant)) throw refuse(bound, instant, 'an instant');
  }
  if (options.from !== undefined && options.to !== undefined && options.from >= options.to) {
    throw refuse('to', formatInstant(options.to), `an instant after from (${formatInstant(options.from)})`);
  }
  const { freshness = {} } = options;
  // A query that asks for the newest lets recency count in every mode.
  const weighsAge = freshness.alpha !== undefined || freshness.halfLife !== undefined || intent?.wantsLatest === true;
  const method = freshness.method ?? (mode === 'fresh' ? 'coverage' : weighsAge ? 'fused' : 'similarity');
  if ((method === 'coverage') !== (mode === 'fresh')) {
    throw refuse('freshness.method', method, 'coverage with mode fresh, another one with any other mode');
  }
  const halfLife = freshness.halfLife ?? intent?.recentSpan ?? undefined;
  const settings = freshnessSettings({ ...freshness, method, halfLife, pool, depth: limit });
  return { mode, limit, from, to, fusion, semanticWeight, approximate, freshness: settings };
}

/** Event times that both the options and the query allow; there may be none. */
function narrowed({ from, to, intent }: SearchOptions): { from: Instant | undefined; to: Instant | undefined } {
  if (intent === undefined || !intent.isStrict) return { from, to };
  const froms = [from, intent.from ?? undefined].filter((instant) => instant !== undefined);
  const tos = [to, intent.before ?? undefined].filter((instant) => instant !== undefined);
  return {
    from: froms.length === 0 ? undefined : Math.max(...froms),
    to: tos.length === 0 ? undefined : Math.min(...tos),
  };
}

/** Everything fitted, tuned or chosen that an answer depends on, beside the corpus: θ (architecture, historical state). */
export function describeModel(
  settings: SearchSettings,
  sources: {
    readonly analyzer: Analyzer;
    readonly nameAnalyzer: Analyzer;
    readonly embedderRecord: EmbedderRecord | undefined;
    readonly blockRows: number;
  },
): object {
  const { mode, fusion, semanticWeight, approximate, freshness } = settings;
  const { analyzer, nameAnalyzer, embedderRecord: embedder, blockRows } = sources;
  const { method, alpha, halfLife, floor, pool } = freshness;
  const usesWords = mode !== 'semantic';
  const usesVectors = mode === 'semantic' || mode === 'hybrid';
  const weighsAge = method === 'fused' || method === 'coverage';
  return {
    mode,
    analyzer: usesWords ? analyzer.id : undefined,
    names: mode === 'fresh' ? nameAnalyzer.id : undefined,
    bm25: mode === 'lexical' || mode === 'hybrid' ? defaultBm25Parameters : undefined,
    embedder: usesVectors && embedder ? { id: embedder.id, hash: embedder.hash } : undefined,
    fusion: mode !== 'hybrid' ? undefined : fusion === 'rrf' ? { method: 'rrf' } : { method: 'convex', semanticWeight },
    approximate: approximate ? { graph: 'usearch/f16', blockRows, ...graphParameters } : undefined,
    freshness: {
      method,
      alpha: weighsAge ? alpha : undefined,
      halfLife: weighsAge ? halfLife : undefined,
      floor: Number.isFinite(floor) ? floor : undefined,
      pool: Number.isFinite(pool) ? pool : undefined,
    },
  };
}
