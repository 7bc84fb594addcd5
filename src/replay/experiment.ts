import { type Static, Type } from 'typebox';

/**
 * The description of an experiment: what a YAML or JSON file holds, and what the flags of `asof replay` amount to.
 * Defaults are those of the specification; `readExperiment` fills them in.
 */

const name = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' });
const count = (minimum: number, maximum = 1_000_000) => Type.Integer({ minimum, maximum });
const closed = { additionalProperties: false } as const;

export const datasetSchema = Type.Object(
  {
    name,
    /** Folder or file; or `assets` and `requests` one by one. */
    path: Type.Optional(Type.String({ minLength: 1 })),
    assets: Type.Optional(Type.String({ minLength: 1 })),
    requests: Type.Optional(Type.String({ minLength: 1 })),
    format: Type.Optional(Type.String({ minLength: 1 })),
    tableText: Type.Optional(Type.Union([Type.Literal('full'), Type.Literal('headers')])),
    skipInvalid: Type.Optional(Type.Boolean()),
  },
  closed,
);

export const retrieverSchemas = {
  bm25: Type.Object(
    {
      kind: Type.Literal('bm25'),
      k1: Type.Number({ minimum: 0, maximum: 100, default: 1.5 }),
      b: Type.Number({ minimum: 0, maximum: 1, default: 0.75 }),
      analyzer: Type.Union([Type.Literal('plain'), Type.Literal('english')], { default: 'plain' }),
      lengths: Type.Union([Type.Literal('exact'), Type.Literal('lucene')], { default: 'exact' }),
    },
    closed,
  ),
};

export const streamSchemas = {
  random: Type.Object({ kind: Type.Literal('random') }, closed),
  natural: Type.Object({ kind: Type.Literal('natural') }, closed),
  semantic: Type.Object(
    {
      kind: Type.Literal('semantic'),
      /** Clusters of the mini-batch k-means; 0 stands for round(sqrt(requests)). */
      clusters: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
      shortestBurst: Type.Integer({ minimum: 1, maximum: 10_000, default: 4 }),
      longestBurst: Type.Integer({ minimum: 1, maximum: 10_000, default: 16 }),
    },
    closed,
  ),
  'gold-overlap': Type.Object({ kind: Type.Literal('gold-overlap') }, closed),
};

export const mechanismSchemas = {
  trace: Type.Object(
    {
      kind: Type.Literal('trace'),
      weight: Type.Number({ minimum: 0, maximum: 1e6, default: 1 }),
      normalise: Type.Union([Type.Literal('max'), Type.Literal('none')], { default: 'max' }),
    },
    closed,
  ),
  feedback: Type.Object(
    { kind: Type.Literal('feedback'), largestBonus: Type.Number({ minimum: 0, maximum: 1e6, default: 0.02 }) },
    closed,
  ),
};

export const experimentSchema = Type.Object(
  {
    name,
    /** What a reader of the results must know, such as that the requests are simulated; reports print it. */
    notes: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    datasets: Type.Array(Type.Unknown(), { minItems: 1 }),
    /** `frozen`: the whole corpus at every anchor (the paper's reading); `as-of`: D_t at the anchor's own time. */
    corpus: Type.Union([Type.Literal('frozen'), Type.Literal('as-of')], { default: 'frozen' }),
    retrievers: Type.Array(Type.Unknown(), { minItems: 1, default: ['bm25'] }),
    streams: Type.Array(Type.Unknown(), { minItems: 1, default: ['random'] }),
    seeds: Type.Array(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }), {
      minItems: 1,
      uniqueItems: true,
      default: [1, 2, 3, 4, 5],
    }),
    mechanisms: Type.Array(Type.Unknown(), { minItems: 1, default: ['trace'] }),
    horizons: Type.Array(count(1), { uniqueItems: true, default: [10, 50, 100, 250, 500] }),
    /** Window anchors: how many around each of the 20, 40, 60 and 80% positions. */
    anchorsPerWindow: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 100 }),
    /** Natural streams: fewest past and future events of an anchor; 0 stands for the capacity. */
    naturalMinimum: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
    capacity: Type.Integer({ minimum: 1, maximum: 10_000, default: 32 }),
    traceDepth: Type.Integer({ minimum: 1, maximum: 10_000, default: 100 }),
    baseDepth: Type.Integer({ minimum: 1, maximum: 10_000, default: 200 }),
    /** Length at which every condition's ranking is cut: the same retrieval budget for all. 0 stands for baseDepth. */
    outputDepth: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
    cutoffs: Type.Array(count(1, 10_000), { minItems: 1, uniqueItems: true, default: [10, 20, 50, 100] }),
    /** Similarity by which memory entries are selected. */
    similarity: Type.Union([Type.Literal('lexical')], { default: 'lexical' }),
    bootstrap: Type.Object(
      {
        resamples: Type.Integer({ minimum: 100, maximum: 1_000_000, default: 5000 }),
        seed: Type.Integer({ default: 1 }),
        confidence: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, default: 0.95 }),
      },
      { ...closed, default: {} },
    ),
  },
  closed,
);

export type DatasetSpec = Static<typeof datasetSchema>;
export type RetrieverSpec = Static<(typeof retrieverSchemas)[keyof typeof retrieverSchemas]>;
export type StreamSpec = Static<(typeof streamSchemas)[keyof typeof streamSchemas]>;
export type MechanismSpec = Static<(typeof mechanismSchemas)[keyof typeof mechanismSchemas]>;

/** An experiment with every default filled in. */
export interface Experiment
  extends Omit<Static<typeof experimentSchema>, 'datasets' | 'retrievers' | 'streams' | 'mechanisms'> {
  datasets: DatasetSpec[];
  retrievers: RetrieverSpec[];
  streams: StreamSpec[];
  mechanisms: MechanismSpec[];
}
