import { type Check, type checkNames, contractReport, newChecks } from '../../audit/contract/check.js';
import { type Manifest, manifestFormat, manifestHash } from '../../audit/manifest.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { conditionsFor } from '../../memory/conditions.js';
import { RandomSource } from '../../random/RandomSource.js';
import { type RunEffects, runEffects } from '../../replay/effects/runEffects.js';
import { checkExperiment } from '../../replay/experiment/readExperiment.js';
import { readingsOf } from '../../replay/experiment/readings.js';
import { type CellKey, CellRows } from '../../replay/rows/cellRows.js';
import { rowMetricNames } from '../../replay/rows/rowMetrics.js';
import type { ReportInput } from '../report.js';

/** A cell in broad strokes: what memory does to recall on average, and how much that varies. */
export interface CellSketch {
  readonly key?: Partial<CellKey>;
  readonly anchors?: number;
  readonly requests?: number;
  /** Mean recall without memory, and how far PIT and Future lie from it. */
  readonly stateless?: number;
  readonly pit?: number;
  readonly future?: number;
  /** Half the width of the noise about these; 0 makes every anchor alike. */
  readonly noise?: number;
  /** No metric is defined at any anchor. */
  readonly isUndefined?: boolean;
  readonly types?: readonly string[];
  readonly horizons?: readonly number[];
}

const cutoffs = [10, 100];
const capacity = 8;
const defaultTypes = ['table', 'text'];
const defaultHorizons = [10, 100];

const defaultKey: CellKey = {
  domain: 'reports',
  stream: 'random',
  streamKind: 'random',
  streamUsesGold: false,
  retriever: 'bm25',
  mechanism: 'trace',
  mechanismUsesGold: false,
};

/** Rows of a cell such as a replay leaves them, drawn from a seeded source. */
export function sketchCell(sketch: CellSketch = {}, seed = 1): CellRows {
  const { anchors = 40, requests = 20, types = defaultTypes, horizons = defaultHorizons } = sketch;
  const names = rowMetricNames(cutoffs, types);
  const conditions = conditionsFor(horizons).map(({ name }) => name);
  const cell = new CellRows({ ...defaultKey, ...sketch.key }, capacity, conditions, names);
  const random = new RandomSource(seed, 'report/testing');
  cell.seeds.push(1, 2);
  for (let anchor = 0; anchor < anchors; anchor++) {
    cell.request.push(anchor % requests);
    cell.quartile.push(1 + Math.floor((4 * anchor) / anchors));
    const noise = Array.from({ length: 3 }, () => (random.unit() - 0.5) * 2 * (sketch.noise ?? 0.05));
    for (const condition of conditions) addRow(cell, condition, sketch, noise, anchor);
  }
  return cell;
}

function addRow(
  cell: CellRows,
  condition: string,
  { stateless = 0.5, pit = -0.1, future = -0.05, isUndefined = false, anchors = 40 }: CellSketch,
  noise: readonly number[],
  anchor: number,
): void {
  const horizon = /^Future-(\d+)$/.exec(condition)?.[1];
  const reach = condition === 'Stateless' || condition === 'PIT' ? 0 : Math.min(1, Number(horizon ?? 1000) / 1000);
  const shift = condition === 'Stateless' ? 0 : pit + reach * (future - pit) + noise[1]! + reach * noise[2]!;
  const recall = stateless + noise[0]! + shift;
  const columns = cell.condition(condition);
  for (const [metric, values] of columns.metrics) {
    const isReached = metric !== 'rank_80' || recall > 0.42;
    values.push(isUndefined || !isReached ? Number.NaN : metric === 'rank_80' ? Math.round(80 / recall) : recall);
  }
  const filled = condition === 'Stateless' ? 0 : capacity;
  const ahead = Math.round(filled * reach * (1 - anchor / anchors));
  columns.slotsFilled.push(filled);
  columns.temporalViolationRate.push(filled === 0 ? 0 : ahead / filled);
  columns.nearest.push(filled === 0 ? Number.NaN : anchor % 10 === 0 ? 0.995 : 0.7 + 0.2 * reach);
}

/** Everything that a report needs, from sketches of its cells. */
export function sketchRun(
  sketches: readonly CellSketch[],
  options: { contract?: Manifest['contract']; note?: string; recorded?: Record<string, unknown> } = {},
): ReportInput {
  const effects = runEffects(
    sketches.map((sketch, index) => sketchCell(sketch, index + 1)),
    { resamples: 100, seed: 1, confidence: 0.95 },
  );
  return { manifest: sketchManifest(effects, sketches[0] ?? {}, options), effects };
}

