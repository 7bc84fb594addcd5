import { Document, isScalar, visit } from 'yaml';
import type { Manifest } from '../audit/manifest.js';

/** How to make a run again. */
export interface Reproduction {
  /** The command as it was given; null where it was not recorded. */
  readonly command: string | null;
  /** YAML of the experiment with every default filled in, which `readExperiment` reads to the same experiment. */
  readonly experiment: string;
  /** Whether the experiment says where its inputs are; else the paths are to be put in. */
  readonly hasPaths: boolean;
}

export function reproduction(manifest: Manifest): Reproduction {
  const { command, datasets } = manifest.recorded;
  const hasPaths = Array.isArray(datasets);
  const experiment = { ...manifest.experiment, ...(hasPaths ? { datasets } : {}) };
  const { name, datasets: inputs, ...rest } = experiment as Record<string, unknown>;
  const ordered = { name, datasets: inputs, ...rest };
  return {
    command: typeof command === 'string' && command !== '' ? command : null,
    experiment: yamlText(ordered),
    hasPaths,
  };
}

/** YAML with lists of plain values on one line. */
function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_key, sequence) {
      sequence.flow = sequence.items.every((item) => isScalar(item) && typeof item.value === 'number');
    },
  });
  return document.toString({ lineWidth: 0 });
}
