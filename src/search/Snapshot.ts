import { canonicalJson } from '../commitment/canonicalJson.js';
import { sha256Hex } from '../commitment/sha256.js';
import { snapshotSize } from '../corpus/corpus.js';
import type { Embedder } from '../embedding/Embedder.js';
import type { Analyzer } from '../retrieval/analysis/Analyzer.js';
import { IndexSnapshot } from '../retrieval/bm25/IndexSnapshot.js';
import { SegmentedBm25 } from '../retrieval/bm25/SegmentedBm25.js';
import { SegmentedSnapshot } from '../retrieval/bm25/SegmentedSnapshot.js';
import type { DensePart } from '../retrieval/dense/SegmentedDense.js';
import { searchDenseParts } from '../retrieval/dense/SegmentedDense.js';
import type { FreshnessCandidates } from '../retrieval/freshness/candidates.js';
import { matchTerms } from '../retrieval/freshness/matchTerms.js';
import { type FreshnessRanking, rankFreshness } from '../retrieval/freshness/rankFreshness.js';
import { convexFusion } from '../retrieval/hybrid/convexFusion.js';
import { reciprocalRankFusion } from '../retrieval/hybrid/reciprocalRankFusion.js';
import { type RankedBlock, rankedRows, rankedScores } from '../retrieval/ranking.js';
import { partOf } from '../store/workspace/rowRuns.js';
import type { SegmentRows } from '../store/workspace/segmentRows.js';
import type { StateCommitment } from '../store/workspace/stateCommitments.js';
import { formatInstant } from '../time/formatInstant.js';
import type { Instant } from '../time/instant.js';
import type { ApproximateBlocks } from './ApproximateBlocks.js';
import type { ModelState, SearchAnswer } from './answer.js';
import type { EmbedderRecord } from './embedderRecord.js';
import { type BaseLists, explainHits, withoutRows } from './hits.js';
import type { ModelRegistry } from './modelRegistry.js';
import { noVectors } from './noVectors.js';
import type { SegmentIndexes } from './SegmentIndexes.js';
import { describeModel, type SearchOptions, type SearchSettings, searchSettings } from './settings.js';
import type { VersionCache } from './VersionCache.js';

/** What a generation of a workspace offers to its snapshots. */
export interface SearchSources {
  readonly segments: readonly SegmentRows[];
  /** [segments] number of each segment's first row; rows are numbered through all segments. */
  readonly firstRows: readonly number[];
  /** [rows] rank of each row's id. */
  readonly idOrder: Uint32Array;
  readonly indexes: SegmentIndexes;
  readonly versions: VersionCache;
  /** Where answers leave the θ that they name. */
  readonly models: ModelRegistry;
  readonly analyzer: Analyzer;
  /** Keeps what texts write as names, in the terms of `analyzer`. */
  readonly nameAnalyzer: Analyzer;
  /** Graphs for approximate search; @throws InvalidArgumentError when a text has no vector */
  approximate(): Promise<ApproximateBlocks>;
  /** Rows of a block of approximate search. */
  readonly blockRows: number;
  /** Of the workspace's vectors; undefined where it has none. */
  readonly embedderRecord: EmbedderRecord | undefined;
  /** @throws InvalidArgumentError when the workspace has no vectors */
  embedder(): Promise<Embedder>;
}

/** The part of a segment that D_t holds. */
interface Part {
  readonly segment: SegmentRows;
  readonly firstRow: number;
  /** Rows of the prefix. */
  readonly size: number;
  /** [size] 1 where a row is superseded or withdrawn as of t. */
  readonly dead: Uint8Array;
}

/** D_t, ready to be searched: of every segment a prefix, less what was superseded or withdrawn by t. */
export class Snapshot {
  readonly asOf: Instant;
  /** Identity of the corpus as of t. */
  readonly state: StateCommitment;
  /** Assets in D_t. */
  readonly documentCount: number;
  readonly #sources: SearchSources;
  readonly #parts: readonly Part[];
  /** [parts] */
  readonly #firstRows: readonly number[];
  #words: Promise<{ snapshot: SegmentedSnapshot; bm25: SegmentedBm25 }> | undefined;
  #names: Promise<SegmentedSnapshot> | undefined;

