import { clusterMeans } from '../evaluation/bootstrap/clusterMeans.js';
import { type Estimate, type PairedBootstrap, pairedBootstrap } from '../evaluation/bootstrap/pairedBootstrap.js';
import { definedMean } from '../evaluation/definedMean.js';
import { type RatioEstimates, replayRatios } from '../evaluation/replayRatios.js';
import { horizonOf } from '../memory/conditions.js';
import type { CellKey, CellRows } from './cellRows.js';

/** An anchor whose selection holds a neighbour at least this similar is a near duplicate (PIT Discovery section 6.5). */
export const nearDuplicateSimilarity = 0.99;

/** How intervals are estimated. */
export interface BootstrapSettings {
  readonly resamples: number;
  readonly seed: number;
  readonly confidence: number;
}

/** The three contrasts of the paired replay, formed within each anchor. */
export interface Contrasts {
  /** HG = Future - PIT. */
  readonly hindsightGain: Estimate;
  /** PIT - Stateless. */
  readonly pitEffect: Estimate;
  /** Future - Stateless. */
  readonly futureEffect: Estimate;
}

/** Contrasts in a quarter of the stream. */
export interface QuartileEffects {
  readonly quartile: number;
  readonly anchors: number;
  readonly hindsightGain: Estimate;
  readonly pitEffect: Estimate;
  /** Mean share of the memory slots that are filled. */
  readonly slotFill: { readonly pit: number | null; readonly future: number | null };
  /** Mean share of Future's selected entries that are not past. */
  readonly futureSlotShare: number | null;
  /** Mean similarity of the nearest selected entry. */
  readonly nearestSimilarity: { readonly pit: number | null; readonly future: number | null };
}

/** Everything that is reported of one cell. Recall is a share here; tables print points (x 100). */
export interface CellEffects extends RatioEstimates {
  readonly key: CellKey;
  readonly seeds: readonly number[];
  readonly anchors: number;
  /** Distinct requests: the clusters. */
  readonly requests: number;
  /** Asset Recall at the deepest cutoff. */
  readonly headline: string;
  /** Condition -> metric -> mean over request clusters. */
  readonly means: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
  /**
   * Condition -> metric -> requests that define the mean, of `requests`. Conditions differ where a metric depends on the
   * ranking (a product that one of them never reaches): the difference of such means is not the contrast.
   */
  readonly definedRequests: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly contrasts: Readonly<Record<string, Contrasts>>;
  /** Future-h - PIT of the headline metric. */
  readonly dose: readonly { readonly horizon: number; readonly gain: Estimate }[];
  readonly quartiles: readonly QuartileEffects[];
  /** The headline contrasts without anchors at which PIT or Future selected a near duplicate. */
  readonly withoutNearDuplicates: {
    readonly similarity: number;
    readonly anchors: number;
    readonly hindsightGain: Estimate;
    readonly pitEffect: Estimate;
  };
  readonly validity: {
    readonly largestPitTvr: number;
    readonly futureSlotShare: number | null;
    readonly slotFill: { readonly pit: number | null; readonly future: number | null };
    /** Largest absolute difference of any metric between Naive and Future. */
    readonly naiveDifference: number;
    /** Values that are defined for one of the two only. */
    readonly naiveMismatches: number;
  };
}

/**
 * Effects of one cell (specification, Statistics): contrasts within each anchor, averaged by request, then over requests,
 * with intervals from resamples of requests that are the same for every contrast of the cell.
 */
