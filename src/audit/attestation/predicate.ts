import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** Type of the predicate, as an in-toto statement names it. */
export const predicateType = 'urn:asof:attestation:v1';

const logCommitment = Type.Object({
  size: Type.Integer({ minimum: 0, description: 'Number of leaves.' }),
  root: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Root hash, SHA-256 in lower-case hexadecimal.' }),
});

/**
 * What the signer says about the subjects. Published as `schemas/attestation-predicate.v1.schema.json`; members that a
 * reader does not know are to be ignored (in-toto parsing rules).
 */
export const predicateSchema = Type.Object(
  {
    claim: Type.Enum(['replay-run', 'log-audit', 'artefacts'], {
      description:
        'What the subjects are together: the files of a replay run, of an audit of a foreign log, or files of any kind.',
    }),
    tool: Type.Object(
      { name: Type.String({ minLength: 1 }), version: Type.String({ minLength: 1 }) },
      { description: 'What made the attestation.' },
    ),
    signedAt: Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{3})?Z$',
      description: "The signer's own clock when it signed, RFC 3339 in UTC. No third party vouches for it.",
    }),
    logs: Type.Optional(
      Type.Record(Type.String(), logCommitment, {
        description:
          'Merkle commitments (RFC 9162) of the append-only logs behind the artefacts, by name, for example event-log. A consistency proof from a smaller commitment shows that the smaller log is a prefix.',
      }),
    ),
    contract: Type.Optional(
      Type.Object(
        {
          status: Type.Enum(['pass', 'partial', 'fail']),
          failures: Type.Optional(Type.Array(Type.String())),
        },
        { description: "Result of the audit contract, as the signer's tool computed it." },
      ),
    ),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:asof:schema:attestation-predicate:v1',
    title: 'Predicate of an asof attestation',
    description:
      'What the signer of an in-toto Statement (predicateType urn:asof:attestation:v1) says about its subjects: these artefacts, with these digests, are the ones that it held at signedAt. Members that a reader does not know are to be ignored.',
  },
);

export type AttestationPredicate = Static<typeof predicateSchema>;

/** What is wrong with a predicate by its schema, or undefined. */
export function predicateFault(predicate: unknown): string | undefined {
  if (Value.Check(predicateSchema, predicate)) return undefined;
  const [error] = Value.Errors(predicateSchema, predicate);
  return `its predicate${error?.instancePath ?? ''} ${error?.message ?? 'does not fit its schema'}`;
}
