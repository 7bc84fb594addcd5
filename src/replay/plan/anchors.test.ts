import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naturalAnchors, windowAnchors } from './anchors.js';

describe('windowAnchors', () => {
  it('are 100 around each of the 20, 40, 60 and 80% positions', () => {
    const anchors = windowAnchors(1668, 100);
    expect(anchors).toHaveLength(400);
    const firstOf = [1, 2, 3, 4].map((quartile) => anchors.find((anchor) => anchor.quartile === quartile)!.position);
    expect(firstOf).toEqual([334 - 50, 667 - 50, 1001 - 50, 1334 - 50]);
  });

  it('lie inside the stream without overlap, for every size that is accepted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 3000 }), fc.integer({ min: 1, max: 700 }), (size, perWindow) => {
        let anchors: ReturnType<typeof windowAnchors>;
        try {
          anchors = windowAnchors(size, perWindow);
        } catch {
          fc.pre(false);
          return;
        }
        const positions = anchors.map(({ position }) => position);
        expect(new Set(positions).size).toBe(4 * perWindow);
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
        expect(positions[0]).toBeGreaterThanOrEqual(0);
        expect(positions.at(-1)).toBeLessThan(size);
      }),
    );
  });

  it('that would overlap or leave the stream are refused with the number that fits, and that number does', () => {
    expect(() => windowAnchors(100, 100)).toThrow('1 to 20 in a stream of 100 requests');
    expect(windowAnchors(100, 20)).toHaveLength(80);
    expect(() => windowAnchors(100, 21)).toThrow();
    for (const size of [0, 2, 4]) {
      expect(() => windowAnchors(size, 1)).toThrow(
        `anchorsPerWindow: got 1, expected a stream of at least 5 requests to place anchors in; this one has ${size}`,
      );
    }
    expect(windowAnchors(5, 1)).toHaveLength(4);
  });
});

describe('naturalAnchors', () => {
  it('are the positions with enough events strictly before and enough after', () => {
    const clock = Float64Array.of(1, 2, 2, 3, 4, 5);
    // Position 2 shares its instant with position 1: only one event is before it.
    expect(naturalAnchors(clock, 2).map(({ position }) => position)).toEqual([3]);
    expect(naturalAnchors(clock, 1).map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  });

  it('are all positions at a minimum of 0, in four quarters', () => {
    const anchors = naturalAnchors(
      Float64Array.from({ length: 8 }, (_, i) => i),
      0,
    );
    expect(anchors.map(({ quartile }) => quartile)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(naturalAnchors(new Float64Array(0), 0)).toEqual([]);
  });
});
