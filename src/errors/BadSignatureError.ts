import { AsofError } from './AsofError.js';

/** An attestation claims to be signed with the key it is checked with, and its signature does not verify. */
export class BadSignatureError extends AsofError {
  readonly code = 'ASOF_BAD_SIGNATURE';
  override readonly exitCode = 4;

  constructor(options: { envelope: string; keyId: string }) {
    super(
      `${options.envelope}: bad signature: it does not verify with key ${options.keyId}, so the attestation was altered after signing or never signed with this key`,
    );
  }
}
