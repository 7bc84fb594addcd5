import { verify } from 'node:crypto';
import { join } from 'node:path';
import { type AlteredArtefact, AlteredArtefactError } from '../../errors/AlteredArtefactError.js';
import { BadSignatureError } from '../../errors/BadSignatureError.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { MissingArtefactError } from '../../errors/MissingArtefactError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { WrongKeyError } from '../../errors/WrongKeyError.js';
import { digestFile, listArtefacts } from './artefacts.js';
import { type DsseEnvelope, preAuthenticationEncoding } from './dsse.js';
import type { VerificationKey } from './keys.js';
import { parseStatement, type Statement, statementPayloadType } from './statement.js';

export interface VerifiedArtefacts {
  /** Names that are as signed. */
  readonly verified: readonly string[];
  /** Files in the directory that the attestation says nothing about. */
  readonly notCovered: readonly string[];
}

/**
 * Checks that a key signed an envelope and gives the statement inside. Nothing of the payload is looked at before the
 * signature has verified. Key ids are hints: every signature is tried with the key, whatever id it carries.
 *
 * @param file name of the envelope for error messages
 * @throws WrongKeyError when no signature verifies and all of them name other keys
 * @throws BadSignatureError when no signature verifies, though one names this key or none
 * @throws ForeignFileError when the payload is not an attestation of asof
 */
export function verifyEnvelope(envelope: DsseEnvelope, key: VerificationKey, file: string): Statement {
  const signed = preAuthenticationEncoding(envelope.payloadType, envelope.payload);
  if (!envelope.signatures.some(({ signature }) => verify(null, signed, key.publicKey, signature))) {
    const signedWith = envelope.signatures.map((signature) => signature.keyId);
    if (signedWith.includes(key.keyId) || signedWith.includes('')) {
      throw new BadSignatureError({ envelope: file, keyId: key.keyId });
    }
    throw new WrongKeyError({ envelope: file, keyId: key.keyId, signedWith });
  }
  if (envelope.payloadType !== statementPayloadType) {
    throw new ForeignFileError({
      file,
      reason: `payloadType ${envelope.payloadType}, expected ${statementPayloadType}`,
    });
  }
  return parseStatement(envelope.payload, file);
}

/**
 * Compares the artefacts in a directory with the digests of a statement.
 *
 * @param file name of the envelope for error messages
 * @throws AlteredArtefactError naming every artefact with another digest than the signed one
 * @throws MissingArtefactError naming every artefact that is not there, when the rest is as signed
 */
export async function verifyArtefacts(
  statement: Statement,
  directory: string,
  file: string,
): Promise<VerifiedArtefacts> {
  const altered: AlteredArtefact[] = [];
  const missing: string[] = [];
  const verified: string[] = [];
  for (const { name, sha256 } of statement.subjects) {
    const found = await digestIfPresent(join(directory, name));
    if (found === undefined) missing.push(name);
    else if (found !== sha256) altered.push({ name, signed: sha256, found });
    else verified.push(name);
  }
  if (altered.length > 0) throw new AlteredArtefactError({ envelope: file, artefacts: altered });
  if (missing.length > 0) throw new MissingArtefactError({ envelope: file, names: missing, directory });
  const covered = new Set(verified);
  const present = await listArtefacts(directory);
  return { verified, notCovered: present.map(({ name }) => name).filter((name) => !covered.has(name)) };
}

/** Digest of a file, or undefined when there is no file of that name. */
async function digestIfPresent(path: string): Promise<string | undefined> {
  try {
    return await digestFile(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw new MissingResourceError({ resource: path, remedy: `expected a file that can be read (${code})`, cause });
  }
}