export function cellEffects(cell: CellRows, settings: BootstrapSettings): CellEffects {
  const metrics = [...cell.condition('PIT').metrics.keys()];
  const headline = metrics.filter((metric) => /^recall_\d+$/.test(metric)).at(-1)!;
  const horizons = [...cell.conditions.keys()].flatMap((name) => horizonOf(name) ?? []).sort((a, b) => a - b);
  const everyAnchor = Array.from({ length: cell.anchors }, (_, anchor) => anchor);

  const contrasts = new Contraster(cell);
  for (const metric of metrics) contrasts.addAll(metric);
  for (const horizon of horizons) contrasts.add(`dose ${horizon}`, `Future-${horizon}`, 'PIT', headline);
  const estimated = contrasts.estimate(everyAnchor, settings);
  const byCondition = [...cell.conditions.keys()].map((name) => [name, conditionMeans(cell, name)] as const);

  const kept = everyAnchor.filter((anchor) => !isNearDuplicate(cell, anchor));
  const apart = new Contraster(cell).addAll(headline).estimate(kept, settings);
  return {
    key: cell.key,
    seeds: cell.seeds,
    anchors: cell.anchors,
    requests: estimated.clusters,
    headline,
    means: Object.fromEntries(byCondition.map(([name, { means }]) => [name, means])),
    definedRequests: Object.fromEntries(byCondition.map(([name, { definedRequests }]) => [name, definedRequests])),
    contrasts: Object.fromEntries(metrics.map((metric) => [metric, estimated.contrasts(metric)])),
    ...estimated.ratios(headline),
    dose: horizons.map((horizon) => ({ horizon, gain: estimated.of(`dose ${horizon}`) })),
    quartiles: [...new Set(cell.quartile)]
      .sort((a, b) => a - b)
      .map((quartile) => quartileEffects(cell, quartile, headline, settings)),
    withoutNearDuplicates: {
      similarity: nearDuplicateSimilarity,
      anchors: kept.length,
      hindsightGain: apart.contrasts(headline).hindsightGain,
      pitEffect: apart.contrasts(headline).pitEffect,
    },
    validity: validity(cell, everyAnchor),
  };
}

/** Named differences between conditions, formed within each anchor, and their joint bootstrap. */
class Contraster {
  readonly #cell: CellRows;
  readonly #names: string[] = [];
  readonly #columns: number[][] = [];

  constructor(cell: CellRows) {
    this.#cell = cell;
  }

  add(name: string, condition: string, baseline: string, metric: string): this {
    const values = this.#cell.condition(condition).metrics.get(metric)!;
    const against = this.#cell.condition(baseline).metrics.get(metric)!;
    this.#names.push(name);
    this.#columns.push(values.map((value, anchor) => value - against[anchor]!));
    return this;
  }

  /** The three contrasts of a metric. */
  addAll(metric: string): this {
    return this.add(`HG ${metric}`, 'Future', 'PIT', metric)
      .add(`PIT effect ${metric}`, 'PIT', 'Stateless', metric)
      .add(`Future effect ${metric}`, 'Future', 'Stateless', metric);
  }

