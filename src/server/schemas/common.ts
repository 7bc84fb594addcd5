import { type TProperties, type TSchema, Type } from 'typebox';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { type Duration, parseDuration } from '../../time/duration.js';
import type { Instant } from '../../time/instant.js';
import { parseInstant } from '../../time/parseInstant.js';

/** An instant in an answer. */
export const instantText = Type.String({ format: 'date-time', description: 'Instant, ISO 8601 in UTC' });

/** An instant in a question: a date is its 00:00 UTC; a time needs its offset. */
export const instantParameter = (description: string) =>
  Type.String({ description: `${description}: a date (its 00:00 UTC), or a time with offset`, maxLength: 64 });

export const sha256Text = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, hexadecimal' });

export const count = Type.Integer({ minimum: 0 });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** What a question may hold and nothing else: a parameter with a slip in its name is refused, never passed over. */
export const exact = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false });

/** A value whose type another part of the library gives; written as it is. */
export const anyObject = <T>(description: string) =>
  Type.Unsafe<T>({ type: 'object', additionalProperties: true, description });

export const logCommitment = Type.Object(
  { size: count, root: sha256Text },
  { description: 'Merkle commitment to a log' },
);

/** Identity of the corpus as of an instant. */
export const stateSchema = Type.Object(
  { asOf: instantText, size: count, root: sha256Text },
  { description: 'State of the corpus that answered: its operations up to the instant, and the Merkle root over them' },
);

/** Identity of the memory before an instant. */
export const memoryStateSchema = Type.Object(
  { before: instantText, size: count, root: sha256Text },
  { description: 'State of the memory: events observed strictly before the instant, and the Merkle root over them' },
);

export const problemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String({ description: "The library's own code, stable: switch on this" }),
    location: Type.Optional(anyObject('Where in a body of records the fault is')),
  },
  { description: 'An error (RFC 9457)' },
);

/** Answers of every route that is not as it should be. */
export const problemResponses = {
  '4xx': {
    description: 'The request cannot be used',
    content: { 'application/problem+json': { schema: problemSchema } },
  },
  '5xx': {
    description: 'The server cannot answer',
    content: { 'application/problem+json': { schema: problemSchema } },
  },
} as const;

/** Reads an instant of a question and names the parameter when it is none. */
export function instantOf(name: string, text: string): Instant;
export function instantOf(name: string, text: string | undefined): Instant | undefined;
export function instantOf(name: string, text: string | undefined): Instant | undefined {
  return text === undefined ? undefined : namingParameter(name, () => parseInstant(text));
}

/** Reads a span of time of a question and names the parameter when it is none. */
export function durationOf(name: string, text: string): Duration;
export function durationOf(name: string, text: string | undefined): Duration | undefined;
export function durationOf(name: string, text: string | undefined): Duration | undefined {
  return text === undefined ? undefined : namingParameter(name, () => parseDuration(text));
}

function namingParameter<T>(argument: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause;
    throw new InvalidArgumentError({ argument, value: cause.value, expected: cause.expected, cause });
  }
}
