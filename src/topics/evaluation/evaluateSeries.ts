import { type LabelScores, scoreLabels } from '../../evaluation/labelScores.js';
import type { TrendLabel, TrendRule } from '../rules/trendRule.js';
import type { TopicViews } from './topicViews.js';
import { speaksOf, type TrendSeries } from './trendSeries.js';

/** Labels of volume: content has no part in the truth, and none in the prediction. */
export const volumeLabels = ['growth', 'decay'] as const;

export interface SeriesEvaluationOptions {
  readonly series: readonly TrendSeries[];
  /** [slices] length of each in milliseconds; finished slices only. */
  readonly spans: readonly number[];
  /** [documents] slice of each. */
  readonly slices: Uint32Array;
  /** Labels the true volumes and the found ones alike. */
  readonly rule: TrendRule;
  /** Slices for a tracker to begin with, before volumes are looked at; baselines come from after them. 13 by default. */
  readonly burnIn?: number | undefined;
  /** Slices between two that are evaluated, where a way is too slow for all; 1 by default. */
  readonly step?: number | undefined;
  readonly onSlice?: ((done: number, total: number) => void) | undefined;
}

/** A series in a slice. */
export interface SeriesLabel {
  readonly series: string;
  readonly slice: number;
  readonly actual: TrendLabel;
  readonly predicted: TrendLabel;
}

/** Labels predicted for series beside their true ones, and how well they agree. */
export interface SeriesEvaluation {
  readonly labels: readonly SeriesLabel[];
  readonly scores: LabelScores<'growth' | 'decay'>;
  readonly bySeries: readonly {
    readonly series: string;
    readonly documents: number;
    /** Correlation of true and found volumes over the evaluated slices; null where one of them never changes. */
    readonly correlation: number | null;
    readonly scores: LabelScores<'growth' | 'decay'>;
  }[];
}

/**
 * Compares trend labels found in texts with those of series whose true volumes are known.
 *
 * True label of a series in a slice: the rule, led through the true volumes from the end of the burn-in to the slice.
 * Predicted: the rule, led likewise through the volumes, as seen at the end of the slice, of all topics that speak of the
 * series by their terms as known then. No volume or label of the series has a part in the choice of topics.
 */
export async function evaluateSeries(views: TopicViews, options: SeriesEvaluationOptions): Promise<SeriesEvaluation> {
  const { series, spans, slices, rule, burnIn = 13, step = 1 } = options;
  const volumes = series.map(({ members }) => {
    const sizes = new Float64Array(spans.length);
    for (const [document, slice] of slices.entries()) if (members[document] === 1) sizes[slice]!++;
    return sizes;
  });
  const first = burnIn + (rule.parameters.window ?? 1);
  const labels: SeriesLabel[] = [];
  const found = series.map((): { actual: number; predicted: number }[] => []);
  for (let slice = first; slice < spans.length; slice += step) {
    const topics = await views.at(slice);
    for (const [index, own] of series.entries()) {
      const sizes = new Float64Array(slice + 1);
      for (const topic of topics) {
        if (!speaksOf(topic, own)) continue;
        for (let i = 0; i <= slice; i++) sizes[i]! += topic.sizes[i]!;
      }
      const actual = labelAt(volumes[index]!, spans, rule, burnIn, slice);
      labels.push({ series: own.name, slice, actual, predicted: labelAt(sizes, spans, rule, burnIn, slice) });
      found[index]!.push({ actual: volumes[index]![slice]!, predicted: sizes[slice]! });
    }
    options.onSlice?.(slice + 1, spans.length);
  }
  return {
    labels,
    scores: scoreSeries(labels),
    bySeries: series.map(({ name, documents }, index) => ({
      series: name,
      documents,
      correlation: correlation(found[index]!),
      scores: scoreSeries(labels.filter((label) => label.series === name)),
    })),
  };
}

/** What labels change, and seem to gain, when they are read off the full stream. */
export interface LabelLeakage {
  /** Labels that both ways give. */
  readonly items: number;
  /** Of these, labels that are another one in hindsight. */
  readonly changed: number;
  readonly changedShare: number | null;
  /** Macro-F1 in hindsight less macro-F1 as of the slices, over the same items; null where one is not defined. */
  readonly macroF1Gain: number | null;
}

/**
 * Label leakage (ours): the same series in the same slices, labelled as of each slice and from the full stream.
 *
 * @param asOf labels that use nothing after their slice
 * @param hindsight labels of the same slices from all slices
 */
export function labelLeakage(asOf: readonly SeriesLabel[], hindsight: readonly SeriesLabel[]): LabelLeakage {
  const keyOf = ({ series, slice }: SeriesLabel) => JSON.stringify([series, slice]);
  const later = new Map(hindsight.map((label) => [keyOf(label), label]));
  const pairs = asOf.flatMap((label) => {
    const other = later.get(keyOf(label));
    return other === undefined ? [] : [{ label, other }];
  });
  const changed = pairs.filter(({ label, other }) => label.predicted !== other.predicted).length;
  const honest = scoreSeries(pairs.map(({ label }) => label)).macroF1;
  const leaked = scoreSeries(pairs.map(({ other }) => other)).macroF1;
  return {
    items: pairs.length,
    changed,
    changedShare: pairs.length === 0 ? null : changed / pairs.length,
    macroF1Gain: honest === null || leaked === null ? null : leaked - honest,
  };
}

function scoreSeries(labels: readonly SeriesLabel[]): LabelScores<'growth' | 'decay'> {
  return scoreLabels(
    labels.map(({ actual, predicted }) => [actual, predicted] as const),
    volumeLabels,
  );
}

/** Label of a slice by a rule that is led through the volumes from `from` on. */
export function labelAt(
  sizes: Float64Array,
  spans: readonly number[],
  rule: TrendRule,
  from: number,
  slice: number,
): TrendLabel {
  const observe = (i: number) => ({ size: sizes[i]!, span: spans[i]!, sum: new Float64Array(0), terms: [] });
  let judgement = rule.begin(observe(from));
  for (let i = from + 1; i <= slice; i++) judgement = rule.next(judgement.state, observe(i));
  return judgement.label;
}

/** Pearson's correlation. */
function correlation(pairs: readonly { actual: number; predicted: number }[]): number | null {
  const mean = (of: (pair: { actual: number; predicted: number }) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [a, b] = [mean(({ actual }) => actual), mean(({ predicted }) => predicted)];
  const moment = (of: (x: number, y: number) => number) =>
    mean(({ actual, predicted }) => of(actual - a, predicted - b));
  const scale = Math.sqrt(moment((x) => x * x) * moment((_, y) => y * y));
  return scale > 0 ? moment((x, y) => x * y) / scale : null;
}