  estimate(anchors: readonly number[], { resamples, seed, confidence }: BootstrapSettings): EstimatedContrasts {
    const bootstrap = pairedBootstrap(
      {
        clusterOf: Uint32Array.from(anchors, (anchor) => this.#cell.request[anchor]!),
        clusters: 1 + this.#cell.request.reduce((largest, request) => Math.max(largest, request), 0),
        columns: this.#columns.map((column) => Float64Array.from(anchors, (anchor) => column[anchor]!)),
      },
      { resamples, seed, level: confidence },
    );
    return new EstimatedContrasts(this.#names, bootstrap);
  }
}

class EstimatedContrasts {
  readonly #names: readonly string[];
  readonly #bootstrap: PairedBootstrap;

  constructor(names: readonly string[], bootstrap: PairedBootstrap) {
    this.#names = names;
    this.#bootstrap = bootstrap;
  }

  get clusters(): number {
    return this.#bootstrap.clusters;
  }

  of(name: string): Estimate {
    return this.#bootstrap.estimates[this.#names.indexOf(name)]!;
  }

  contrasts(metric: string): Contrasts {
    return {
      hindsightGain: this.of(`HG ${metric}`),
      pitEffect: this.of(`PIT effect ${metric}`),
      futureEffect: this.of(`Future effect ${metric}`),
    };
  }

  ratios(metric: string): RatioEstimates {
    const column = (name: string) => this.#names.indexOf(`${name} ${metric}`);
    return replayRatios(this.#bootstrap, {
      hindsightGain: column('HG'),
      pitEffect: column('PIT effect'),
      futureEffect: column('Future effect'),
    });
  }
}

function conditionMeans(cell: CellRows, name: string) {
  const metrics = [...cell.condition(name).metrics];
  const columns = clusterMeans({
    clusterOf: Uint32Array.from(cell.request),
    clusters: 1 + cell.request.reduce((largest, request) => Math.max(largest, request), 0),
    columns: metrics.map(([, values]) => Float64Array.from(values)),
  });
  return {
    means: Object.fromEntries(metrics.map(([metric], i) => [metric, definedMean(columns[i]!.means).mean])),
    definedRequests: Object.fromEntries(metrics.map(([metric], i) => [metric, columns[i]!.clusters])),
  };
}

function quartileEffects(
  cell: CellRows,
  quartile: number,
  headline: string,
  settings: BootstrapSettings,
): QuartileEffects {
  const anchors = [...cell.quartile.keys()].filter((anchor) => cell.quartile[anchor] === quartile);
  const { hindsightGain, pitEffect } = new Contraster(cell)
    .addAll(headline)
    .estimate(anchors, settings)
    .contrasts(headline);
  return {
    quartile,
    anchors: anchors.length,
    hindsightGain,
    pitEffect,
    slotFill: { pit: slotFill(cell, 'PIT', anchors), future: slotFill(cell, 'Future', anchors) },
    futureSlotShare: futureSlotShare(cell, anchors),
    nearestSimilarity: { pit: nearest(cell, 'PIT', anchors), future: nearest(cell, 'Future', anchors) },
  };
}

function isNearDuplicate(cell: CellRows, anchor: number): boolean {
  return ['PIT', 'Future'].some((name) => cell.condition(name).nearest[anchor]! >= nearDuplicateSimilarity);
}

function slotFill(cell: CellRows, name: string, anchors: readonly number[]): number | null {
  const { slotsFilled } = cell.condition(name);
  return definedMean(Float64Array.from(anchors, (anchor) => slotsFilled[anchor]! / cell.capacity)).mean;
}

/** Mean over anchors of the share of Future's selected entries that are not past; anchors that selected none count as 0. */
function futureSlotShare(cell: CellRows, anchors: readonly number[]): number | null {
  const { temporalViolationRate } = cell.condition('Future');
  return definedMean(Float64Array.from(anchors, (anchor) => temporalViolationRate[anchor]!)).mean;
}

function nearest(cell: CellRows, name: string, anchors: readonly number[]): number | null {
  return definedMean(Float64Array.from(anchors, (anchor) => cell.condition(name).nearest[anchor]!)).mean;
}

function validity(cell: CellRows, anchors: readonly number[]): CellEffects['validity'] {
  let naiveDifference = 0;
  let naiveMismatches = 0;
  for (const [metric, values] of cell.condition('Naive').metrics) {
    const future = cell.condition('Future').metrics.get(metric)!;
    for (const [anchor, value] of values.entries()) {
      if (Number.isNaN(value) !== Number.isNaN(future[anchor]!)) naiveMismatches++;
      else if (!Number.isNaN(value)) naiveDifference = Math.max(naiveDifference, Math.abs(value - future[anchor]!));
    }
  }
  return {
    largestPitTvr: cell.condition('PIT').temporalViolationRate.reduce((largest, rate) => Math.max(largest, rate), 0),
    futureSlotShare: futureSlotShare(cell, anchors),
    slotFill: { pit: slotFill(cell, 'PIT', anchors), future: slotFill(cell, 'Future', anchors) },
    naiveDifference,
    naiveMismatches,
  };
}
