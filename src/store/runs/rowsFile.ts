import type { ShardNames } from '../../audit/contract/artefacts.js';
import { type Column, stridedShape } from '../../columnar/columns.js';
import { copyQuery } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';
import { type ColumnRequest, type RowFilter, readParquetRuns } from '../../columnar/readParquet.js';
import { horizonOf } from '../../memory/conditions.js';
import { hashBytes } from '../../replay/commitments.js';
import type { HistoricalState } from '../../replay/historicalState.js';
import type { RowBatch } from '../../replay/rows/rowBatch.js';
import {
  type EffectTable,
  effectColumns,
  type RowTable,
  rowColumnTypes,
  shardColumns,
} from '../../replay/rows/rowTable.js';

/** What the rows of a file need besides the batch. */
export interface RowsContext {
  readonly runId: string;
  /** By request index. */
  readonly requestIds: readonly string[];
  /** Position -> request index. */
  readonly order: Uint32Array;
  readonly streamUsesGold: boolean;
  readonly mechanismUsesGold: boolean;
}

/** A batch as the columns of `rows.parquet`; `schemas/row.schema.json` documents them. */
export function rowColumns(batch: RowBatch, context: RowsContext): Column[] {
  const { key, hashes, budgets } = batch;
  const slots = stridedShape(batch.slotsFilled, budgets.capacity);
  const conditions = batch.conditionNames.length;
  /** The rows of an anchor, one a condition, share its state. */
  const atAnchors = <T>(value: (state: HistoricalState) => T): T[] =>
    Array.from({ length: batch.size }, (_, row) => value(batch.states[Math.floor(row / conditions)]!));
  const selectedRequests = batch.selectedPositions.map((position) => context.order[position]!);
  return [
    { name: 'run_id', type: 'constant', value: context.runId },
    { name: 'domain', type: 'constant', value: key.domain },
    { name: 'stream', type: 'constant', value: key.stream },
    { name: 'stream_kind', type: 'constant', value: key.streamKind },
    { name: 'stream_uses_gold', type: 'constant-boolean', value: context.streamUsesGold },
    { name: 'seed', type: 'constant-int32', value: key.seed },
    { name: 'retriever', type: 'constant', value: key.retriever },
    { name: 'mechanism', type: 'constant', value: key.mechanism },
    { name: 'mechanism_uses_gold', type: 'constant-boolean', value: context.mechanismUsesGold },
    {
      name: 'condition',
      type: 'string',
      values: Array.from(batch.condition, (condition) => batch.conditionNames[condition]!),
    },
    {
      name: 'horizon',
      type: 'int32',
      values: Float64Array.from(
        batch.condition,
        (condition) => horizonOf(batch.conditionNames[condition]!) ?? Number.NaN,
      ),
    },
    { name: 'anchor_position', type: 'int32', values: batch.anchorPosition },
    { name: 'quartile', type: 'int32', values: batch.quartile },
    {
      name: 'request_id',
      type: 'string',
      values: Array.from(batch.request, (request) => context.requestIds[request]!),
    },
    { name: 'request', type: 'int32', values: batch.request },
    { name: 'anchor_clock', type: 'instant', values: batch.anchorClock },
    { name: 'corpus_rows', type: 'int32', values: batch.visibleRows },
    { name: 'trace_depth', type: 'constant-int32', value: budgets.traceDepth },
    { name: 'capacity', type: 'constant-int32', value: budgets.capacity },
    { name: 'base_depth', type: 'constant-int32', value: budgets.baseDepth },
    { name: 'output_depth', type: 'constant-int32', value: budgets.outputDepth },
    { name: 'slots_filled', type: 'int32', values: batch.slotsFilled },
    { name: 'selected_positions', type: 'list<int32>', ...slots, values: batch.selectedPositions },
    {
      name: 'selected_event_ids',
      type: 'list<string>',
      ...slots,
      values: selectedRequests,
      dictionary: context.requestIds,
    },
    { name: 'selected_observed_at', type: 'list<instant>', ...slots, values: batch.selectedObservedAt },
    { name: 'newest_dependency_at', type: 'list<instant>', ...slots, values: batch.selectedDependencyAt },
    { name: 'similarities', type: 'list<float64>', ...slots, values: batch.selectedSimilarities },
    { name: 'future_slots', type: 'int32', values: batch.futureSlots },
    { name: 'tvr', type: 'float64', values: batch.temporalViolationRate },
    { name: 'list_length', type: 'int32', values: batch.listLength },
    {
      name: 'ranking',
      type: 'list<int32>',
      ...stridedShape(batch.listLength, budgets.outputDepth),
      values: batch.ranking,
    },
    ...Array.from(
      batch.metrics,
      ([name, values]): Column =>
        name === 'rank_80' ? { name, type: 'int32', values } : { name, type: 'float64', values },
    ),
    { name: 'corpus_hash', type: 'constant', value: hashes.corpus },
    { name: 'snapshot_hash', type: 'string', values: atAnchors(({ snapshotRoot }) => snapshotRoot) },
    { name: 'types_hash', type: 'constant', value: hashes.types },
    { name: 'requests_hash', type: 'constant', value: hashes.requests },
    { name: 'index_hash', type: 'constant', value: hashes.index },
    { name: 'stream_hash', type: 'constant', value: hashes.stream },
    { name: 'event_log_hash', type: 'constant', value: hashes.eventLog },
    { name: 'memory_events', type: 'int32', values: Uint32Array.from(atAnchors(({ memoryEvents }) => memoryEvents)) },
    { name: 'memory_hash', type: 'string', values: atAnchors(({ memoryRoot }) => memoryRoot) },
    { name: 'model_hash', type: 'constant', value: hashes.model },
    { name: 'selection_hash', type: 'string', values: hexRows(batch.selectionHash, batch.size) },
    { name: 'ranking_hash', type: 'string', values: hexRows(batch.rankingHash, batch.size) },
  ];
}

