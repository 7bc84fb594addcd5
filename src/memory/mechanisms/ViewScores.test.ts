import { describe, expect, it } from 'vitest';
import { compileKernel } from '../../kernels/testing/compileKernel.js';
import { newMechanismOutput } from './mechanism.js';
import { ViewScores } from './ViewScores.js';
import { viewScoresModule } from './viewScoresModule.js';

describe('ViewScores', () => {
  it('grows with what an anchor needs, and keeps nothing of the anchors before', () => {
    const assets = 3000;
    const idOrder = Uint32Array.from({ length: assets }, (_, row) => row);
    const views = new ViewScores(idOrder, Float64Array.of(1, 2));
    const rankedAt = (base: number[], lists: number[][]) => {
      const output = newMechanismOutput(assets);
      views.begin(Uint32Array.from(base), lists.length);
      for (const list of lists) views.addList(Uint32Array.from(list), list.length, 0.5, 1, assets);
      const largest = views.collect()[0]!;
      views.rank(0, 1, largest, output);
      return { largest, rows: [...output.rows.subarray(0, output.length)] };
    };
    expect(rankedAt([7], [[8, 7]])).toEqual({ largest: 0.5, rows: [7, 8] });
    const everyAsset = Array.from({ length: assets }, (_, row) => row);
    expect(rankedAt(everyAsset, [])).toEqual({ largest: 0, rows: everyAsset });
    expect(rankedAt([], [[5, 6], [6]])).toEqual({ largest: 0.75, rows: [6, 5] });
    expect(rankedAt([], [])).toEqual({ largest: 0, rows: [] });
  });

  it('orders ties by base rank, then by id order, in whatever numbers they come', () => {
    const assets = 200;
    const idOrder = Uint32Array.from({ length: assets }, (_, row) => assets - 1 - row);
    const views = new ViewScores(
      idOrder,
      Float64Array.from({ length: 100 }, () => 1),
    );
    const output = newMechanismOutput(60);
    views.begin(new Uint32Array(0), 1);
    views.addList(
      Uint32Array.from({ length: 100 }, (_, rank) => rank),
      100,
      0.25,
      0b1000_0000,
      80,
    );
    views.rank(7, 1, views.collect()[7]!, output);
    expect([...output.rows]).toEqual(Array.from({ length: 60 }, (_, k) => 79 - k));
    views.rank(0, 1, 0, output);
    expect(output.length).toBe(0);
  });

  it('runs viewScores.wat, compiled', async () => {
    expect(viewScoresModule, 'run `npm run build:kernels`').toBe(
      await compileKernel(new URL('./viewScores.wat', import.meta.url)),
    );
  });
});
