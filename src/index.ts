/**
 * asof: time-honest retrieval. This is the public API, an explicit list; everything else is internal.
 */

// Replay and audit
export { auditRun } from './audit/contract/auditRun.js';
export type { ContractReport } from './audit/contract/check.js';
// Audits of foreign logs
export { auditLog } from './audit/external/auditLog.js';
export { gate } from './audit/gate.js';
export type { Manifest } from './audit/manifest.js';
// Data sets
export type { Asset } from './corpus/asset.js';
export { buildCorpus, type Corpus, snapshotSize } from './corpus/corpus.js';
export { type Dataset, type DatasetOptions, loadDataset } from './corpus/dataset.js';
export type { Requests } from './corpus/request.js';
export { CachedEmbedder } from './embedding/cache/CachedEmbedder.js';
// Embedding and retrieval
export type { Embedder, Embeddings } from './embedding/Embedder.js';
export { EndpointEmbedder } from './embedding/endpoint/EndpointEmbedder.js';
export { openMinilm } from './embedding/minilm/openMinilm.js';
export { OnnxEmbedder } from './embedding/onnx/OnnxEmbedder.js';
// Errors
export { AsofError } from './errors/AsofError.js';
export { ForeignFileError } from './errors/ForeignFileError.js';
export { InvalidArgumentError } from './errors/InvalidArgumentError.js';
export { InvalidInputError } from './errors/InvalidInputError.js';
export { MissingResourceError } from './errors/MissingResourceError.js';
// Evaluation
export { pairedBootstrap } from './evaluation/bootstrap/pairedBootstrap.js';
export { replayRatios } from './evaluation/replayRatios.js';
// Memory
export { conditionsFor } from './memory/conditions.js';
export { isEligible, temporalViolationRate } from './memory/eligibility.js';
export type {
  MechanismContext,
  MechanismInput,
  MechanismOutput,
  MemoryMechanism,
  ViewsInput,
} from './memory/mechanisms/mechanism.js';
export type { CellEffects } from './replay/effects.js';
export type { Experiment } from './replay/experiment.js';
export { loadMechanismFile } from './replay/mechanismModule.js';
export { checkExperiment, readExperiment } from './replay/readExperiment.js';
export type { RunEffects } from './replay/runEffects.js';
export { analyzerNamed } from './retrieval/analysis/analyzerNamed.js';
export { namesOf } from './retrieval/analysis/names.js';
export { Bm25Retriever } from './retrieval/bm25/Bm25Retriever.js';
export { IndexSnapshot } from './retrieval/bm25/IndexSnapshot.js';
export { buildInvertedIndex } from './retrieval/bm25/InvertedIndexBuilder.js';
export { DenseIndex } from './retrieval/dense/DenseIndex.js';
export type { FreshnessCandidates } from './retrieval/freshness/candidates.js';
export type { FreshnessMethod, FreshnessOptions } from './retrieval/freshness/options.js';
export { type FreshnessRanking, rankFreshness } from './retrieval/freshness/rankFreshness.js';
export { termCandidates } from './retrieval/freshness/termCandidates.js';
export { convexFusion } from './retrieval/hybrid/convexFusion.js';
export { reciprocalRankFusion } from './retrieval/hybrid/reciprocalRankFusion.js';
export { type TemporalIntent, temporalIntent, withoutTemporalIntent } from './retrieval/intent/temporalIntent.js';
export type { RankedBlock } from './retrieval/ranking.js';
export type { Retriever } from './retrieval/retriever.js';
// Workspaces
export type { Explanation, SearchAnswer, SearchHit } from './search/answer.js';
export { type OpenSearchOptions, openWorkspace, type SearchableWorkspace } from './search/SearchableWorkspace.js';
export type { Snapshot } from './search/Snapshot.js';
export type { SearchMode, SearchOptions } from './search/settings.js';
export { RunReader } from './store/runs/RunReader.js';
export { type FinishedRun, type RunExperimentOptions, runExperiment } from './store/runs/runExperiment.js';
// Topics
export { type EvaluateTopicsOptions, evaluateTopics, type TopicsEvaluation } from './store/topics/evaluateTopics.js';
export {
  type TrackWorkspaceOptions,
  trackWorkspace,
  verifyPublished,
  type WorkspaceTopics,
} from './store/topics/trackWorkspace.js';
// Workspaces
export { initWorkspace } from './store/workspace/initWorkspace.js';
export type { Workspace } from './store/workspace/Workspace.js';
// Time
export { formatDuration, parseDuration } from './time/duration.js';
export { formatInstant } from './time/formatInstant.js';
export type { Instant } from './time/instant.js';
export { parseInstant } from './time/parseInstant.js';
export type { PublishedSlice, TopicPoint } from './topics/publishedSlice.js';
export { baselineRule } from './topics/rules/baselineRule.js';
export { deltaRule } from './topics/rules/deltaRule.js';
export type { TrendLabel, TrendRule } from './topics/rules/trendRule.js';
export type { SliceRule } from './topics/slices/sliceRule.js';
export { timelineAsOf } from './topics/slices/timeline.js';
export type { TopicDocuments } from './topics/TopicDocuments.js';
export { createModel, type TopicTracking, type TrackTopicsOptions, trackTopics } from './topics/trackTopics.js';