  /** For `SearchableWorkspace`. */
  constructor(sources: SearchSources, state: StateCommitment) {
    const { asOf } = state;
    this.asOf = asOf;
    this.state = state;
    this.#sources = sources;
    let documentCount = 0;
    const parts: Part[] = [];
    for (const [at, segment] of sources.segments.entries()) {
      const size = snapshotSize(segment, asOf);
      if (size === 0) continue;
      const dead = new Uint8Array(size);
      let deadCount = 0;
      for (let row = 0; row < size; row++) {
        if (segment.endsAt[row]! > asOf) continue;
        dead[row] = 1;
        deadCount++;
      }
      documentCount += size - deadCount;
      parts.push({ segment, firstRow: sources.firstRows[at]!, size, dead });
    }
    this.#parts = parts;
    this.#firstRows = parts.map(({ firstRow }) => firstRow);
    this.documentCount = documentCount;
  }

  /**
   * Searches D_t.
   *
   * @throws InvalidArgumentError when an option is out of its bounds, or the mode needs vectors that are not there
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    const settings = searchSettings(options);
    const { embedderRecord } = this.#sources;
    const usesVectors = settings.mode === 'semantic' || settings.mode === 'hybrid';
    if (usesVectors && embedderRecord === undefined) throw noVectors(settings.mode);
    const parameters = describeModel(settings, this.#sources);
    const model: ModelState = { hash: sha256Hex(canonicalJson(parameters)), parameters };
    await this.#sources.models.note(model);
    const { intent } = options;
    const { ranking, lists } = await this.#rank(intent?.text ?? query, settings);
    const locate = (row: number) => {
      const { segment, firstRow } = this.#parts[this.#partOf(row)]!;
      return { segment, row: row - firstRow };
    };
    const hits = await explainHits(ranking, lists, locate, this.#sources.versions);
    const note =
      this.documentCount === 0
        ? `no asset was available by ${formatInstant(this.asOf)}`
        : hits.length === 0
          ? 'no asset of the snapshot matches'
          : undefined;
    return {
      query,
      asOf: this.asOf,
      ...(intent !== undefined && { intent }),
      state: { corpus: this.state, model },
      documents: this.documentCount,
      halfLife: ranking.halfLife,
      ...(note !== undefined && { note }),
      hits,
    };
  }

  async #rank(query: string, settings: SearchSettings): Promise<{ ranking: FreshnessRanking; lists: BaseLists }> {
    const { freshness, mode, limit } = settings;
    const excluded = this.#excluded(settings);
    if (mode === 'fresh') {
      const candidates = await this.#coverageCandidates(query);
      if (excluded === undefined) return { ranking: rankFreshness(candidates, freshness), lists: {} };
      // Terms are weighed among all of D_t; what lies outside of the asked time is left out afterwards.
      const depth = Math.max(1, candidates.rows.length);
      const ranking = rankFreshness(candidates, { ...freshness, depth });
      return { ranking: withoutRows(ranking, (row) => this.#isExcluded(row, excluded), limit), lists: {} };
    }
    // Where age does not count, no asset beyond the limit can come in; fusion needs the ends of both lists.
    const isCut = freshness.method === 'similarity' && mode !== 'hybrid' && !Number.isFinite(freshness.floor);
    const depth = Math.min(isCut ? limit : Number.MAX_SAFE_INTEGER, freshness.pool, Math.max(1, this.#rowCount));
    const lists: BaseLists = {
      lexical: mode === 'semantic' ? undefined : (await this.#lexical()).bm25.rank(query, depth, excluded),
      semantic: mode === 'lexical' ? undefined : await this.#semanticList(query, depth, excluded, settings.approximate),
    };
    const list = this.#fuse(lists, settings, depth);
    return { ranking: rankFreshness(this.#candidatesOf(list), freshness), lists };
  }

  #fuse({ lexical, semantic }: BaseLists, settings: SearchSettings, depth: number): RankedBlock {
    const { idOrder } = this.#sources;
    const { mode, fusion, semanticWeight, freshness } = settings;
    if (mode === 'semantic') return semantic!;
    if (mode === 'lexical') {
      // BM25 has no upper bound: beside a decay in [0, 1] it is scaled to [0, 1] as well.
      return freshness.method === 'fused' ? convexFusion([lexical!], { weights: [1], depth, idOrder }) : lexical!;
    }
    if (fusion === 'rrf') return reciprocalRankFusion([lexical!, semantic!], { depth, idOrder });
    return convexFusion([lexical!, semantic!], { weights: [1 - semanticWeight, semanticWeight], depth, idOrder });
  }

  #lexical(): Promise<{ snapshot: SegmentedSnapshot; bm25: SegmentedBm25 }> {
    this.#words ??= (async () => {
      const { analyzer, idOrder } = this.#sources;
      const snapshot = await this.#indexSnapshot(analyzer);
      return { snapshot, bm25: new SegmentedBm25(snapshot, analyzer, idOrder) };
    })();
    return this.#words;
  }

  async #indexSnapshot(analyzer: Analyzer): Promise<SegmentedSnapshot> {
    const parts: IndexSnapshot[] = [];
    for (const { segment, size, dead } of this.#parts) {
      parts.push(new IndexSnapshot(await this.#sources.indexes.lexical(segment, analyzer), size, { dead }));
    }
    return new SegmentedSnapshot(parts, this.#firstRows);
  }

  async #semanticList(
    query: string,
    depth: number,
    excluded: readonly Uint8Array[] | undefined,
    approximate: boolean,
  ): Promise<RankedBlock> {
    const parts: DensePart[] = [];
    for (const [at, { segment, size, firstRow, dead }] of this.#parts.entries()) {
      const index = await this.#sources.indexes.dense(segment);
      if (index === undefined) throw noVectors('semantic', segment.size);
      const hidden = excluded?.[at] ?? dead;
      parts.push({ index, rows: size, firstRow, eligible: hidden.map((flag) => 1 - flag) });
    }
    const { vectors, present } = await (await this.#sources.embedder()).embed([query]);
    if (approximate && present[0] === 1) {
      const hidden = excluded ?? this.#parts.map(({ dead }) => dead);
      const blocks = await this.#sources.approximate();
      return blocks.search(vectors, this.asOf, depth, (row) => this.#isExcluded(row, hidden));
    }
    return searchDenseParts(parts, vectors, depth, this.#sources.idOrder);
  }

  async #coverageCandidates(query: string): Promise<FreshnessCandidates> {
    const { analyzer, idOrder } = this.#sources;
    const { snapshot } = await this.#lexical();
    this.#names ??= this.#indexSnapshot(this.#sources.nameAnalyzer);
    const { rows, terms } = matchTerms(snapshot, query, analyzer, { words: snapshot, names: await this.#names });
    return {
      asOf: this.asOf,
      rows,
      ties: rows.map((row) => idOrder[row]!),
      eventAt: this.#eventTimes(rows),
      terms,
    };
  }

  #candidatesOf(list: RankedBlock): FreshnessCandidates {
    const rows = rankedRows(list, 0);
    return {
      asOf: this.asOf,
      rows,
      ties: rows.map((row) => this.#sources.idOrder[row]!),
      eventAt: this.#eventTimes(rows),
      similarity: rankedScores(list, 0),
    };
  }

  #eventTimes(rows: Uint32Array): Float64Array {
    const times = new Float64Array(rows.length);
    let part: Part | undefined;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      // Rows of one segment often follow one another.
      if (part === undefined || row < part.firstRow || row >= part.firstRow + part.size) {
        part = this.#parts[this.#partOf(row)]!;
      }
      times[at] = part.segment.eventAt[row - part.firstRow]!;
    }
    return times;
  }

  /** Of each part, [its size] 1 where a row is dead or outside of the asked time; undefined where no time is asked for. */
  #excluded({ from, to }: SearchSettings): Uint8Array[] | undefined {
    if (from === undefined && to === undefined) return undefined;
    const [first, end] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
    return this.#parts.map(({ segment: { eventAt }, dead }) =>
      dead.map((flag, row) => (flag !== 0 || eventAt[row]! < first || eventAt[row]! >= end ? 1 : 0)),
    );
  }

  #isExcluded(row: number, excluded: readonly Uint8Array[]): boolean {
    const part = this.#partOf(row);
    return excluded[part]![row - this.#parts[part]!.firstRow] !== 0;
  }

  get #rowCount(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0);
  }

  #partOf(row: number): number {
    return partOf(this.#firstRows, row);
  }
}
