import { type Column, stridedShape } from '../../columnar/columns.js';
import { type ColumnRequest, readParquetRuns } from '../../columnar/readParquet.js';
import { horizonOf } from '../../memory/conditions.js';
import { hashBytes } from '../../replay/commitments.js';
import type { RowBatch } from '../../replay/rowBatch.js';
import { type EffectTable, effectColumns, type RowTable, rowColumnTypes, shardColumns } from '../../replay/rowTable.js';

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
    { name: 'types_hash', type: 'constant', value: hashes.types },
    { name: 'requests_hash', type: 'constant', value: hashes.requests },
    { name: 'index_hash', type: 'constant', value: hashes.index },
    { name: 'stream_hash', type: 'constant', value: hashes.stream },
    { name: 'event_log_hash', type: 'constant', value: hashes.eventLog },
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
export function readRows(file: string, metricNames: readonly string[]): AsyncGenerator<RowTable> {
  return readShards(file, metricNames, rowColumnTypes) as AsyncGenerator<RowTable>;
}

/** The columns of `readRows` that effects are estimated from. */
export function readEffectRows(file: string, metricNames: readonly string[]): AsyncGenerator<EffectTable> {
  const types = Object.fromEntries(effectColumns.map((name) => [name, rowColumnTypes[name]]));
  return readShards(file, metricNames, types) as AsyncGenerator<EffectTable>;
}

async function* readShards(file: string, metricNames: readonly string[], columns: ColumnRequest) {
  const metricTypes = Object.fromEntries(metricNames.map((name) => [name, 'float64' as const]));
  for await (const table of readParquetRuns(file, { ...metricTypes, ...columns }, shardColumns)) {
    const metrics = new Map(metricNames.map((name) => [name, table[name] as Float64Array]));
    yield { ...table, metrics };
  }
}
