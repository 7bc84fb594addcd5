import { textRepresentation } from '../../corpus/ingest/assetContent.js';
import type { Embedder } from '../../embedding/Embedder.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { MatrixProduct } from '../../inference/MatrixProduct.js';
import type { Duration } from '../../time/duration.js';
import {
  evaluateSeries,
  type LabelLeakage,
  labelLeakage,
  type SeriesEvaluation,
} from '../../topics/evaluation/evaluateSeries.js';
import { fullStreamViews, refittedViews } from '../../topics/evaluation/globalViews.js';
import { hindsightViews, publishedViews, type TopicViews } from '../../topics/evaluation/topicViews.js';
import { type SeriesSelection, selectSeries, type TrendSeries } from '../../topics/evaluation/trendSeries.js';
import { timelineAsOf } from '../../topics/slices/timeline.js';
import { countTerms } from '../../topics/terms/termsOf.js';
import { createRule, type RuleChoice } from '../../topics/trackTopics.js';
import type { AssetVersion } from '../workspace/assetVersion.js';
import type { WorkspaceTopics } from './trackWorkspace.js';

/** How topics of a workspace are tracked, and compared with which series. */
export interface EvaluateTopicsOptions {
  readonly lateness?: Duration | undefined;
  /** Labels the volumes; `baseline` by default. */
  readonly rule?: RuleChoice | undefined;
  /** Fields of the records whose values are the series; `entities` names the entities. */
  readonly fields: readonly string[];
  /** Of values such as `vendor:product`, the part before this text is the series. */
  readonly prefixUntil?: string | undefined;
  /** Other names by which texts speak of a series. */
  readonly names?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly selection?: SeriesSelection | undefined;
  /** Slices before volumes are looked at; 13 by default. */
  readonly burnIn?: number | undefined;
  /** Slices between two that are evaluated; 1 by default. */
  readonly step?: number | undefined;
  /** Compares with global clustering of the same vectors, which is slow. */
  readonly compare?:
    | { readonly embedder: Embedder; readonly product: MatrixProduct; readonly seed: number }
    | undefined;
  /** Told how many slices of a way of tracking are evaluated. */
  readonly onProgress?: ((way: string, done: number, total: number) => void) | undefined;
}

/** A way of finding topics, as of each slice and from the full stream. */
export interface EvaluatedWay {
  readonly way: 'tracker' | 'global clustering';
  readonly asOf: SeriesEvaluation;
  readonly hindsight: SeriesEvaluation;
  readonly leakage: LabelLeakage;
}

/** How well the labels of topics agree with those of series whose volumes are known. */
export interface TopicsEvaluation {
  readonly slices: number;
  readonly documents: number;
  readonly series: readonly Pick<TrendSeries, 'name' | 'documents' | 'named'>[];
  readonly ways: readonly EvaluatedWay[];
}

/**
 * Evaluates tracked topics against series whose volumes are known: see `evaluateSeries`. The tracker sees texts; fields
 * that are series must not be among what it sees, or the evaluation says nothing.
 *
 * @throws InvalidArgumentError when no series is large enough, or slices are too few
 */
export async function evaluateTopics(
  topics: WorkspaceTopics,
  options: EvaluateTopicsOptions,
): Promise<TopicsEvaluation> {
  const { fields, prefixUntil, names = {}, selection, burnIn = 13, step, compare, lateness = 0 } = options;
  const { documents, asOf, coveredUntil, sliceRule } = topics;
  const finished = topics.slices.filter(({ provisional }) => !provisional);
  const rule = createRule(options.rule);
  const least = burnIn + (rule.parameters.window ?? 1) + 1;
  if (finished.length < least) {
    const expected = `at least ${least}: ${burnIn} to begin with and those of a baseline (--burn-in)`;
    throw new InvalidArgumentError({ argument: 'finished slices', value: finished.length, expected });
  }
  const vintage = { kind: 'published', lateness } as const;
  const timeline = timelineAsOf(documents, { asOf, coveredUntil, slices: sliceRule, vintage });
  const labels: string[][] = [];
  const terms: ReadonlyMap<string, number>[] = [];
  const texts: string[] = [];
  const sliceOf: number[] = [];
  for (const [index, slice] of timeline.slices.slice(0, finished.length).entries()) {
    for (const version of await documents.read(slice.rows)) {
      labels.push(seriesOf(version, fields, prefixUntil));
      const text = textRepresentation(version);
      terms.push(countTerms([text]));
      if (compare !== undefined) texts.push(text);
      sliceOf.push(index);
    }
  }
  const series = selectSeries(labels, terms, names, selection);
  if (series.length === 0) {
    const expected = 'fields whose values name at least one series of enough documents that the texts name';
    throw new InvalidArgumentError({ argument: 'series', value: fields, expected });
  }
  const slices = Uint32Array.from(sliceOf);
  const spans = finished.map(({ start, end }) => end - start);
  const evaluate = async (way: EvaluatedWay['way'], asOfViews: TopicViews, fullViews: TopicViews) => {
    const onSlice = (done: number, total: number) => options.onProgress?.(way, done, total);
    const shared = { series, spans, slices, rule, burnIn, step, onSlice };
    const [honest, hindsight] = [await evaluateSeries(asOfViews, shared), await evaluateSeries(fullViews, shared)];
    return { way, asOf: honest, hindsight, leakage: labelLeakage(honest.labels, hindsight.labels) };
  };
  const count = finished.length;
  const ways = [await evaluate('tracker', publishedViews(finished), hindsightViews(publishedViews(finished), count))];
  if (compare !== undefined) {
    const { embedder, product, seed } = compare;
    const { vectors } = await embedder.embed(texts);
    const global = { dimension: embedder.dimension, vectors, slices, terms };
    const settings = { seed, product };
    const full = fullStreamViews(global, count, settings);
    ways.push(await evaluate('global clustering', refittedViews(global, settings), full));
  }
  return {
    slices: count,
    documents: slices.length,
    series: series.map(({ name, documents: size, named }) => ({ name, documents: size, named })),
    ways,
  };
}

/** Values of fields, each once. */
function seriesOf(version: AssetVersion, fields: readonly string[], prefixUntil: string | undefined): string[] {
  const record = version.fields === undefined ? {} : (JSON.parse(version.fields) as Record<string, unknown>);
  const values = fields.flatMap((field) => (field === 'entities' ? version.entities : (record[field] ?? [])));
  const found = values.flat().filter((value) => typeof value === 'string' || typeof value === 'number');
  const names = found.map((value) => {
    const text = String(value);
    const at = prefixUntil === undefined ? -1 : text.indexOf(prefixUntil);
    return at > 0 ? text.slice(0, at) : text;
  });
  return [...new Set(names)];
}