/** A contract in which all checks hold but those named. */
export function sketchContract(violated: readonly (keyof typeof checkNames)[] = []): Manifest['contract'] {
  const checks = newChecks();
  for (const check of Object.values(checks) as Check[]) {
    for (let i = 0; i < 40; i++) check.equal(() => `anchor ${i}`, 'sound', 'sound');
    if (violated.includes(check.name)) check.equal(() => 'anchor 40, PIT', 'position 41', 'a position below 40');
  }
  const { holds, checks: results } = contractReport({ runId: '0123456789abcdef', rows: 1, readings: [] }, checks);
  return { holds, checks: results.map((check) => ({ ...check, examples: [...check.examples] })) };
}

function sketchManifest(
  effects: RunEffects,
  { types = defaultTypes, horizons = defaultHorizons }: CellSketch,
  options: { contract?: Manifest['contract']; note?: string; recorded?: Record<string, unknown> },
): Manifest {
  const keys = effects.cells.map(({ key }) => key);
  const distinct = <K extends keyof CellKey>(of: readonly CellKey[], name: K) => [
    ...new Set(of.map((key) => key[name])),
  ];
  // Names of data sets are plain by rule; those of domains in rows may be anything here, to see what reports do of it.
  const datasets = distinct(keys, 'domain').map((_, index) => ({
    name: `dataset${index}`,
    path: 'data',
    ...(options.note === undefined ? {} : { note: options.note }),
  }));
  const experiment = checkExperiment(
    {
      name: 'sketch',
      datasets: datasets.length === 0 ? [{ name: 'none', path: 'data' }] : datasets,
      seeds: [1, 2],
      cutoffs,
      horizons,
      capacity,
      bootstrap: effects.bootstrap,
    },
    'sketch',
  );
  const mechanisms = distinct(keys, 'mechanism').map((label) => ({
    label,
    name: label,
    version: '1',
    usesGold: keys.some((key) => key.mechanism === label && key.mechanismUsesGold),
    reads: 'behaviour',
    parameters: { weight: 1 },
  }));
  const determined = {
    format: manifestFormat,
    tool: { name: 'asof', version: '0.0.0' },
    runId: '0123456789abcdef',
    experiment: { ...experiment, datasets: experiment.datasets.map(({ path: _path, ...rest }) => rest) },
    redacted: false,
    eligibility: { words: 'PIT: observed strictly before the anchor.', version: 'sketch/1' },
    readings: readingsOf(experiment),
    mechanisms,
    models: [],
    conditions: conditionsFor(horizons).map(({ name }) => name),
    metrics: [...rowMetricNames(cutoffs, types)],
    domains: distinct(keys, 'domain').map((name) =>
      sketchDomain(
        name,
        keys.filter((key) => key.domain === name),
        types,
      ),
    ),
    rows: effects.cells.reduce((sum, cell) => sum + cell.anchors * Object.keys(cell.means).length, 0),
    artefacts: [{ path: 'effects.json', bytes: 1, sha256: sha256Hex(JSON.stringify(effects)) }],
    summary: effects.summary,
    contract: options.contract === undefined ? sketchContract() : options.contract,
    repairs: null,
  } satisfies Omit<Manifest, 'hash' | 'recorded'>;
  return { ...determined, recorded: options.recorded ?? {}, hash: manifestHash(determined) };
}

function sketchDomain(name: string, keys: readonly CellKey[], types: readonly string[]): Manifest['domains'][number] {
  const hashOf = (what: string) => sha256Hex(`${name} ${what}`);
  const streams = [...new Map(keys.map((key) => [key.stream, key])).values()];
  return {
    name,
    inputs: [{ role: 'assets', name: 'assets.jsonl', bytes: 1234, sha256: hashOf('assets') }],
    dropped: { malformed: 0, unknownGold: 2 },
    assets: 120,
    assetsByType: Object.fromEntries(types.map((type, index) => [type, 100 - 80 * index])),
    requests: 60,
    meanProductSize: 2.5,
    corpus: { size: 120, root: hashOf('corpus') },
    types: hashOf('types'),
    requestsHash: hashOf('requests'),
    products: hashOf('products'),
    similarity: { id: 'tfidf-cosine', hash: hashOf('similarity'), vectors: 'sparse', model: hashOf('model') },
    retrievers: [...new Set(keys.map((key) => key.retriever))].map((label) => ({
      label,
      hash: hashOf(label),
      index: hashOf(`${label} index`),
      model: hashOf('model'),
      emptyLists: 0,
    })),
    streams: streams.flatMap((key) =>
      [1, 2].map((seed) => ({
        label: key.stream,
        kind: key.streamKind,
        seed,
        usesGold: key.streamUsesGold,
        clock: 'position' as const,
        parameters: {},
        hash: hashOf(`${key.stream} ${seed}`),
        anchors: 20,
        skippedAnchors: 0,
      })),
    ),
    shards: keys.map((key) => ({
      stream: key.stream,
      seed: 1,
      retriever: key.retriever,
      mechanism: key.mechanism,
      eventLog: { size: 60, root: hashOf('log') },
      model: hashOf('model'),
      rows: 240,
    })),
  };
}
