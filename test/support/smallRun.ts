import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RandomSource } from '../../src/random/RandomSource.js';
import { checkExperiment } from '../../src/replay/experiment/readExperiment.js';
import { type FinishedRun, runExperiment } from '../../src/store/runs/runExperiment.js';

const words =
  'amber basin cedar delta ember fjord grove harbor inlet jetty knoll lagoon meadow nook orchard prairie'.split(' ');

/** Writes a small collection whose requests resemble one another and their products, in asof's JSON Lines form. */
export async function writeSmallDataset(
  folder: string,
  options: { requests?: number; seed?: number; clocks?: boolean; firstRequestHour?: number } = {},
) {
  const { requests = 120, seed = 7, clocks = false, firstRequestHour = 95 } = options;
  const random = new RandomSource(seed, 'test/small-dataset');
  const pick = (count: number) => Array.from({ length: count }, () => words[random.below(words.length)]!).join(' ');
  const at = (hour: number) => (clocks ? { availableAt: new Date(hour * 3_600_000).toISOString() } : {});
  const assets = Array.from({ length: 90 }, (_, i) => ({
    id: `a${i}`,
    type: i % 3 === 0 ? 'table' : 'text',
    text: `${pick(6)} item${i % 30}`,
    ...at(i),
  }));
  const records = Array.from({ length: requests }, (_, i) => {
    const gold = [...new Set([random.below(90), random.below(90), i % 90])];
    const text = `${assets[gold[0]!]!.text.split(' ').slice(0, 2).join(' ')} ${pick(1)}`;
    // Some share an instant with the request before.
    const observedAt = clocks
      ? { observedAt: new Date((firstRequestHour + Math.floor(i / 3)) * 3_600_000).toISOString() }
      : {};
    return { id: `q${i}`, text, gold: gold.map((asset) => `a${asset}`), ...observedAt };
  });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'assets.jsonl'), assets.map((asset) => `${JSON.stringify(asset)}\n`).join(''));
  await writeFile(path.join(folder, 'requests.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

export const smallDesign = {
  name: 'small',
  seeds: [1, 2],
  mechanisms: ['trace', 'feedback'],
  horizons: [3, 10],
  anchorsPerWindow: 4,
  capacity: 6,
  traceDepth: 10,
  baseDepth: 20,
  cutoffs: [5, 10],
  bootstrap: { resamples: 200, seed: 1, confidence: 0.95 },
};

/** Runs the small design over a data set folder. */
export function runSmall(
  dataset: string,
  folder: string,
  changes: object = {},
  options: object = {},
): Promise<FinishedRun> {
  const experiment = checkExperiment(
    { ...smallDesign, datasets: [{ name: 'small', path: dataset }], ...changes },
    'test',
  );
  return runExperiment({ experiment, folder, version: '0.0.0-test', recorded: () => ({}), ...options });
}