/** @param hashes [rows, 32] */
function hexRows(hashes: Uint8Array, rows: number): string[] {
  const hex = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString('hex');
  return Array.from({ length: rows }, (_, row) => hex.slice(row * 2 * hashBytes, (row + 1) * 2 * hashBytes));
}

/**
 * Streams the rows of a file, shard by shard.
 * @param metricNames as of `rowMetricNames`
 * @throws ForeignFileError when the file cannot be read
 */
export function readRows(file: string, metricNames: readonly string[], filter?: RowFilter): AsyncGenerator<RowTable> {
  return readShards(file, metricNames, rowColumnTypes, filter) as AsyncGenerator<RowTable>;
}

/** Streams the names of the shards of a file, each with the number of rows that it has in a row. */
export async function* readShardRuns(file: string): AsyncGenerator<ShardNames & { rows: number }> {
  const types = Object.fromEntries(shardColumns.map((name) => [name, rowColumnTypes[name]]));
  for await (const table of readParquetRuns(file, types, shardColumns)) {
    const names = Object.fromEntries(shardColumns.map((name) => [name, (table[name] as ArrayLike<unknown>)[0]]));
    yield { ...(names as unknown as ShardNames), rows: table.rows };
  }
}

/** The columns of `readRows` that effects are estimated from. */
export function readEffectRows(file: string, metricNames: readonly string[]): AsyncGenerator<EffectTable> {
  const types = Object.fromEntries(effectColumns.map((name) => [name, rowColumnTypes[name]]));
  return readShards(file, metricNames, types) as AsyncGenerator<EffectTable>;
}

async function* readShards(file: string, metricNames: readonly string[], columns: ColumnRequest, filter?: RowFilter) {
  const metricTypes = Object.fromEntries(metricNames.map((name) => [name, 'float64' as const]));
  for await (const table of readParquetRuns(file, { ...metricTypes, ...columns }, shardColumns, filter)) {
    const metrics = new Map(metricNames.map((name) => [name, table[name] as Float64Array]));
    yield { ...table, metrics };
  }
}

/** Writes the rows of a Parquet file as JSON Lines: the same rows give the same bytes. */
export async function writeJsonLines(rows: string, target: string): Promise<void> {
  await copyQuery(`FROM read_parquet(${quotePath(rows)})`, target, 'FORMAT json');
}
