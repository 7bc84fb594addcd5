import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkExperiment } from '../replay/readExperiment.js';
import { processContext } from './context.js';
import { commandReference } from './reference.js';
import { buildProgram } from './runCli.js';

it('docs/cli.md says what the commands say (npm run build:cli-reference)', () => {
  const file = new URL('../../docs/cli.md', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(commandReference(buildProgram(processContext())));
});

it('the defaults that asof replay --help tells are those of an experiment', () => {
  const { bootstrap, ...design } = checkExperiment({ name: 'x', datasets: [{ name: 'x', path: 'x' }] }, 'x');
  const kinds = (specs: readonly { readonly kind: string }[]) => specs.map(({ kind }) => kind).join(',');
  const [first, last] = [design.seeds[0], design.seeds.at(-1)];
  const replay = buildProgram(processContext()).commands.find((command) => command.name() === 'replay')!;
  const told = replay.options.map(({ long, description }) => [long, / \(default: (.*)\)$/.exec(description)?.[1]]);
  expect(Object.fromEntries(told)).toMatchObject({
    '--corpus': design.corpus,
    '--retriever': kinds(design.retrievers),
    '--stream': kinds(design.streams),
    '--similarity': design.similarity,
    '--embedder': design.embedder.kind,
    '--seeds': `${first}-${last}`,
    '--mechanism': kinds(design.mechanisms),
    '--horizons': design.horizons.join(','),
    '--anchors-per-window': String(design.anchorsPerWindow),
    '--capacity': String(design.capacity),
    '--trace-depth': String(design.traceDepth),
    '--base-depth': String(design.baseDepth),
    '--cutoffs': design.cutoffs.join(','),
    '--resamples': String(bootstrap.resamples),
    '--bootstrap-seed': String(bootstrap.seed),
    '--confidence': String(bootstrap.confidence),
  });
});
