import { type TSchema, Type } from 'typebox';
import type { rowColumnTypes } from './rowTable.js';

const sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
const whole = (description: string) => Type.Integer({ minimum: 0, description });
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** Every column of `rows.parquet` and member of `rows.jsonl`, metrics apart. */
const columns: Record<keyof typeof rowColumnTypes, TSchema> = {
  run_id: Type.String({ description: 'Run that the row belongs to' }),
  domain: Type.String({ description: 'Data set' }),
  stream: Type.String({ description: 'Arrival order, with parameters that are not the default' }),
  stream_kind: Type.Enum(['random', 'semantic', 'natural', 'gold-overlap']),
  stream_uses_gold: Type.Boolean({ description: 'The stream looked at relevance labels: a stress test' }),
  seed: whole('Seed of the stream'),
  retriever: Type.String({ description: 'Base retriever, with parameters that are not the default' }),
  mechanism: Type.String({ description: 'Memory mechanism, with parameters that are not the default' }),
  mechanism_uses_gold: Type.Boolean({ description: 'The mechanism is an oracle that reads relevance labels' }),
  condition: Type.String({ description: 'Stateless, PIT, Future, Naive, or Future-h' }),
  horizon: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'h of Future-h' }),
  anchor_position: whole('Position of the anchor in the stream, from 0'),
  quartile: Type.Integer({ minimum: 1, maximum: 4, description: 'Anchor window, or quarter of a natural stream' }),
  request_id: Type.String({ description: 'Request at the anchor' }),
  request: whole('Its index: line of requests.parquet, from 0'),
  anchor_clock: Type.Integer({
    description: 'o(q): epoch milliseconds, or the position where the stream has no clock',
  }),
  corpus_rows: whole('Rows of the snapshot at the anchor'),
  trace_depth: whole('d, entries of a trace that are read'),
  capacity: whole('Most memory entries selected'),
  base_depth: whole('Length of the base lists'),
  output_depth: whole('Length at which rankings are cut'),
  slots_filled: whole('Selected entries'),
  selected_positions: Type.Array(whole('Stream position')),
  selected_event_ids: Type.Array(Type.String(), { description: 'Requests of the selected events' }),
  selected_observed_at: Type.Array(Type.Integer(), { description: 'o(e) of each entry' }),
  newest_dependency_at: Type.Array(Type.Integer(), { description: 'Newest observation that each entry depends on' }),
  similarities: Type.Array(Type.Number({ maximum: 1 }), { description: 'To the anchor, descending' }),
  future_slots: whole('Entries not observed strictly before the anchor'),
  tvr: share('Temporal Violation Rate'),
  list_length: whole('Length of the ranking'),
  ranking: Type.Array(whole('Corpus row: line of assets.parquet, from 0'), { description: 'Best first' }),
  corpus_hash: sha256('Merkle root of the asset log'),
  snapshot_hash: sha256('Merkle root of its first `corpus_rows` entries: the snapshot D_t at the anchor'),
  types_hash: sha256('Type vector'),
  requests_hash: sha256('Requests'),
  index_hash: sha256('Retriever and base lists'),
  stream_hash: sha256('Arrival order'),
  event_log_hash: sha256('Merkle root of the event log'),
  memory_events: whole('Events observed strictly before the anchor'),
  memory_hash: sha256('Merkle root of its first `memory_events` entries: the memory M_<i before the anchor'),
  model_hash: sha256('Version of the model state: an id of `models` in the manifest'),
  selection_hash: sha256('Selected entries'),
  ranking_hash: sha256('Ranking'),
};

const metric = Type.Union([share(''), Type.Null()], { description: 'Null where the product has no asset of the type' });

/** JSON Schema of a row, published as `schemas/row.schema.json`. */
export const rowSchema: TSchema = {
  ...Type.Object(columns, { $id: 'urn:asof:row:1', title: 'asof replay row' }),
  patternProperties: {
    '^recall_\\d+$': metric,
    '^recall_\\d+_.+$': metric,
    '^coverage_\\d+$': metric,
    '^complete_\\d+$': metric,
    '^rank_80$': Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Rank at which 80% of the product is reached; null where the ranking ends before',
    }),
  },
  additionalProperties: false,
};
