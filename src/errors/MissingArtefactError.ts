import { AsofError } from './AsofError.js';

/** Artefacts that an attestation names are not there; the others are as signed. */
export class MissingArtefactError extends AsofError {
  readonly code = 'ASOF_MISSING_ARTEFACT';
  override readonly exitCode = 7;
  readonly names: readonly string[];

  constructor(options: { envelope: string; names: readonly string[]; directory: string }) {
    super(`${options.envelope}: missing from ${options.directory}: ${options.names.join(', ')}`);
    this.names = options.names;
  }
}
