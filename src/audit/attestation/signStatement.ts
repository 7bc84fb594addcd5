import { sign } from 'node:crypto';
import { type DsseEnvelope, preAuthenticationEncoding } from './dsse.js';
import type { SigningKey } from './keys.js';
import { formatStatement, type Statement, statementPayloadType } from './statement.js';

/**
 * Signs a statement with Ed25519 (RFC 8032, which is deterministic: the same statement and key give the same envelope)
 * and puts it into a DSSE envelope.
 *
 * @throws InvalidArgumentError when the statement could not be read back
 */
export function signStatement(statement: Statement, key: SigningKey): DsseEnvelope {
  const payload = Buffer.from(formatStatement(statement), 'utf8');
  const signature = sign(null, preAuthenticationEncoding(statementPayloadType, payload), key.privateKey);
  return { payloadType: statementPayloadType, payload, signatures: [{ keyId: key.keyId, signature }] };
}
