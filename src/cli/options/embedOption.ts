import type { Command } from 'commander';
import type { EmbedderSpec } from '../../replay/experiment/experiment.js';
import { checkEmbedderSpec } from '../../replay/experiment/readExperiment.js';
import { specFrom } from './specOption.js';

/** Values of the option that `addEmbedOption` adds, as commander gives them. */
export interface EmbedOptionValues {
  embed?: string | boolean;
}

/** Adds `--embed`, and `--no-embed` for a workspace that is embedded. */
export function addEmbedOption(command: Command): Command {
  return command
    .option(
      '--embed [model]',
      'embed the texts, from now on: minilm (default), minilm,precision=int8 or for example folder,path=models/mpnet',
    )
    .option('--no-embed', 'leave new texts without vectors for now');
}

/** Undefined when nothing was said: a workspace that is embedded stays so. */
export function embedOf({ embed }: EmbedOptionValues): EmbedderSpec | boolean | undefined {
  return typeof embed === 'string' ? checkEmbedderSpec(specFrom(embed), '--embed') : embed;
}
