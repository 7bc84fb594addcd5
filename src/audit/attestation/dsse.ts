import { ForeignFileError } from '../../errors/ForeignFileError.js';

/** A DSSE envelope (Dead Simple Signing Envelope 1.0.2, JSON form): a payload of bytes and signatures over it. */
export interface DsseEnvelope {
  /** How to interpret the payload; part of what is signed. */
  readonly payloadType: string;
  readonly payload: Buffer;
  /** At least one. */
  readonly signatures: readonly DsseSignature[];
}

export interface DsseSignature {
  /** A hint at the key, not itself signed; empty when the envelope gives none. */
  readonly keyId: string;
  readonly signature: Buffer;
}

/**
 * What a DSSE signature covers (DSSE protocol, "Signature definition"):
 * `"DSSEv1" SP LEN(type) SP type SP LEN(body) SP body`, lengths in bytes, decimal, without leading zeros.
 */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType, 'utf8');
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

/** The envelope as JSON text, members in the order of the specification, ending in a new line. */
export function formatEnvelope(envelope: DsseEnvelope): string {
  const json = {
    payload: envelope.payload.toString('base64'),
    payloadType: envelope.payloadType,
    signatures: envelope.signatures.map(({ keyId, signature }) => ({
      keyid: keyId,
      sig: signature.toString('base64'),
    })),
  };
  return `${JSON.stringify(json)}\n`;
}

/**
 * Reads an envelope out of JSON text. Members that it does not know are ignored, as the specification asks; everything
 * else is taken strictly, since a lenient reader would see other bytes than another reader sees.
 *
 * @param file name for error messages
 * @throws ForeignFileError when the text is no DSSE envelope
 */
export function parseEnvelope(text: string, file: string): DsseEnvelope {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw malformed(file, 'it is not JSON', cause);
  }
  if (!isRecord(json)) throw malformed(file, 'expected a JSON object');
  const { payloadType, signatures } = json;
  if (typeof payloadType !== 'string') throw malformed(file, 'expected a string as payloadType');
  const payload = decodeBase64(json.payload);
  if (payload === undefined) throw malformed(file, 'expected base64 as payload');
  if (!Array.isArray(signatures) || signatures.length === 0) {
    throw malformed(file, 'expected a list of at least one signature as signatures');
  }
  return {
    payloadType,
    payload,
    signatures: signatures.map((entry: unknown, index): DsseSignature => {
      if (!isRecord(entry)) throw malformed(file, `expected an object as signatures[${index}]`);
      const keyId = entry.keyid ?? '';
      if (typeof keyId !== 'string') throw malformed(file, `expected a string as signatures[${index}].keyid`);
      const signature = decodeBase64(entry.sig);
      if (signature === undefined) throw malformed(file, `expected base64 as signatures[${index}].sig`);
      return { keyId, signature };
    }),
  };
}

/** Bytes of padded base64 in either alphabet (RFC 4648 sections 4 and 5), or undefined when it is not exactly that. */
function decodeBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64');
  const standard = text.includes('-') || text.includes('_') ? text.replaceAll('-', '+').replaceAll('_', '/') : text;
  return bytes.toString('base64') === standard ? bytes : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(file: string, reason: string, cause?: unknown): ForeignFileError {
  return new ForeignFileError({ file, reason: `malformed DSSE envelope: ${reason}`, cause });
}
