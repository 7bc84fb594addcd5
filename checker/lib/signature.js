import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hex } from './hashing.js';
import { digestOf, readJson } from './read.js';
import { UnreadableRun } from './report.js';

const envelopeFile = 'attestation.dsse.json';

/** Exit codes of an attestation that does not hold. */
export const signatureCodes = { bad: 4, wrongKey: 5, altered: 6, missing: 7 };

/**
 * Checks the attestation of a run: an in-toto Statement v1 in a DSSE envelope, signed with Ed25519, over every file.
 * @param keyFile public key, SPKI PEM
 * @returns { ok, code, message }
 */
export async function checkSignature(folder, keyFile) {
  const envelope = await readJson(folder, envelopeFile);
  const key = await publicKey(keyFile);
  const keyId = hex(key.export({ type: 'spki', format: 'der' }));
  const type = envelope.payloadType;
  const payload = Buffer.from(envelope.payload, 'base64');
  // What DSSE signs: "DSSEv1" SP length SP type SP length SP payload.
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
  const isSigned = envelope.signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, 'base64')));
  if (!isSigned) {
    const names = envelope.signatures.map(({ keyid }) => keyid ?? '');
    if (names.includes(keyId) || names.includes('')) return refusal('bad', `the signature is not one of key ${keyId}`);
    return refusal('wrongKey', `signed with ${names.join(', ')}, not with ${keyId}`);
  }
  const statement = JSON.parse(payload.toString('utf8'));
  const isOurs =
    type === 'application/vnd.in-toto+json' &&
    statement._type === 'https://in-toto.io/Statement/v1' &&
    statement.predicateType === 'urn:asof:attestation:v1';
  if (!isOurs) throw new UnreadableRun(`${envelopeFile}: no attestation of a run`);
  const missing = [];
  for (const { name, digest } of statement.subject) {
    if (name.includes('\\') || name.split('/').some((part) => ['', '.', '..'].includes(part))) {
      throw new UnreadableRun(`${envelopeFile}: ${name} lies outside the run`);
    }
    const found = await digestOf(folder, name);
    if (found === null) missing.push(name);
    else if (found !== digest.sha256) return refusal('altered', `${name} is not as it was signed`);
  }
  if (missing.length > 0) return refusal('missing', `${missing.join(', ')}: signed, and not there`);
  if (!statement.subject.some(({ name }) => name === 'manifest.json')) {
    return refusal('missing', 'the manifest is not among what was signed');
  }
  return { ok: true, code: 0, message: `${statement.subject.length} files as signed with ${keyId}` };
}

function refusal(reason, message) {
  return { ok: false, code: signatureCodes[reason], message };
}

async function publicKey(file) {
  try {
    const pem = await readFile(file, 'utf8');
    const key = createPublicKey(pem);
    if (pem.includes('PUBLIC KEY') && key.asymmetricKeyType === 'ed25519') return key;
  } catch {}
  throw new UnreadableRun(`${file}: not an Ed25519 public key in SPKI PEM`);
}
