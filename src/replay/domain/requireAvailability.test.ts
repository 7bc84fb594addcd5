import { describe, expect, it } from 'vitest';
import { requireAvailability } from './requireAvailability.js';

const always = Number.NEGATIVE_INFINITY;

describe('requireAvailability', () => {
  it('refuses assets without a time of availability where the corpus is read as of each request', () => {
    const assets = { ids: ['a', 'b', 'c', 'd', 'e'], availableAt: Float64Array.of(always, always, always, always, 7) };
    expect(() => requireAvailability('news', assets, 'as-of')).toThrow(
      /^news: availableAt: got nothing, expected a time of .*; 4 of 5 assets have none: "a", "b", "c", \.\.\.$/,
    );
    expect(() => requireAvailability('news', assets, 'frozen')).not.toThrow();
  });

  it('takes assets that all have one, whatever it is', () => {
    requireAvailability('news', { ids: ['a', 'b'], availableAt: Float64Array.of(-5, 0) }, 'as-of');
    requireAvailability('none', { ids: [], availableAt: new Float64Array(0) }, 'as-of');
  });
});
