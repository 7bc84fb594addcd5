import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { canonicalJson } from '../commitment/canonicalJson.js';
import { sha256Hex } from '../commitment/sha256.js';
import { ForeignFileError } from '../errors/ForeignFileError.js';
import { modelVersionSchema } from '../lineage/modelVersion.js';

/** Format of the manifest; a run of a newer one is refused. */
export const manifestFormat = 'asof-run/1';

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, lower-case hexadecimal' });
const count = Type.Integer({ minimum: 0 });
const logCommitment = Type.Object(
  { size: count, root: sha256 },
  { description: 'Merkle commitment of an append-only log (RFC 9162): number of leaves and root' },
);
const parameters = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));

const input = Type.Object({ role: Type.String(), name: Type.String(), bytes: count, sha256 });

const modelId = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Id of a version in `models`' });

const shard = Type.Object({
  stream: Type.String(),
  seed: Type.Integer(),
  retriever: Type.String(),
  mechanism: Type.String(),
  eventLog: logCommitment,
  model: modelId,
  rows: count,
});

const reading = Type.Object({
  reading: Type.Enum(['as-of', 'frozen'], {
    description:
      'as-of: as it was at each anchor; frozen: as it is at all of them, of which nothing historical is claimed',
  }),
  words: Type.String({ description: 'The same in words: part of what the run certifies' }),
});

const domain = Type.Object({
  name: Type.String(),
  inputs: Type.Array(input),
  dropped: Type.Record(Type.String(), count, { description: 'Records left out by skipInvalid, by reason' }),
  assets: count,
  assetsByType: Type.Record(Type.String(), count),
  requests: count,
  meanProductSize: Type.Union([Type.Number(), Type.Null()]),
  corpus: logCommitment,
  types: sha256,
  requestsHash: sha256,
  products: sha256,
  similarity: Type.Object({
    id: Type.String(),
    hash: sha256,
    vectors: Type.Union([Type.Literal('sparse'), Type.Literal('dense')]),
    model: modelId,
  }),
  retrievers: Type.Array(
    Type.Object({
      label: Type.String(),
      hash: sha256,
      index: sha256,
      model: modelId,
      emptyLists: Type.Integer({ minimum: 0, description: 'Requests for which nothing was retrieved' }),
    }),
  ),
  streams: Type.Array(
    Type.Object({
      label: Type.String(),
      kind: Type.String(),
      seed: Type.Integer(),
      usesGold: Type.Boolean(),
      clock: Type.Union([Type.Literal('recorded'), Type.Literal('position')]),
      parameters,
      hash: sha256,
      anchors: count,
      skippedAnchors: Type.Integer({
        minimum: 0,
        description: 'Anchors whose product holds no asset available by then',
      }),
    }),
  ),
  shards: Type.Array(shard),
});

/**
 * What a run was and what it came to. Everything but `recorded` and `hash` is determined by inputs, experiment and
 * version: two runs of the same give the same bytes there, and the same hash.
 */
export const manifestSchema = Type.Object(
  {
    format: Type.Literal(manifestFormat),
    tool: Type.Object({ name: Type.Literal('asof'), version: Type.String() }),
    runId: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    experiment: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The experiment with every default filled in; paths of inputs are under `recorded`',
    }),
    redacted: Type.Boolean({ description: 'Request texts are kept as hashes only' }),
    eligibility: Type.Object({ words: Type.String(), version: Type.String() }),
    readings: Type.Object(
      { corpus: reading, models: Type.Union([Type.Null(), reading]) },
      { description: 'How the corpus, and pretrained models where any takes part, are read' },
    ),
    mechanisms: Type.Array(
      Type.Object({
        label: Type.String(),
        name: Type.String(),
        version: Type.String(),
        usesGold: Type.Boolean(),
        reads: Type.String(),
        parameters,
      }),
    ),
    models: Type.Array(modelVersionSchema, {
      description: 'Versions of everything fitted or tuned that took part, parents before what was made from them',
    }),
    conditions: Type.Array(Type.String()),
    metrics: Type.Array(Type.String()),
    domains: Type.Array(domain),
    rows: count,
    artefacts: Type.Array(Type.Object({ path: Type.String(), bytes: count, sha256 }), {
      description: 'Every file of the run beside this one, by path inside the run folder',
    }),
    summary: Type.Unknown({ description: 'Ranges of the headline effects by mechanism' }),
    contract: Type.Union([
      Type.Null(),
      Type.Object({
        holds: Type.Boolean(),
        checks: Type.Array(
          Type.Object({
            name: Type.String(),
            checked: count,
            violations: count,
            note: Type.Union([Type.Null(), Type.String()], {
              description: 'Why the check could not be made, or only in part',
            }),
            examples: Type.Array(Type.Object({ where: Type.String(), found: Type.String(), expected: Type.String() }), {
              description: 'The first few violations',
            }),
          }),
        ),
      }),
    ]),
    repairs: Type.Union(
      [
        Type.Null(),
        Type.Object({
          runId: Type.String({ pattern: '^[0-9a-f]{16}$' }),
          manifest: sha256,
          violations: Type.Array(Type.Object({ check: Type.String(), violations: count })),
        }),
      ],
      { description: 'The rejected run that this one was rebuilt from, by its manifest hash, and why it was rejected' },
    ),
    recorded: Type.Record(Type.String(), Type.Unknown(), {
      description: 'When, where and how it ran: outside the hash',
    }),
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the canonical JSON of all but `recorded` and `hash`',
    }),
  },
  { $id: 'urn:asof:manifest:1', title: 'asof run manifest' },
);

/** What a run was, and is certified by: `schemas/manifest.schema.json`. */
export type Manifest = Static<typeof manifestSchema>;
export type ManifestDomain = Manifest['domains'][number];

/** Hash over everything that inputs, experiment and version determine. */
export function manifestHash(manifest: Omit<Manifest, 'hash' | 'recorded'>): string {
  const { hash: _hash, recorded: _recorded, ...determined } = manifest as Manifest;
  return sha256Hex(canonicalJson(determined));
}

/**
 * Reads a manifest.
 * @throws ForeignFileError when the text is not JSON, not a manifest, or of another format version
 */
export function parseManifest(text: string, file: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ForeignFileError({ file, reason: 'not JSON: truncated or of another kind', cause });
  }
  const format = (value as { format?: unknown } | null)?.format;
  if (format !== manifestFormat) {
    throw new ForeignFileError({
      file,
      reason: `format is ${JSON.stringify(format)}, this version reads ${manifestFormat}`,
    });
  }
  if (!Value.Check(manifestSchema, value)) {
    const first = Value.Errors(manifestSchema, value)[0]!;
    throw new ForeignFileError({ file, reason: `not a manifest: ${first.instancePath || '/'} ${first.message}` });
  }
  return value;
}
