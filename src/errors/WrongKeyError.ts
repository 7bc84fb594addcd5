import { AsofError } from './AsofError.js';

/** An attestation is signed, by its own account, with other keys than the one it is checked with. */
export class WrongKeyError extends AsofError {
  readonly code = 'ASOF_WRONG_KEY';
  override readonly exitCode = 5;
  /** Key ids that the envelope names. */
  readonly signedWith: readonly string[];

  constructor(options: { envelope: string; keyId: string; signedWith: readonly string[] }) {
    super(
      `${options.envelope}: wrong key: signed with key ${options.signedWith.join(', ')}, checked with key ${options.keyId}`,
    );
    this.signedWith = options.signedWith;
  }
}
