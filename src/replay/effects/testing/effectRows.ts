import type { EffectTable } from '../../rows/rowTable.js';

/** One anchor of a made-up shard: values by condition. */
export interface AnchorValues {
  readonly request: number;
  readonly quartile?: number;
  /** Metric -> condition -> value; NaN for not defined. */
  readonly metrics: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Condition -> similarity of the nearest entry; 0.5 where absent. */
  readonly nearest?: Readonly<Record<string, number>>;
  readonly tvr?: Readonly<Record<string, number>>;
}

/** Rows of one shard as the effects read them, made of values by anchor. */
export function effectTable(
  anchors: readonly AnchorValues[],
  changes: Partial<Record<'domain' | 'stream' | 'stream_kind' | 'retriever' | 'mechanism', string>> & {
    seed?: number;
    usesGold?: boolean;
  } = {},
): EffectTable {
  const [first] = anchors;
  const conditions = Object.keys(Object.values(first!.metrics)[0]!);
  const rows = anchors.length * conditions.length;
  const at = <T>(value: (anchor: AnchorValues, condition: string, position: number) => T): T[] =>
    anchors.flatMap((anchor, position) => conditions.map((condition) => value(anchor, condition, position)));
  const same = (text: string) => new Array<string>(rows).fill(text);
  return {
    rows,
    run_id: same('0123456789abcdef'),
    domain: same(changes.domain ?? 'tatqa'),
    stream: same(changes.stream ?? 'random'),
    stream_kind: same(changes.stream_kind ?? 'random'),
    stream_uses_gold: new Int32Array(rows).fill(changes.usesGold ? 1 : 0),
    seed: new Int32Array(rows).fill(changes.seed ?? 1),
    retriever: same(changes.retriever ?? 'bm25'),
    mechanism: same(changes.mechanism ?? 'trace'),
    mechanism_uses_gold: new Int32Array(rows),
    condition: at((_, condition) => condition),
    anchor_position: Int32Array.from(at((_anchor, _condition, position) => position)),
    quartile: Int32Array.from(at((anchor) => anchor.quartile ?? 1)),
    request: Int32Array.from(at((anchor) => anchor.request)),
    capacity: new Int32Array(rows).fill(4),
    slots_filled: Int32Array.from(at((_, condition) => (condition === 'Stateless' ? 0 : 2))),
    similarities: {
      offsets: Uint32Array.from({ length: rows + 1 }, (_, row) => 2 * row),
      values: Float64Array.from(at((anchor, condition) => [anchor.nearest?.[condition] ?? 0.5, 0.1]).flat()),
    },
    tvr: Float64Array.from(at((anchor, condition) => anchor.tvr?.[condition] ?? 0)),
    metrics: new Map(
      Object.entries(first!.metrics).map(([metric]) => [
        metric,
        Float64Array.from(at((anchor, condition) => anchor.metrics[metric]![condition]!)),
      ]),
    ),
  };
}
