import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { checkExperiment, readExperiment } from './readExperiment.js';
import { specLabel } from './specLabel.js';

const minimal = { name: 'e', datasets: [{ name: 'tatqa', path: 'data' }] };

function fault(text: string): InvalidInputError {
  try {
    readExperiment(text, 'experiment.yaml');
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
    throw error;
  }
  throw new Error('no fault was found');
}

describe('readExperiment', () => {
  it('fills in the defaults of the specification', () => {
    const experiment = checkExperiment(minimal, 'test');
    expect(experiment).toMatchObject({
      corpus: 'frozen',
      retrievers: [{ kind: 'bm25', k1: 1.5, b: 0.75, analyzer: 'plain', lengths: 'exact' }],
      streams: [{ kind: 'random' }],
      seeds: [1, 2, 3, 4, 5],
      mechanisms: [{ kind: 'trace', weight: 1, normalise: 'max' }],
      horizons: [10, 50, 100, 250, 500],
      anchorsPerWindow: 100,
      capacity: 32,
      traceDepth: 100,
      baseDepth: 200,
      cutoffs: [10, 20, 50, 100],
      bootstrap: { resamples: 5000, seed: 1, confidence: 0.95 },
    });
  });

  it('puts cutoffs in order, whatever order they are named in', () => {
    expect(checkExperiment({ ...minimal, cutoffs: [100, 5, 20] }, 'test').cutoffs).toEqual([5, 20, 100]);
  });

  it('reads YAML and JSON alike', () => {
    const yaml =
      'name: e\ndatasets:\n  - {name: tatqa, path: data}\nmechanisms: [trace, {kind: feedback, largestBonus: 0.05}]\n';
    const experiment = readExperiment(yaml, 'a.yaml');
    expect(readExperiment(JSON.stringify(experiment), 'a.json')).toEqual(experiment);
    expect(experiment.mechanisms[1]).toEqual({ kind: 'feedback', largestBonus: 0.05 });
  });

  it.each([
    ['name: e\ndatasets:\n  - name: t\n    path: d\ncapacity: 0\n', 5, 'capacity', 0],
    ['name: e\ndatasets:\n  - name: t\n    path: d\n    colour: red\n', 5, 'datasets[0].colour', 'this key'],
    ['name: e\ncolour: red\ndatasets:\n  - name: t\n    path: d\n', 2, 'colour', 'this key'],
    [
      'name: e\ndatasets:\n  - name: t\n    path: d\nmechanisms:\n  - trace\n  - kind: cache\n',
      7,
      'mechanisms[1].kind',
      'cache',
    ],
    [
      'name: e\ndatasets:\n  - name: t\n    path: d\nretrievers:\n  - kind: bm25\n    b: 1.5\n',
      7,
      'retrievers[0].b',
      1.5,
    ],
    ['name: e\ndatasets:\n  - name: t\n    path: d\ncorpus: thawed\n', 5, 'corpus', 'thawed'],
    ['name: e\ndatasets:\n  - name: t\n    path: d\nhorizons: [10, ten]\n', 5, 'horizons[1]', 'ten'],
  ])('names line, key and value of a fault: %j', (text, line, field, value) => {
    const error = fault(text);
    expect(error.location).toMatchObject({ file: 'experiment.yaml', line, field });
    expect(error.value).toBe(value);
  });

  it('names a key that is missing', () => {
    expect(fault('datasets:\n  - name: t\n    path: d\n').message).toContain('name: got nothing, expected a value');
    expect(fault('name: e\ndatasets:\n  - path: d\n').location).toMatchObject({ line: 3, field: 'datasets[0].name' });
  });

  it('lists what would do where only certain values do', () => {
    expect(fault('name: e\ndatasets: [{name: t, path: d}]\ncorpus: thawed\n').message).toContain(
      'one of "frozen", "as-of"',
    );
    expect(fault('name: e\ndatasets: [{name: t, path: d}]\nstreams: [burst]\n').message).toContain(
      'one of random, natural, semantic, gold-overlap',
    );
  });

  it('says what a list must be like', () => {
    expect(fault('name: e\ndatasets: [{name: t, path: d}]\nseeds: [1, 1]\n').message).toBe(
      'experiment.yaml:3: seeds: got [1,1], expected a list without repetition',
    );
    expect(fault('name: e\ndatasets: [{name: t, path: d}]\nmechanisms: []\n').message).toBe(
      'experiment.yaml:3: mechanisms: got [], expected a list of at least 1',
    );
    expect(fault('name: e\ndatasets: [{name: t, path: ""}]\n').message).toContain('expected a text that is not empty');
  });

  it('never mixes gold-overlap streams with others', () => {
    expect(fault('name: e\ndatasets: [{name: t, path: d}]\nstreams:\n  - random\n  - gold-overlap\n').message).toBe(
      'experiment.yaml:5: streams[1]: got "gold-overlap", expected gold-overlap alone: a stress test that looks at labels is never mixed with other streams',
    );
    expect(checkExperiment({ ...minimal, streams: ['gold-overlap'] }, 'test').streams).toEqual([
      { kind: 'gold-overlap' },
    ]);
  });

  it('names the line of broken YAML, a doubled key and an empty file', () => {
    expect(fault('name: e\n  datasets: [\n').location.line).toBeGreaterThan(0);
    expect(fault('name: e\nname: f\n').message).toMatch(/experiment\.yaml:2.*unique/);
    expect(() => readExperiment('', 'empty.yaml')).toThrow(InvalidInputError);
  });

  it.each([
    [{ traceDepth: 300 }, 'traceDepth'],
    [{ cutoffs: [10, 500] }, 'cutoffs'],
    [{ corpus: 'as-of' }, 'corpus'],
    [{ mechanisms: ['trace', 'trace'] }, 'mechanisms[1]'],
    [{ datasets: [{ name: 't', assets: 'a' }] }, 'datasets[0]'],
    [{ streams: [{ kind: 'semantic', shortestBurst: 9, longestBurst: 3 }] }, 'streams[0].shortestBurst'],
    [{ seeds: [1, 1] }, 'seeds'],
    [{ seeds: [-1] }, 'seeds[0]'],
  ])('refuses what does not go together: %j', (change, field) => {
    expect(() => checkExperiment({ ...minimal, ...change }, 'test')).toThrow(`test: ${field}`);
  });
});

describe('specLabel', () => {
  it('is the kind with every parameter that is not the default', () => {
    expect(specLabel({ kind: 'trace' })).toBe('trace');
    expect(specLabel({ kind: 'bm25', k1: 1.5, b: 0.4 } as { kind: string })).toBe('bm25,b=0.4');
  });
});
