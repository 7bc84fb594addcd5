import { isAbsolute, join } from 'node:path';
import { isUrl } from '../corpus/hub.js';
import type { Experiment } from './experiment.js';

/** Paths in an experiment file are relative to the file. */
export function withPathsFrom(folder: string, experiment: Experiment): Experiment {
  const locate = (path: string) => (isUrl(path) || isAbsolute(path) || path === '-' ? path : join(folder, path));
  const datasets = experiment.datasets.map((dataset) => ({
    ...dataset,
    ...(dataset.path === undefined ? {} : { path: locate(dataset.path) }),
    ...(dataset.assets === undefined ? {} : { assets: dataset.assets.map(locate) }),
    ...(dataset.requests === undefined ? {} : { requests: dataset.requests.map(locate) }),
    ...(dataset.qrels === undefined ? {} : { qrels: dataset.qrels.map(locate) }),
  }));
  const mechanisms = experiment.mechanisms.map((spec) =>
    spec.kind === 'module' ? { ...spec, module: locate(spec.module) } : spec,
  );
  return { ...experiment, datasets, mechanisms };
}
