import { horizonOf } from '../../memory/conditions.js';
import { inRun, runLayout } from './layout.js';
import type { RunReader } from './RunReader.js';
import type { CellValue, RunRows } from './RunRows.js';

/** Which anchor: a position of a stream, as one retriever and mechanism saw it. */
export interface AnchorKey {
  readonly domain: string;
  readonly stream: string;
  readonly seed: number;
  readonly retriever: string;
  readonly mechanism: string;
  readonly position: number;
}

/** An event that a memory view selected. */
export interface SelectedEvent {
  readonly position: number;
  readonly id: string;
  readonly observedAt: number;
  /** Newest observation among all that it depends on: what eligibility is decided on. */
  readonly newestDependencyAt: number;
  readonly similarity: number;
  /** Whether that is not strictly before the anchor: nothing a past-only memory may hold. */
  readonly isFuture: boolean;
}

export interface RankedAsset {
  readonly id: string;
  readonly type: string;
  /** Rank in the base list, from 1; null when it is not in it. */
  readonly baseRank: number | null;
  /** Whether it is part of the product of the request. */
  readonly isRelevant: boolean;
}

export interface AnchorView {
  readonly condition: string;
  readonly horizon: number | null;
  readonly slotsFilled: number;
  readonly futureSlots: number;
  readonly temporalViolationRate: number;
  readonly selected: readonly SelectedEvent[];
  readonly ranking: readonly RankedAsset[];
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly selectionHash: string;
  readonly rankingHash: string;
}

/** All that a run holds about one anchor. */
export interface AnchorDetails extends AnchorKey {
  readonly quartile: number;
  /** Epoch milliseconds, or the position where the stream has no clock. */
  readonly clock: number;
  readonly clockKind: 'recorded' | 'position';
  readonly events: number;
  readonly request: { readonly id: string; readonly text: string | null };
  readonly base: readonly (RankedAsset & { readonly score: number })[];
  readonly views: readonly AnchorView[];
}

const viewColumns = [
  'condition',
  'slots_filled',
  'future_slots',
  'tvr',
  'selected_positions',
  'selected_event_ids',
  'selected_observed_at',
  'newest_dependency_at',
  'similarities',
  'ranking',
  'selection_hash',
  'ranking_hash',
  'quartile',
  'request_id',
  'request',
  'anchor_clock',
] as const;

type ViewColumn = (typeof viewColumns)[number];

/**
 * Reads one anchor of a run: the base list, and for every condition what its memory selected and what it ranked.
 * @param depth entries of each list
 * @returns undefined when the run has no such anchor
 */
export async function readAnchor(
  run: RunReader,
  rows: RunRows,
  key: AnchorKey,
  depth: number,
): Promise<AnchorDetails | undefined> {
  const { domain, stream, seed, retriever, mechanism, position } = key;
  const recorded = run.manifest.domains.find(({ name }) => name === domain);
  const recordedStream = recorded?.streams.find((known) => known.label === stream && known.seed === seed);
  if (recorded === undefined || recordedStream === undefined) return undefined;
  const { metrics } = run.manifest;
  const { rows: found } = await rows.page(inRun(run.folder, runLayout.rows), {
    where: {
      domain: [domain],
      stream: [stream],
      seed: [seed],
      retriever: [retriever],
      mechanism: [mechanism],
      anchor_position: [position],
    },
    columns: [...viewColumns, ...metrics],
    limit: 1000,
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const cell = <T extends CellValue>(row: readonly CellValue[], name: ViewColumn) =>
    row[viewColumns.indexOf(name)] as T;

  const request = cell<number>(first, 'request');
  const [text, product] = (await rows.rowAt(inRun(run.folder, runLayout.requests(domain)), request, [
    'text',
    'product',
  ])) as [string | null, number[]];
  const [baseRows, baseScores] = (await rows.rowAt(inRun(run.folder, runLayout.base(domain, retriever)), request, [
    'ranked',
    'scores',
  ])) as [number[], number[]];
  const rankings = found.map((row) => cell<number[]>(row, 'ranking').slice(0, depth));
  const wanted = [...new Set([...baseRows.slice(0, depth), ...rankings.flat()])];
  const assets = await rows.rowsAt(inRun(run.folder, runLayout.assets(domain)), wanted, ['id', 'type']);
  const baseRank = new Map(baseRows.map((asset, rank) => [asset, rank + 1]));
  const relevant = new Set(product);
  const ranked = (asset: number): RankedAsset => {
    const [id, type] = assets.get(asset) as [string, string];
    return { id, type, baseRank: baseRank.get(asset) ?? null, isRelevant: relevant.has(asset) };
  };

  const clock = cell<number>(first, 'anchor_clock');
  return {
    ...key,
    quartile: cell(first, 'quartile'),
    clock,
    clockKind: recordedStream.clock,
    events: recorded.requests,
    request: { id: cell(first, 'request_id'), text },
    base: baseRows.slice(0, depth).map((asset, rank) => ({ ...ranked(asset), score: baseScores[rank]! })),
    views: found.map((row, index) => ({
      condition: cell(row, 'condition'),
      horizon: horizonOf(cell(row, 'condition')) ?? null,
      slotsFilled: cell(row, 'slots_filled'),
      futureSlots: cell(row, 'future_slots'),
      temporalViolationRate: cell(row, 'tvr'),
      selected: selectedEvents(row, cell, clock),
      ranking: rankings[index]!.map(ranked),
      metrics: Object.fromEntries(metrics.map((name, at) => [name, row[viewColumns.length + at] as number | null])),
      selectionHash: cell(row, 'selection_hash'),
      rankingHash: cell(row, 'ranking_hash'),
    })),
  };
}

function selectedEvents(
  row: readonly CellValue[],
  cell: <T extends CellValue>(row: readonly CellValue[], name: ViewColumn) => T,
  clock: number,
): SelectedEvent[] {
  const ids = cell<string[]>(row, 'selected_event_ids');
  const observedAt = cell<number[]>(row, 'selected_observed_at');
  const newest = cell<number[]>(row, 'newest_dependency_at');
  const similarities = cell<number[]>(row, 'similarities');
  return cell<number[]>(row, 'selected_positions').map((position, k) => ({
    position,
    id: ids[k]!,
    observedAt: observedAt[k]!,
    newestDependencyAt: newest[k]!,
    similarity: similarities[k]!,
    isFuture: newest[k]! >= clock,
  }));
}
