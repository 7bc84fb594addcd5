import { join } from 'node:path';
import type { Manifest } from '../../audit/manifest.js';
import { writeTemporaryFiles } from '../../corpus/testing/temporaryFiles.js';
import type { ReportInput } from '../../report/report.js';
import { type CellSketch, sketchContract, sketchRun } from '../../report/testing/sketches.js';

const oracle: CellSketch = { key: { mechanism: 'feedback', mechanismUsesGold: true }, pit: 0.1, future: 0.2 };

/** Writes what a finished run leaves for a report, into `run` in a new folder; returns that folder. */
export function writeRun({ manifest, effects }: ReportInput): string {
  return writeTemporaryFiles({
    'run/manifest.json': JSON.stringify(manifest),
    'run/effects.json': JSON.stringify(effects),
  });
}

/** A run of two cells: a trace memory that harms, and an oracle that helps. */
export function sketchedRun(
  contract: Manifest['contract'] = sketchContract(),
  change: (manifest: Manifest) => Manifest = (manifest) => manifest,
): string {
  const { manifest, effects } = sketchRun([{}, oracle], { contract });
  return writeRun({ manifest: change(manifest), effects });
}

export function runFolder(folder: string): string {
  return join(folder, 'run');
}
