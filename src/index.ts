/**
 * asof: time-honest retrieval. This is the public API, an explicit list; everything else is internal. Instants are
 * milliseconds since 1970, UTC; matrices are row-major typed arrays; no function reads a clock.
 *
 * @module asof
 */

// Workspaces and search

export type { FieldMapping, MappingTarget } from './corpus/ingest/fieldMapping.js';
export type { IngestMapping, MappingChoices } from './corpus/ingest/mapping.js';
export type { TimeDecisions } from './corpus/ingest/recordMapper.js';
export type { Explanation, ListedScore, ModelState, SearchAnswer, SearchHit } from './search/answer.js';
export type { BuildReport } from './search/buildIndexes.js';
export type { EmbedderRecord } from './search/embedderRecord.js';
export {
  type AsOfSearchOptions,
  type IndexOptions,
  type IngestAndIndexOptions,
  type OpenSearchOptions,
  openWorkspace,
  type SearchableWorkspace,
} from './search/SearchableWorkspace.js';
export type { Snapshot } from './search/Snapshot.js';
export type { FusionMethod, SearchMode, SearchOptions } from './search/settings.js';
export type { AssetVersion, DatedVersion } from './store/workspace/assetVersion.js';
export type { ExportOptions, ExportTarget } from './store/workspace/exportVersions.js';
export type { FileReport, IngestOptions, IngestProgress, IngestReport } from './store/workspace/ingest.js';
export { initWorkspace } from './store/workspace/initWorkspace.js';
export type { CommitCounts, CommitRecord, SegmentRecord } from './store/workspace/state.js';
export type { StateCommitment } from './store/workspace/stateCommitments.js';
export type { WorkspaceStatus } from './store/workspace/status.js';
export type { ShownAsset, Workspace } from './store/workspace/Workspace.js';
export type { WithdrawOptions } from './store/workspace/withdraw.js';

// Replay and effects

export type { BootstrapSettings, CellEffects, Contrasts, QuartileEffects } from './replay/effects/effects.js';
export type { RunEffects } from './replay/effects/runEffects.js';
export type { EffectRange, MechanismSummary } from './replay/effects/summary.js';
export type { Experiment } from './replay/experiment/experiment.js';
export { checkExperiment, type LineOf, readExperiment } from './replay/experiment/readExperiment.js';
export { loadMechanismFile } from './replay/mechanisms/mechanismModule.js';
export type {
  CreateMechanism,
  ModuleContext,
  ModuleInput,
  ModuleMechanism,
  ModuleParameters,
} from './replay/mechanisms/ownMechanism.js';
export type { CellKey } from './replay/rows/cellRows.js';
export type { ReplayProgress } from './replay/runReplay.js';
export { type FinishedRun, type RunExperimentOptions, runExperiment } from './store/runs/runExperiment.js';

// Audits and the gate

export type { CheckResult, ContractReport, Violation } from './audit/contract/check.js';
export type { AnswerVerdict, EntryFinding, EntryReason, GapCounts, GapReason } from './audit/external/AnswerAuditor.js';
export {
  type AuditLogOptions,
  type AuditStatus,
  auditLog,
  type LogAudit,
  type LogFile,
} from './audit/external/auditLog.js';
export type { AuditTotals, ViolationRates } from './audit/external/auditTotals.js';
export type { DuplicateRule } from './audit/external/EventGraph.js';
export type {
  FieldMap,
  LocatedAnswer,
  LocatedEvent,
  LogFormat,
  LogFormatName,
  LogOptions,
} from './audit/external/formats/logFormat.js';
export { logFormatNamed } from './audit/external/formats/logFormats.js';
export type { LogFault } from './audit/external/logFaults.js';
export { type GateDecision, type GateVerdict, gate } from './audit/gate.js';
export type { Manifest } from './audit/manifest.js';
export { type AuditFolderOptions, auditFolder } from './store/runs/auditFolder.js';
export { RunReader } from './store/runs/RunReader.js';

// Memory

export type { Condition, ConditionName } from './memory/conditions.js';
export { type AnchorClock, isEligible, temporalViolationRate } from './memory/eligibility.js';
export type { EventReads } from './memory/eventLog.js';
export type {
  MechanismContext,
  MechanismInput,
  MechanismOutput,
  MemoryMechanism,
  ViewsInput,
} from './memory/mechanisms/mechanism.js';

// Data sets

export type { Asset, AssetTable, TableText } from './corpus/asset.js';
export { buildCorpus, type Corpus, snapshotSize } from './corpus/corpus.js';
export { type Dataset, type DatasetOptions, loadDataset } from './corpus/dataset.js';
export type { DroppedCounts, DropReason } from './corpus/dropped.js';
export type { HubOptions } from './corpus/hub.js';
export type { Products } from './corpus/products.js';
export type { DatasetFormat } from './corpus/readers/datasetReader.js';
export type { InputRecord, InputRole, InputSet } from './corpus/readers/inputs.js';
export type { Requests } from './corpus/request.js';
export type { RequestDependencies } from './corpus/requestDependencies.js';

// Retrieval and freshness

