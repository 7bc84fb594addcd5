import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { firstInstant, lastInstant } from './instant.js';
import { readCommonIsoText, readIsoText } from './isoText.js';

describe('readCommonIsoText', () => {
  const character = fc.constantFrom(...'0123456789-:+.,TtZz x');
  const form = fc.record({
    separator: fc.constantFrom('T', ' ', 't'),
    /** Where the time of day is cut off; 0 leaves the date alone. */
    timeLength: fc.constantFrom(0, 5, 8, 10, 12, 14),
    offset: fc.constantFrom('', 'Z', 'z', '+00:00', '-05:30', '+23:59', '+0100', '+01'),
  });
  const edit = fc.option(
    fc.record({ at: fc.nat(30), remove: fc.nat(2), insert: fc.string({ unit: character, maxLength: 2 }) }),
    { freq: 1 },
  );

  it('agrees with the slow path wherever it answers', () => {
    let answers = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: firstInstant, max: lastInstant }),
        form,
        edit,
        fc.boolean(),
        (instant, as, edited, localIsUtc) => {
          const full = new Date(instant).toISOString().replace('Z', '45');
          const time = as.timeLength === 0 ? '' : `${as.separator}${full.slice(11, 11 + as.timeLength)}${as.offset}`;
          let text = full.slice(0, 10) + time;
          if (edited !== null) text = text.slice(0, edited.at) + edited.insert + text.slice(edited.at + edited.remove);
          const fast = readCommonIsoText(text, localIsUtc);
          if (Number.isNaN(fast)) return;
          answers++;
          const slow = readIsoText(text);
          const expected = { kind: 'instant', instant: fast, truncated: false };
          expect(slow).toEqual(
            slow.kind === 'local' && localIsUtc ? { kind: 'local', local: fast, truncated: false } : expected,
          );
        },
      ),
      { numRuns: 3_000 },
    );
    expect(answers).toBeGreaterThan(500);
  });

  it('answers for the common forms', () => {
    const texts = [
      '2024-03-01',
      '2020-01-02T14:16Z',
      '2020-01-02T14:16:07Z',
      '2020-01-02 14:16:07.5+01:00',
      '2020-01-02T14:16:07.123Z',
    ];
    for (const text of texts)
      expect(readCommonIsoText(text, false)).toBe(
        Temporal.Instant.from(text.length === 10 ? `${text}T00Z` : text).epochMilliseconds,
      );
    expect(readCommonIsoText('2020-01-02T14:16', true)).toBe(Date.UTC(2020, 0, 2, 14, 16));
    expect(readCommonIsoText('2020-01-02T14:16', false)).toBeNaN();
  });
});
