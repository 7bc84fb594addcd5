import { type Static, type TSchema, Type } from 'typebox';
import { datasetFormats } from '../corpus/readers/formats.js';
import type { AnalyzerName } from '../retrieval/analysis/analyzerNamed.js';
import { epochUnits } from '../time/epoch.js';

/**
 * The description of an experiment: what a YAML or JSON file holds, and what the flags of `asof replay` amount to.
 * Defaults are those of the specification; `readExperiment` fills them in.
 */

const name = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' });
const count = (minimum: number, maximum = 1_000_000) => Type.Integer({ minimum, maximum });
const closed = { additionalProperties: false } as const;

const paths = Type.Array(Type.String({ minLength: 1 }), { minItems: 1 });

/** Which data set a domain is, in the terms of `loadDataset`. */
export const datasetSchema = Type.Object(
  {
    name,
    /** Folder, file or address; or `assets` and `requests` one by one. */
    path: Type.Optional(Type.String({ minLength: 1 })),
    assets: Type.Optional(paths),
    requests: Type.Optional(paths),
    qrels: Type.Optional(paths),
    format: Type.Optional(Type.Enum([...datasetFormats])),
    split: Type.Optional(Type.String({ minLength: 1 })),
    gold: Type.Optional(Type.Enum(['evidence', 'page'])),
    tableText: Type.Optional(Type.Enum(['full', 'headers'])),
    zone: Type.Optional(Type.String({ minLength: 1 })),
    epoch: Type.Optional(Type.Enum([...epochUnits])),
    dateFormat: Type.Optional(Type.String({ minLength: 1 })),
    skipInvalid: Type.Optional(Type.Boolean()),
    /** Said wherever results on this data set appear, for example that its queries are simulated. */
    note: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);

const bm25Parameters = {
  k1: Type.Number({ minimum: 0, maximum: 100, default: 1.5 }),
  b: Type.Number({ minimum: 0, maximum: 1, default: 0.75 }),
  analyzer: Type.Enum(['plain', 'english'], { default: 'plain' }),
  lengths: Type.Enum(['exact', 'lucene'], { default: 'exact' }),
};

export const retrieverSchemas = {
  bm25: Type.Object({ kind: Type.Literal('bm25'), ...bm25Parameters }, closed),
  /** Cosine of embeddings. */
  dense: Type.Object({ kind: Type.Literal('dense') }, closed),
  /** BM25 and dense lists of `baseDepth` each, fused. */
  hybrid: Type.Object(
    {
      kind: Type.Literal('hybrid'),
      ...bm25Parameters,
      /** `rrf`: reciprocal rank fusion; `convex`: min-max-normalised scores. */
      fusion: Type.Enum(['rrf', 'convex'], { default: 'rrf' }),
      /** Of reciprocal rank fusion. */
      constant: Type.Number({ minimum: 0, maximum: 1e6, default: 60 }),
      /** Weight of the dense list in convex fusion. */
      denseWeight: Type.Number({ minimum: 0, maximum: 1, default: 0.5 }),
    },
    closed,
  ),
};

/** When a model could first have been used, as its user declares it: a date, or a time with an offset. */
const declaredAvailability = Type.Optional(Type.String({ minLength: 1 }));

export const embedderSchemas = {
  /** all-MiniLM-L6-v2, which asof comes with. */
  minilm: Type.Object(
    {
      kind: Type.Literal('minilm'),
      precision: Type.Enum(['float32', 'int8'], { default: 'float32' }),
      /** When it was published. */
      availableAt: Type.String({ minLength: 1, default: '2021-08-30' }),
    },
    closed,
  ),
  /** A sentence-embedding model in the usual ONNX layout. */
  folder: Type.Object(
    { kind: Type.Literal('folder'), path: Type.String({ minLength: 1 }), availableAt: declaredAvailability },
    closed,
  ),
  /** An OpenAI-compatible endpoint; its key comes from the environment only. */
  endpoint: Type.Object(
    {
      kind: Type.Literal('endpoint'),
      url: Type.String({ minLength: 1 }),
      model: Type.String({ minLength: 1 }),
      keyVariable: Type.Optional(Type.String({ minLength: 1 })),
      availableAt: declaredAvailability,
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
      normalise: Type.Enum(['max', 'none'], { default: 'max' }),
    },
    closed,
  ),
  feedback: Type.Object(
    { kind: Type.Literal('feedback'), largestBonus: Type.Number({ minimum: 0, maximum: 1e6, default: 0.02 }) },
    closed,
  ),
  /** A mechanism of the user's own; `{module: file}` is short for it. */
  module: Type.Object(
    {
      kind: Type.Literal('module'),
      /** JavaScript module that exports `createMechanism(context, parameters)`. */
      module: Type.String({ minLength: 1 }),
      parameters: Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]*$' }),
        Type.Union([Type.String(), Type.Number()]),
        {
          default: {},
        },
      ),
      /** Of the module's source; found out where it is not given, demanded where it is. */
      sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    },
    closed,
  ),
};

