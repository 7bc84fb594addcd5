import { canonicalJson } from '../../commitment/canonicalJson.js';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { type AttestationPredicate, predicateFault, predicateType } from './predicate.js';

export const statementType = 'https://in-toto.io/Statement/v1';
/** Media type of an in-toto statement as a DSSE payload. */
export const statementPayloadType = 'application/vnd.in-toto+json';

/** An artefact that an attestation is about. */
export interface Subject {
  /** Path relative to the attested directory, parts joined by `/`. */
  readonly name: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** An in-toto Statement v1 with the predicate of asof. */
export interface Statement {
  readonly subjects: readonly Subject[];
  readonly predicate: AttestationPredicate;
}

/**
 * The statement as canonical JSON, its subjects in name order: the same artefacts and predicate, the same bytes.
 * @throws InvalidArgumentError when it would not be read back: no subject, two of a name, a digest or predicate amiss
 */
export function formatStatement(statement: Statement): string {
  const fault = subjectsFault(statement.subjects) ?? predicateFault(statement.predicate);
  if (fault !== undefined) {
    throw new InvalidArgumentError({
      argument: 'statement',
      value: fault,
      expected: 'a statement that can be read back',
    });
  }
  const subjects = statement.subjects.toSorted((a, b) => compareCodeUnits(a.name, b.name));
  return canonicalJson({
    _type: statementType,
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType,
    predicate: statement.predicate,
  });
}

/**
 * Reads a statement out of the payload of an envelope. Unknown members are ignored (in-toto parsing rules).
 * @param file name for error messages
 * @throws ForeignFileError when the payload is no in-toto Statement v1, or its predicate is not that of asof
 */
export function parseStatement(payload: Uint8Array, file: string): Statement {
  const foreign = (reason: string, cause?: unknown) =>
    new ForeignFileError({ file, reason: `not an attestation of asof: ${reason}`, cause });
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch (cause) {
    throw foreign('its payload is not JSON in UTF-8', cause);
  }
  const statement = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  if (statement._type !== statementType) throw foreign(`_type is not ${statementType}`);
  if (statement.predicateType !== predicateType) throw foreign(`predicateType is not ${predicateType}`);
  const entries: unknown[] = Array.isArray(statement.subject) ? statement.subject : [];
  const subjects = entries.map((entry) => {
    const { name, digest } = entry as { name?: unknown; digest?: { sha256?: unknown } | null };
    return { name, sha256: digest?.sha256 } as Subject;
  });
  const fault = subjectsFault(subjects) ?? predicateFault(statement.predicate);
  if (fault !== undefined) throw foreign(fault);
  return { subjects, predicate: statement.predicate as AttestationPredicate };
}

const sha256Hex = /^[0-9a-f]{64}$/;

/** What is wrong with a list of subjects, or undefined. */
function subjectsFault(subjects: readonly Subject[]): string | undefined {
  if (subjects.length === 0) return 'it has no subject';
  const names = new Set<string>();
  for (const { name, sha256 } of subjects) {
    if (typeof name !== 'string' || !isRelativePath(name)) {
      return `subject name ${JSON.stringify(name)} is not a relative path that stays inside its directory`;
    }
    if (names.has(name)) return `two subjects are named ${JSON.stringify(name)}`;
    if (typeof sha256 !== 'string' || !sha256Hex.test(sha256)) {
      return `subject ${JSON.stringify(name)} has no sha256 digest in 64 lower-case hexadecimal digits`;
    }
    names.add(name);
  }
  return undefined;
}

/** Whether a name, joined to a directory on any platform, stays below it. */
function isRelativePath(name: string): boolean {
  if (name.includes('\\') || name.includes('\0') || /^[a-z]:/i.test(name)) return false;
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
