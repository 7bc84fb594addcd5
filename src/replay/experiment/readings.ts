import { type Experiment, needsEmbedder } from './experiment.js';

/** Whether something is taken as it was at each anchor, or as it is at all of them. */
export type Reading = 'as-of' | 'frozen';

/** How a run reads what it does not replay, and what follows for its claim, in words that the certificate carries. */
export interface Readings {
  readonly corpus: { readonly reading: Reading; readonly words: string };
  /** Null where no pretrained model takes part. */
  readonly models: { readonly reading: Reading; readonly words: string } | null;
}

const corpusWords: Readonly<Record<Reading, string>> = {
  'as-of':
    'The corpus is read as of each anchor: what became available later is in no ranking, no product and no statistic.',
  frozen:
    'The corpus is frozen: every anchor is answered from all of it, and the statistics fitted on it have seen all of it. ' +
    'Nothing historical is claimed of the corpus or of its statistics; only the memory is historical.',
};

const modelWords: Readonly<Record<Reading, string>> = {
  'as-of': 'Pretrained models, and all that they were made from, were available before the first anchor.',
  frozen:
    'Pretrained models are frozen: taken as they are at every anchor, whatever their date. ' +
    'Nothing historical is claimed of what they learned.',
};

/** Pretrained models are read as the corpus is, unless the experiment declares them frozen. */
export function modelReading({ corpus, models }: Pick<Experiment, 'corpus' | 'models'>): Reading {
  return models === 'frozen' ? 'frozen' : corpus;
}

export function readingsOf(experiment: Experiment): Readings {
  const reading = modelReading(experiment);
  return {
    corpus: { reading: experiment.corpus, words: corpusWords[experiment.corpus] },
    models: needsEmbedder(experiment) ? { reading, words: modelWords[reading] } : null,
  };
}
