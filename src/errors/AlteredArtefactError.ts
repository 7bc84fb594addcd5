import { AsofError } from './AsofError.js';

export interface AlteredArtefact {
  readonly name: string;
  /** SHA-256 that was signed, in hexadecimal. */
  readonly signed: string;
  /** SHA-256 of what is there now. */
  readonly found: string;
}

/** Artefacts are not what an attestation says they were, though its signature verifies. */
export class AlteredArtefactError extends AsofError {
  readonly code = 'ASOF_ALTERED_ARTEFACT';
  override readonly exitCode = 6;
  readonly artefacts: readonly AlteredArtefact[];

  constructor(options: { envelope: string; artefacts: readonly AlteredArtefact[] }) {
    const list = options.artefacts.map(
      ({ name, signed, found }) => `${name} (signed as sha256 ${signed}, found ${found})`,
    );
    super(`${options.envelope}: altered since signing: ${list.join('; ')}`);
    this.artefacts = options.artefacts;
  }
}
