import type { ReadTable } from '../../columnar/readParquet.js';

/**
 * Columns of `rows.parquet` besides the metrics, whose names depend on cutoffs and asset types
 * (`schemas/row.schema.json` documents all of them).
 */
export const rowColumnTypes = {
  run_id: 'label',
  domain: 'label',
  stream: 'label',
  stream_kind: 'label',
  stream_uses_gold: 'int32',
  seed: 'int32',
  retriever: 'label',
  mechanism: 'label',
  mechanism_uses_gold: 'int32',
  condition: 'label',
  horizon: 'float64',
  anchor_position: 'int32',
  quartile: 'int32',
  request_id: 'label',
  request: 'int32',
  anchor_clock: 'instant',
  corpus_rows: 'int32',
  trace_depth: 'int32',
  capacity: 'int32',
  base_depth: 'int32',
  output_depth: 'int32',
  slots_filled: 'int32',
  selected_positions: 'list<int32>',
  selected_event_ids: 'list<label>',
  selected_observed_at: 'list<instant>',
  newest_dependency_at: 'list<instant>',
  similarities: 'list<float64>',
  future_slots: 'int32',
  tvr: 'float64',
  list_length: 'int32',
  ranking: 'list<int32>',
  corpus_hash: 'label',
  snapshot_hash: 'label',
  types_hash: 'label',
  requests_hash: 'label',
  index_hash: 'label',
  stream_hash: 'label',
  event_log_hash: 'label',
  memory_events: 'int32',
  memory_hash: 'label',
  model_hash: 'label',
  selection_hash: 'string',
  ranking_hash: 'string',
} as const;

/** Columns that effects are estimated from, besides the metrics. */
export const effectColumns = [
  'run_id',
  'domain',
  'stream',
  'stream_kind',
  'stream_uses_gold',
  'seed',
  'retriever',
  'mechanism',
  'mechanism_uses_gold',
  'condition',
  'anchor_position',
  'quartile',
  'request',
  'capacity',
  'slots_filled',
  'similarities',
  'tvr',
] as const satisfies readonly (keyof typeof rowColumnTypes)[];

/** Columns whose values name a shard: consecutive rows that agree in them belong together. */
export const shardColumns = ['run_id', 'domain', 'stream', 'seed', 'retriever', 'mechanism'] as const;

/** What effects are estimated from: the rows of one shard without selections, rankings and hashes. */
export type EffectTable = Pick<RowTable, 'rows' | 'metrics' | (typeof effectColumns)[number]>;

/** Rows of one shard as read back from a file, metrics apart. NaN in a metric stands for null. */
export interface RowTable extends ReadTable<typeof rowColumnTypes> {
  /** By metric name, [rows]. */
  readonly metrics: ReadonlyMap<string, Float64Array>;
}