export type { Analyzer } from './retrieval/analysis/Analyzer.js';
export { analyzerNamed } from './retrieval/analysis/analyzerNamed.js';
export { namesOf } from './retrieval/analysis/names.js';
export { Bm25Retriever } from './retrieval/bm25/Bm25Retriever.js';
export type { CollectionStatistics } from './retrieval/bm25/CollectionStatistics.js';
export { IndexSnapshot, type SnapshotOptions } from './retrieval/bm25/IndexSnapshot.js';
export type { InvertedIndex } from './retrieval/bm25/InvertedIndex.js';
export { buildInvertedIndex } from './retrieval/bm25/InvertedIndexBuilder.js';
export type { Bm25Parameters } from './retrieval/bm25/parameters.js';
export { DenseIndex, type DenseRows, type DenseSearchOptions } from './retrieval/dense/DenseIndex.js';
export type { CandidateTerms, FreshnessCandidates } from './retrieval/freshness/candidates.js';
export type { Coverage } from './retrieval/freshness/coverage.js';
export type { FreshnessMethod, FreshnessOptions, FreshnessSettings } from './retrieval/freshness/options.js';
export { type FreshnessRanking, rankFreshness } from './retrieval/freshness/rankFreshness.js';
export { type TermSource, termCandidates } from './retrieval/freshness/termCandidates.js';
export { type ConvexOptions, convexFusion } from './retrieval/hybrid/convexFusion.js';
export { type ReciprocalRankOptions, reciprocalRankFusion } from './retrieval/hybrid/reciprocalRankFusion.js';
export { type TemporalIntent, temporalIntent, withoutTemporalIntent } from './retrieval/intent/temporalIntent.js';
export type { TimeMeaning, TimePhrase } from './retrieval/intent/timePhrases.js';
export type { RankedBlock } from './retrieval/ranking.js';
export type { Retriever } from './retrieval/retriever.js';

// Embedding

export { CachedEmbedder } from './embedding/cache/CachedEmbedder.js';
export type { Embedder, Embeddings, EmbedOptions } from './embedding/Embedder.js';
export { EndpointEmbedder, type EndpointOptions } from './embedding/endpoint/EndpointEmbedder.js';
export { type MinilmOptions, openMinilm } from './embedding/minilm/openMinilm.js';
export { OnnxEmbedder, type OnnxEmbedderOptions } from './embedding/onnx/OnnxEmbedder.js';
export type { MatrixProduct } from './inference/MatrixProduct.js';
export type { SessionOptions } from './inference/OnnxSession.js';

// Topics

export type { ClusterCountRange, ClusterCountRule } from './clustering/chooseClusterCount.js';
export type { HdbscanOptions } from './clustering/hdbscan/hdbscan.js';
export {
  type EvaluatedWay,
  type EvaluateTopicsOptions,
  evaluateTopics,
  type TopicsEvaluation,
} from './store/topics/evaluateTopics.js';
export {
  type TrackWorkspaceOptions,
  trackWorkspace,
  verifyPublished,
  type WorkspaceTopics,
} from './store/topics/trackWorkspace.js';
export type { WorkspaceDocuments } from './store/topics/workspaceDocuments.js';
export type { LabelLeakage, SeriesEvaluation, SeriesLabel } from './topics/evaluation/evaluateSeries.js';
export type { SeriesSelection, TrendSeries } from './topics/evaluation/trendSeries.js';
export type { SliceMembers } from './topics/MemberRecorder.js';
export type { MatchingRule } from './topics/matching/matchClusters.js';
export type { PublishedSlice, TopicPoint } from './topics/publishedSlice.js';
export type { Baseline } from './topics/rules/baseline.js';
export { type BaselineRuleOptions, type BaselineState, baselineRule } from './topics/rules/baselineRule.js';
export { type DeltaRuleOptions, type DeltaState, deltaRule } from './topics/rules/deltaRule.js';
export type { Judgement, TopicObservation, TrendLabel, TrendRule } from './topics/rules/trendRule.js';
export type { ChangePointOptions } from './topics/slices/changePointSlices.js';
export type { EqualCountOptions } from './topics/slices/equalCountSlices.js';
export type { SliceRule } from './topics/slices/sliceRule.js';
export type { Vintage } from './topics/slices/timeline.js';
export type { StateValue } from './topics/state/stateValue.js';
export type { LoadedDocuments, TopicDocuments } from './topics/TopicDocuments.js';
export type { EntityShare } from './topics/terms/entityShares.js';
export type { CarriedTrackerOptions } from './topics/trackers/carried/carriedTracker.js';
export type { MatchedTrackerOptions, SliceClusterer } from './topics/trackers/matchedTracker.js';
export type { TopicEvent, TopicEventKind } from './topics/trackers/TopicTracker.js';
export {
  type RuleChoice,
  type TopicTracking,
  type TrackedSoFar,
  type TrackerChoice,
  type TrackTopicsOptions,
  trackTopics,
} from './topics/trackTopics.js';

// Evaluation

export type { ClusteredSample } from './evaluation/bootstrap/clusterMeans.js';
export {
  type BootstrapOptions,
  type Estimate,
  type NoIntervalReason,
  type PairedBootstrap,
  pairedBootstrap,
} from './evaluation/bootstrap/pairedBootstrap.js';
export type { RatioEstimate } from './evaluation/bootstrap/pairedRatio.js';
export type { Interval } from './evaluation/bootstrap/percentile.js';
export type { LabelScore, LabelScores } from './evaluation/labelScores.js';
export { type RatioEstimates, replayRatios } from './evaluation/replayRatios.js';

// Time

export type { CalendarName } from './time/calendar.js';
export { type Duration, formatDuration, parseDuration } from './time/duration.js';
export type { EpochUnit } from './time/epoch.js';
export { formatInstant } from './time/formatInstant.js';
export type { Instant } from './time/instant.js';
export { type InstantFormat, parseInstant } from './time/parseInstant.js';

// Commitments

export type { LogCommitment } from './commitment/merkleTree.js';

// Errors

export { AsofError, type ExitCode } from './errors/AsofError.js';
export { ForeignFileError } from './errors/ForeignFileError.js';
export { InvalidArgumentError } from './errors/InvalidArgumentError.js';
export { type InputLocation, InvalidInputError } from './errors/InvalidInputError.js';
export { MissingResourceError } from './errors/MissingResourceError.js';
export type { Word, Wording } from './errors/wording.js';
