import { InvalidInputError } from '../errors/InvalidInputError.js';
import type { Instant } from '../time/instant.js';
import { type Asset, assetText, type TableText } from './asset.js';

/**
 * A frozen asset collection, column by column, in availability order (then id order): the snapshot D_t is the prefix of
 * rows with `availableAt <= t`. A row number is the asset's identity inside a run.
 */
export interface Corpus {
  readonly size: number;
  /** [size] asset ids. */
  readonly ids: readonly string[];
  /** [size] the text that retrieval sees. */
  readonly texts: readonly string[];
  /** Distinct asset types in code-unit order. */
  readonly typeNames: readonly string[];
  /** [size] index into `typeNames`: the type vector. */
  readonly types: Uint16Array;
  /** [size] c(a) in epoch milliseconds, ascending; -Infinity where the asset was always available. */
  readonly availableAt: Float64Array;
  /** [size] event time in epoch milliseconds; NaN where unknown. */
  readonly eventAt: Float64Array;
  /** [size] rank of the row's id among all ids in code-unit order: the last tie-breaker of every ranking. */
  readonly idOrder: Uint32Array;
  /** Row of an id, or undefined. */
  rowOf(id: string): number | undefined;
}

/** What a `Uint16Array` can tell apart. */
const mostTypes = 2 ** 16;

/** Code-unit order, the only string order in asof (never a locale's). */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Builds the columns. The order of the input does not matter.
 * @throws InvalidInputError when two assets share an id, or there are more than 65,536 types
 */
export function buildCorpus(
  assets: readonly Asset[],
  options: { tableText?: TableText; source?: string } = {},
): Corpus {
  const size = assets.length;
  const byId = Array.from(assets.keys()).sort((a, b) => compareCodeUnits(assets[a]!.id, assets[b]!.id));
  const idRankOfInput = new Uint32Array(size);
  for (let rank = 0; rank < size; rank++) {
    const input = byId[rank]!;
    if (rank > 0 && assets[byId[rank - 1]!]!.id === assets[input]!.id) {
      throw new InvalidInputError({
        location: { file: options.source ?? 'assets', field: 'id' },
        value: assets[input]!.id,
        expected: 'an id that no other asset has',
      });
    }
    idRankOfInput[input] = rank;
  }
  const clock = (input: number) => assets[input]!.availableAt ?? Number.NEGATIVE_INFINITY;
  // byId is in id order and sort is stable, so equal clocks stay in id order.
  const order = byId.sort((a, b) => {
    const ca = clock(a);
    const cb = clock(b);
    return ca < cb ? -1 : ca > cb ? 1 : 0;
  });

  const typeNames = [...new Set(assets.map((asset) => asset.type))].sort(compareCodeUnits);
  if (typeNames.length > mostTypes) {
    throw new InvalidInputError({
      location: { file: options.source ?? 'assets', field: 'type' },
      value: `${typeNames.length} different types`,
      expected: `at most ${mostTypes}`,
    });
  }
  const typeCode = new Map(typeNames.map((name, code) => [name, code]));
  const ids: string[] = [];
  const texts: string[] = [];
  const types = new Uint16Array(size);
  const availableAt = new Float64Array(size);
  const eventAt = new Float64Array(size);
  const idOrder = new Uint32Array(size);
  const rows = new Map<string, number>();
  for (const [row, input] of order.entries()) {
    const asset = assets[input]!;
    ids.push(asset.id);
    texts.push(assetText(asset, options.tableText));
    types[row] = typeCode.get(asset.type)!;
    availableAt[row] = clock(input);
    eventAt[row] = asset.eventAt ?? Number.NaN;
    idOrder[row] = idRankOfInput[input]!;
    rows.set(asset.id, row);
  }
  return { size, ids, texts, typeNames, types, availableAt, eventAt, idOrder, rowOf: (id) => rows.get(id) };
}

/**
 * Number of rows in the snapshot D_t: those with `availableAt <= t` (inclusive; architecture, three clocks). Of a
 * corpus, or of any rows in availability order.
 */
export function snapshotSize(corpus: Pick<Corpus, 'size' | 'availableAt'>, t: Instant): number {
  let low = 0;
  let high = corpus.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (corpus.availableAt[middle]! <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}
