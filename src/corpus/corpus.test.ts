import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Asset } from './asset.js';
import { buildCorpus, compareCodeUnits, snapshotSize } from './corpus.js';

describe('buildCorpus', () => {
  const clock = fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined });
  const assetsOf = fc
    .uniqueArray(fc.tuple(fc.string(), fc.constantFrom('text', 'table', 'note'), clock), { selector: ([id]) => id })
    .map((rows) =>
      rows.map(
        ([id, type, availableAt]): Asset => ({
          id,
          type,
          text: id,
          ...(availableAt === undefined ? {} : { availableAt }),
        }),
      ),
    );

  it('puts assets in order of availability, then id, whatever the order of the input', () => {
    fc.assert(
      fc.property(assetsOf, (assets) => {
        const { rowOf, ...corpus } = buildCorpus(assets);
        const { rowOf: _, ...reversed } = buildCorpus([...assets].reverse());
        expect(reversed).toEqual(corpus);
        for (let row = 1; row < corpus.size; row++) {
          const earlier = corpus.availableAt[row - 1]!;
          const later = corpus.availableAt[row]!;
          expect(
            earlier < later || (earlier === later && compareCodeUnits(corpus.ids[row - 1]!, corpus.ids[row]!) < 0),
          ).toBe(true);
        }
        for (const [row, id] of corpus.ids.entries()) expect(rowOf(id)).toBe(row);
        const inIdOrder = [...corpus.ids.keys()].sort((a, b) => corpus.idOrder[a]! - corpus.idOrder[b]!);
        expect(inIdOrder.map((row) => corpus.ids[row])).toEqual([...corpus.ids].sort(compareCodeUnits));
      }),
    );
  });

  it('has as snapshot at t the prefix that was available by t, t included', () => {
    fc.assert(
      fc.property(assetsOf, fc.integer({ min: -6, max: 6 }), (assets, t) => {
        const corpus = buildCorpus(assets);
        const available = assets.filter((asset) => (asset.availableAt ?? Number.NEGATIVE_INFINITY) <= t);
        expect(new Set(corpus.ids.slice(0, snapshotSize(corpus, t)))).toEqual(new Set(available.map(({ id }) => id)));
      }),
    );
  });

  it('refuses an id that two assets share', () => {
    const assets = [
      { id: 'a', type: 'text', text: '' },
      { id: 'a', type: 'text', text: '' },
    ];
    expect(() => buildCorpus(assets, { source: 'file' })).toThrow(/^file: id: got "a"/);
  });

  it('refuses more types than the type vector can tell apart', () => {
    const assets = Array.from({ length: 65_537 }, (_, index) => ({ id: `${index}`, type: `${index}`, text: '' }));
    expect(() => buildCorpus(assets)).toThrow(/65537 different types/);
    expect(buildCorpus(assets.slice(1)).typeNames).toHaveLength(65_536);
  });
});
