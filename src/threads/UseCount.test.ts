import { expect, it } from 'vitest';
import { UseCount } from './UseCount.js';

it('is idle when every use has ended, for all who wait', async () => {
  const uses = new UseCount();
  await uses.idle();
  const [first, second] = [uses.begin(), uses.begin()];
  const told: string[] = [];
  const waiting = ['a', 'b'].map((name) => uses.idle().then(() => told.push(name)));
  first();
  await Promise.resolve();
  expect(told).toEqual([]);
  second();
  await Promise.all(waiting);
  expect(told).toEqual(['a', 'b']);
  uses.begin()();
  await uses.idle();
});
