import { InvalidInputError } from '../../errors/InvalidInputError.js';
import type { EffectTable } from './rowTable.js';

/** What identifies a cell: the shards that differ only in their seed are pooled (PIT Discovery section 5.3). */
export interface CellKey {
  readonly domain: string;
  readonly stream: string;
  readonly streamKind: string;
  readonly streamUsesGold: boolean;
  readonly retriever: string;
  readonly mechanism: string;
  readonly mechanismUsesGold: boolean;
}

/** Per-anchor columns of one condition. */
export interface ConditionColumns {
  /** By metric name, [anchors]. */
  readonly metrics: ReadonlyMap<string, number[]>;
  readonly slotsFilled: number[];
  readonly temporalViolationRate: number[];
  /** Similarity of the nearest selected entry; NaN where none was selected. */
  readonly nearest: number[];
}

/** Rows of a cell, turned round: for every condition its columns over the same anchors, in the order of the rows. */
export class CellRows {
  readonly key: CellKey;
  readonly seeds: number[] = [];
  /** [anchors] request index: the cluster of the bootstrap. */
  readonly request: number[] = [];
  /** [anchors] */
  readonly quartile: number[] = [];
  readonly capacity: number;
  readonly conditions: ReadonlyMap<string, ConditionColumns>;

  constructor(key: CellKey, capacity: number, conditionNames: readonly string[], metricNames: readonly string[]) {
    this.key = key;
    this.capacity = capacity;
    this.conditions = new Map(
      conditionNames.map((name) => [
        name,
        {
          metrics: new Map(metricNames.map((metric) => [metric, []])),
          slotsFilled: [],
          temporalViolationRate: [],
          nearest: [],
        },
      ]),
    );
  }

  get anchors(): number {
    return this.request.length;
  }

  condition(name: string): ConditionColumns {
    return this.conditions.get(name)!;
  }
}

/** Collects the rows of a run, shard by shard, into cells. */
export class CellCollector {
  readonly #source: string;
  readonly #cells = new Map<string, CellRows>();

  /** @param source file name for error messages */
  constructor(source: string) {
    this.#source = source;
  }

  /** Cells in the order of their first rows. */
  cells(): CellRows[] {
    return [...this.#cells.values()];
  }

  /** @throws InvalidInputError when the rows do not come as anchors with the same conditions each */
  add(table: EffectTable): void {
    if (table.rows === 0) return;
    const cell = this.#cellOf(table);
    cell.seeds.push(table.seed[0]!);
    const names = [...cell.conditions.keys()];
    for (let row = 0; row < table.rows; row++) {
      const expected = names[row % names.length]!;
      const first = row - (row % names.length);
      if (table.condition[row] !== expected || table.anchor_position[row] !== table.anchor_position[first]) {
        throw new InvalidInputError({
          location: { file: this.#source, row: row + 1, field: `anchor ${table.anchor_position[first]}: condition` },
          value: table.condition[row],
          expected,
        });
      }
      if (row === first) {
        cell.request.push(table.request[row]!);
        cell.quartile.push(table.quartile[row]!);
      }
      const columns = cell.condition(expected);
      for (const [metric, values] of columns.metrics) values.push(table.metrics.get(metric)![row]!);
      columns.slotsFilled.push(table.slots_filled[row]!);
      columns.temporalViolationRate.push(table.tvr[row]!);
      columns.nearest.push(
        table.slots_filled[row] === 0 ? Number.NaN : table.similarities.values[table.similarities.offsets[row]!]!,
      );
    }
    if (table.rows % names.length !== 0) {
      throw new InvalidInputError({
        location: { file: this.#source, field: 'rows of the last anchor' },
        value: table.rows % names.length,
        expected: `one for each of ${names.length} conditions`,
      });
    }
  }

  #cellOf(table: EffectTable): CellRows {
    const key: CellKey = {
      domain: table.domain[0]!,
      stream: table.stream[0]!,
      streamKind: table.stream_kind[0]!,
      streamUsesGold: table.stream_uses_gold[0] === 1,
      retriever: table.retriever[0]!,
      mechanism: table.mechanism[0]!,
      mechanismUsesGold: table.mechanism_uses_gold[0] === 1,
    };
    const identity = JSON.stringify(key);
    const known = this.#cells.get(identity);
    if (known) return known;
    const conditionNames: string[] = [];
    for (let row = 0; row < table.rows && table.anchor_position[row] === table.anchor_position[0]; row++) {
      conditionNames.push(table.condition[row]!);
    }
    const cell = new CellRows(key, table.capacity[0]!, [...new Set(conditionNames)], [...table.metrics.keys()]);
    this.#cells.set(identity, cell);
    return cell;
  }
}
