import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelLineage } from './ModelLineage.js';
import { type ModelDescription, type ModelVersion, modelVersionFault, newModelVersion } from './modelVersion.js';

const content = 'c0'.repeat(32);
const describeModel = (changes: Partial<ModelDescription> = {}): ModelDescription => ({
  kind: 'embedder',
  name: 'e',
  content,
  origin: 'pretrained',
  reading: 'as-of',
  availableAt: 100,
  parents: [],
  training: null,
  parameters: {},
  ...changes,
});
const model = (changes: Partial<ModelDescription> = {}): ModelVersion => newModelVersion(describeModel(changes));
const trainedTo = (newestAt: number | null) => ({ log: 'corpus', size: 3, root: content, newestAt });

describe('a model version', () => {
  it('has an id over all the rest, its parents included', () => {
    const parent = model();
    const child = model({ name: 'child', parents: [parent.id] });
    expect(model().id).toBe(parent.id);
    const others = [
      { kind: 'similarity' },
      { name: 'f' },
      { content: 'd0'.repeat(32) },
      { reading: 'frozen' as const },
      { availableAt: 101 },
      { parents: [child.id] },
      { parameters: { dimension: 384 } },
    ].map((change) => model(change).id);
    expect(new Set([parent.id, ...others]).size).toBe(others.length + 1);
    expect(modelVersionFault(child)).toBeUndefined();
  });

  it.each<[string, Partial<ModelDescription>, string]>([
    ['fitted on nothing', { origin: 'fitted' }, 'training: got null'],
    ['pretrained on a log at hand', { training: trainedTo(1) }, 'training: got'],
    ['fixed with a date', { origin: 'fixed' }, 'availableAt: got 100'],
    ['there before its training', { origin: 'fitted', availableAt: 4, training: trainedTo(5) }, 'no earlier than'],
    [
      'without a date though its training has one',
      { origin: 'fitted', availableAt: null, training: trainedTo(5) },
      '5',
    ],
  ])('cannot be %s', (_, change, message) => {
    expect(() => model(change)).toThrow(message);
  });

  it('may be fitted on rows without a clock, and on whatever each anchor sees', () => {
    for (const training of [trainedTo(null), { log: 'corpus', follows: 'anchor' as const }]) {
      expect(modelVersionFault(model({ origin: 'fitted', availableAt: null, training }))).toBeUndefined();
    }
  });

  it('is faulty when its form, its id or its content was changed', () => {
    const version = model();
    expect(modelVersionFault(null)).toBeDefined();
    expect(modelVersionFault({ ...version, content: 'x' })).toContain('/content');
    expect(modelVersionFault({ ...version, availableAt: 99 })).toContain('its content has');
    const contradictory = describeModel({ origin: 'fitted' });
    const forged = { ...contradictory, id: '0'.repeat(64) };
    expect(modelVersionFault(forged)).toContain('its content has');
  });
});

describe('ModelLineage', () => {
  /** Random lineages: each version's parents are among those before it. */
  const lineages = fc
    .array(
      fc.record({
        time: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined }),
        frozen: fc.boolean(),
        parents: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 8 },
    )
    .map((items) => {
      const versions: ModelVersion[] = [];
      for (const [i, { time, frozen, parents }] of items.entries()) {
        versions.push(
          model({
            name: `m${i}`,
            availableAt: time ?? null,
            reading: frozen ? 'frozen' : 'as-of',
            parents: [...new Set(parents.filter((parent) => parent < i))].map((parent) => versions[parent]!.id),
          }),
        );
      }
      return versions;
    });

  it('reaches as far as the newest of the ancestors that are not frozen, along parents', () => {
    fc.assert(
      fc.property(lineages, (versions) => {
        const lineage = new ModelLineage(versions);
        const claimed = (version: ModelVersion): ModelVersion[] =>
          version.reading === 'frozen'
            ? []
            : [version, ...version.parents.flatMap((parent) => claimed(lineage.get(parent)!))];
        for (const version of versions) {
          const ancestors = claimed(version);
          const { newestAt, path, undated, frozen } = lineage.reach(version.id);
          const times = ancestors.flatMap(({ availableAt }) => availableAt ?? []);
          expect(newestAt).toBe(Math.max(Number.NEGATIVE_INFINITY, ...times));
          expect(path[0]).toBe(version);
          for (const [i, step] of path.slice(1).entries()) expect(path[i]!.parents).toContain(step.id);
          if (times.length > 0) expect(path.at(-1)!.availableAt).toBe(newestAt);
          expect(undated === undefined).toBe(ancestors.every(({ availableAt }) => availableAt !== null));
          expect(frozen.every(({ reading }) => reading === 'frozen')).toBe(true);
          expect(frozen.includes(version)).toBe(version.reading === 'frozen');
        }
      }),
    );
  });

  it('takes the newest training entry, and a chain of versions fitted on one another', () => {
    const first = model({ origin: 'fitted', availableAt: 50, training: trainedTo(40) });
    const second = model({ origin: 'fixed', availableAt: null, parents: [first.id] });
    const third = model({ origin: 'fitted', availableAt: 30, training: trainedTo(20), parents: [second.id] });
    const lineage = new ModelLineage([third, first, second]);
    expect(lineage.reach(third.id).newestAt).toBe(50);
    expect(lineage.reach(third.id).path.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
    expect(lineage.withAncestors(third.id)).toEqual([third, second, first]);
    expect(lineage.withAncestors(first.id)).toEqual([first]);
  });

  it('refuses a parent that nobody registered, a version twice, and an id that nobody has', () => {
    const parent = model();
    const child = model({ name: 'child', parents: [parent.id] });
    expect(() => new ModelLineage([child])).toThrow(`parent of ${child.id}: got "${parent.id}"`);
    expect(() => new ModelLineage([parent, parent])).toThrow('every version once');
    expect(() => new ModelLineage([parent]).reach(child.id)).toThrow('the id of a registered version');
  });

  it('refuses ancestors in a circle, which only forged ids can form', () => {
    const [a, b] = [model({ name: 'a' }), model({ name: 'b' })];
    const forged = [
      { ...a, parents: [b.id] },
      { ...b, parents: [a.id] },
    ];
    expect(() => new ModelLineage(forged)).toThrow('one after the other');
  });
});
