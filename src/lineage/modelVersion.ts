import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { canonicalJson } from '../commitment/canonicalJson.js';
import { sha256Hex } from '../commitment/sha256.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, lower-case hexadecimal' });

/** What a version was fitted on: a prefix of a log, or whatever prefix the anchor at hand sees. */
const trainingSchema = Type.Union([
  Type.Object({
    log: Type.String({ minLength: 1, description: 'Name of the log, for example corpus' }),
    size: Type.Integer({ minimum: 0, description: 'Entries of the prefix' }),
    root: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Merkle root of the prefix' }),
    newestAt: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Newest time of an entry of the prefix; null where none has a clock',
    }),
  }),
  Type.Object({
    log: Type.String({ minLength: 1 }),
    follows: Type.Literal('anchor', {
      description: 'Fitted anew at every anchor, on the prefix that the row names as its snapshot',
    }),
  }),
]);

/** Everything about a version that its id is taken over. */
export const modelDescriptionSchema = Type.Object({
  kind: Type.String({
    minLength: 1,
    description: 'For example embedder, statistics, similarity, retriever, mechanism',
  }),
  name: Type.String({ minLength: 1 }),
  content: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of what it is: weights, fitted statistics, parameters',
  }),
  origin: Type.Enum(['fixed', 'fitted', 'pretrained'], {
    description:
      'fixed: a formula and constants that no data decided; fitted: on the log that `training` names; pretrained: elsewhere, on data that is not at hand',
  }),
  reading: Type.Enum(['as-of', 'frozen'], {
    description:
      'as-of: must have been there, with all its ancestors, before the anchor; frozen: taken as it is at every anchor, whatever its date: not historical',
  }),
  availableAt: Type.Union([Type.Integer(), Type.Null()], {
    description: 'When it could first have been used, epoch milliseconds; null where nothing says, or it needs no time',
  }),
  parents: Type.Array(sha256, { description: 'Ids of the versions it was made from' }),
  training: Type.Union([Type.Null(), trainingSchema]),
  parameters: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});

/** JSON Schema of a version, as manifests and workspaces keep it. */
export const modelVersionSchema = Type.Object({ id: sha256, ...modelDescriptionSchema.properties });

export type ModelDescription = Static<typeof modelDescriptionSchema>;

/**
 * A version of something fitted or tuned, θ (PIT Discovery section 7, "lineage of learned parameters"): never changed, only
 * followed by another. Its id is a hash over all the rest, its parents' ids included, so that an id names a whole lineage.
 */
export type ModelVersion = Readonly<Static<typeof modelVersionSchema>>;

/** Hash that names a version: SHA-256 of its canonical JSON without the id. */
export function modelVersionId(description: ModelDescription): string {
  const { id: _id, ...rest } = description as ModelVersion;
  return sha256Hex(canonicalJson(rest));
}

/**
 * A version of the description, with its id.
 * @throws InvalidArgumentError when the description contradicts itself: fitted on nothing, available before its training
 */
export function newModelVersion(description: ModelDescription): ModelVersion {
  const fault = descriptionFault(description);
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return { id: modelVersionId(description), ...description };
}

/**
 * What is wrong with a value as a version: its form, its id, or a contradiction; undefined when nothing is.
 */
export function modelVersionFault(value: unknown): string | undefined {
  if (!Value.Check(modelVersionSchema, value)) {
    const [error] = Value.Errors(modelVersionSchema, value);
    return `${error?.instancePath ?? ''} ${error?.message ?? 'does not fit its schema'}`.trim();
  }
  const id = modelVersionId(value);
  if (id !== value.id) return `id is ${value.id}, its content has ${id}`;
  const fault = descriptionFault(value);
  return fault && `${fault.argument}: got ${JSON.stringify(fault.value)}, expected ${fault.expected}`;
}

/**
 * When a version came to be, as far as it says itself: the later of its availability and its newest training entry.
 * -Infinity for what needs no time (fixed, fitted on nothing dated, refitted at every anchor); NaN for a pretrained one
 * without a date.
 */
export function ownTime(version: ModelDescription): number {
  const { origin, availableAt, training } = version;
  if (origin === 'pretrained' && availableAt === null) return Number.NaN;
  const newestAt = training !== null && 'newestAt' in training ? training.newestAt : null;
  return Math.max(availableAt ?? Number.NEGATIVE_INFINITY, newestAt ?? Number.NEGATIVE_INFINITY);
}

function descriptionFault(
  description: ModelDescription,
): { argument: string; value: unknown; expected: string } | undefined {
  const { origin, availableAt, training } = description;
  if (origin === 'fitted' && training === null) {
    return { argument: 'training', value: training, expected: 'what a fitted version was fitted on' };
  }
  if (origin !== 'fitted' && training !== null) {
    return { argument: 'training', value: training, expected: `nothing beside origin ${origin}` };
  }
  if (origin === 'fixed' && availableAt !== null) {
    return { argument: 'availableAt', value: availableAt, expected: 'nothing: a fixed formula has no date' };
  }
  const newestAt = training !== null && 'newestAt' in training ? training.newestAt : null;
  if (newestAt !== null && (availableAt === null || availableAt < newestAt)) {
    return {
      argument: 'availableAt',
      value: availableAt,
      expected: `no earlier than its newest training entry (${newestAt})`,
    };
  }
  return undefined;
}