export const experimentSchema = Type.Object(
  {
    name,
    datasets: Type.Array(Type.Unknown(), { minItems: 1 }),
    /** `frozen`: the whole corpus at every anchor (the paper's reading); `as-of`: D_t at the anchor's own time. */
    corpus: Type.Enum(['frozen', 'as-of'], { default: 'frozen' }),
    /**
     * Pretrained models: `auto` reads them as the corpus is read, so that under `as-of` they must have been available
     * before the first anchor; `frozen` takes them as they are, whatever their date, and the certificate says so.
     */
    models: Type.Enum(['auto', 'frozen'], { default: 'auto' }),
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
    /** What embeds assets and requests, where anything needs it. */
    embedder: Type.Unknown({ default: 'minilm' }),
    /**
     * Similarity by which memory entries are selected: cosine of embeddings, or of TF-IDF vectors. `auto`: embeddings,
     * but for runs whose retrievers are all lexical.
     */
    similarity: Type.Enum(['auto', 'lexical', 'embedding'], { default: 'auto' }),
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
export type EmbedderSpec = Static<(typeof embedderSchemas)[keyof typeof embedderSchemas]>;
export type StreamSpec = Static<(typeof streamSchemas)[keyof typeof streamSchemas]>;
export type MechanismSpec = Static<(typeof mechanismSchemas)[keyof typeof mechanismSchemas]>;

/** An experiment with every default filled in. */
export interface Experiment
  extends Omit<Static<typeof experimentSchema>, 'datasets' | 'retrievers' | 'embedder' | 'streams' | 'mechanisms'> {
  datasets: DatasetSpec[];
  retrievers: RetrieverSpec[];
  embedder: EmbedderSpec;
  streams: StreamSpec[];
  mechanisms: MechanismSpec[];
}

/** Whether memory entries are selected by embeddings. */
export function selectsByEmbedding(experiment: Experiment): boolean {
  const { similarity, retrievers } = experiment;
  return similarity === 'embedding' || (similarity === 'auto' && retrievers.some(({ kind }) => kind !== 'bm25'));
}

/** Whether anything in the experiment needs the embedder. */
export function needsEmbedder(experiment: Experiment): boolean {
  return selectsByEmbedding(experiment) || experiment.retrievers.some(({ kind }) => kind !== 'bm25');
}

/** Requests are compared lexically as the first lexical retriever reads them. */
export function lexicalAnalyzer({ retrievers }: Experiment): AnalyzerName {
  for (const spec of retrievers) if ('analyzer' in spec) return spec.analyzer;
  return 'plain';
}

/** An item of a list of kinds: the kind's name, or an object with its parameters. */
function kindSchema(schemas: Readonly<Record<string, TSchema>>): TSchema {
  return Type.Union([Type.Enum(Object.keys(schemas)), ...Object.values(schemas)]);
}

/** A module without its kind. */
const moduleInShort = Type.Object(
  { ...mechanismSchemas.module.properties, kind: Type.Optional(Type.Literal('module')) },
  closed,
);

/** JSON Schema of an experiment file, published for editors as `schemas/experiment.schema.json`. */
export const experimentFileSchema: TSchema = {
  ...experimentSchema,
  $id: 'urn:asof:experiment:1',
  title: 'asof experiment',
  required: ['name', 'datasets'],
  properties: {
    ...experimentSchema.properties,
    datasets: Type.Array(datasetSchema, { minItems: 1 }),
    retrievers: Type.Array(kindSchema(retrieverSchemas), { minItems: 1 }),
    embedder: kindSchema(embedderSchemas),
    streams: Type.Array(kindSchema(streamSchemas), { minItems: 1 }),
    mechanisms: Type.Array(Type.Union([kindSchema(mechanismSchemas), moduleInShort]), { minItems: 1 }),
  },
};
