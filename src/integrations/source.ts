import type { SearchAnswer, SearchHit } from '../search/answer.js';
import type { AsOfSearchOptions } from '../search/SearchableWorkspace.js';
import { formatInstant } from '../time/formatInstant.js';
import type { Instant } from '../time/instant.js';

/** What a retriever of a framework searches: a workspace, or anything with its `search`. */
export interface AsOfSource {
  /** Answers a query as of `options.asOf`. */
  search(query: string, options: AsOfSearchOptions): Promise<SearchAnswer>;
}

/** What is searched, as of when, and how. */
export interface AsOfRetrieverOptions extends Omit<AsOfSearchOptions, 'asOf'> {
  /** A workspace that is open, or anything else with its `search`. */
  readonly source: AsOfSource;
  /** t, or a clock that is asked with every query: asof itself reads none. */
  readonly asOf: Instant | (() => Instant);
}

/** Searches as the options say. */
export function searchSource(query: string, options: AsOfRetrieverOptions): Promise<SearchAnswer> {
  const { source, asOf, ...search } = options;
  return source.search(query, { ...search, asOf: typeof asOf === 'function' ? asOf() : asOf });
}

/** What a framework keeps beside a text: clocks, scores, and the state that the answer was computed from. */
export interface AsOfMetadata {
  /** Id of the asset, its title and its type. */
  id: string;
  title: string | null;
  type: string;
  /** The score that ranks, and the rank from 1. */
  score: number;
  rank: number;
  /** Event time, availability time, and t: ISO 8601, UTC. */
  eventAt: string;
  availableAt: string;
  asOf: string;
  /** What the mode ranks by, without age. */
  relevance: number;
  /** max(0, t - event time), milliseconds. */
  age: number;
  /** 0.5^(age / half-life). */
  decay: number;
  /** SHA-256 of the asset's content. */
  contentHash: string;
  /** Commitment to the corpus as of t, and hash of θ. */
  corpusRoot: string;
  modelHash: string;
}

/** What a framework keeps beside the text of a hit. */
export function metadataOf(hit: SearchHit, { asOf, state }: SearchAnswer): AsOfMetadata {
  const { id, title = null, type, score, rank, eventAt, availableAt, contentHash, explanation } = hit;
  const { relevance, age, decay } = explanation;
  return {
    ...{ id, title, type, score, rank, relevance, age, decay, contentHash },
    eventAt: formatInstant(eventAt),
    availableAt: formatInstant(availableAt),
    asOf: formatInstant(asOf),
    corpusRoot: state.corpus.root,
    modelHash: state.model.hash,
  };
}
