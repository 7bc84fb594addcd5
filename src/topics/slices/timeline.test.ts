import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { millisecondsPerDay, millisecondsPerHour } from '../../time/instant.js';
import { parseInstant } from '../../time/parseInstant.js';
import { documentsForTest, type TestDocument } from '../testing/documentsForTest.js';
import { changePointSlices, rateChange } from './changePointSlices.js';
import { coverageOf } from './coverage.js';
import { type SliceRule, sliceRuleKinds } from './sliceRule.js';
import { type TimelineOptions, timelineAsOf } from './timeline.js';

// Properties over whole timelines.
vi.setConfig({ testTimeout: 60_000 });

const at = (text: string) => parseInstant(text);
const week = 7 * millisecondsPerDay;

function timelineOf(
  stream: readonly TestDocument[],
  options: Omit<TimelineOptions, 'slices'> & { slices?: SliceRule },
) {
  const documents = documentsForTest(stream);
  const timeline = timelineAsOf(documents, { slices: { kind: 'iso-week' }, ...options });
  const slices = timeline.slices.map(({ id, rows, late, provisional }) => {
    return { id, ids: Array.from(rows, (row) => documents.ids[row]!), late, provisional };
  });
  return { ...timeline, slices };
}

describe('timelineAsOf', () => {
  it('cuts by event time, shows empty slices, and holds a slice provisional until it has ended (case 31)', () => {
    const stream = [
      { id: 'c', eventAt: at('2021-01-18') },
      { id: 'b', eventAt: at('2021-01-03T23:59:59.999Z') },
      { id: 'a', eventAt: at('2021-01-03T23:59:59.999Z') },
    ];
    expect(timelineOf(stream, { asOf: at('2021-01-19') }).slices).toEqual([
      { id: '2020-W53', ids: ['a', 'b'], late: 0, provisional: false },
      { id: '2021-W01', ids: [], late: 0, provisional: false },
      { id: '2021-W02', ids: [], late: 0, provisional: false },
      { id: '2021-W03', ids: ['c'], late: 0, provisional: true },
    ]);
    const provisional = (asOf: string) => timelineOf(stream, { asOf: at(asOf) }).slices[0]!.provisional;
    expect([provisional('2021-01-03T23:59:59.999Z'), provisional('2021-01-04')]).toEqual([true, false]);
    expect(timelineOf(stream, { asOf: at('2021-01-02') }).slices).toEqual([]);
    expect(timelineOf([], { asOf: at('2021-01-02') }).slices).toEqual([]);
  });

  it('numbers weeks by their own year, in order across New Year (case 19)', () => {
    const stream = [
      { id: 'a', eventAt: at('2021-01-01') },
      { id: 'b', eventAt: at('2024-12-30') },
    ];
    const ids = timelineOf(stream, { asOf: at('2025-02-01') }).slices.map(({ id }) => id);
    expect(ids[0]).toBe('2020-W53');
    expect(ids).toContain('2025-W01');
    expect(ids).toHaveLength(214);
  });

  it('sees documents that were available and current as of t, and no others (cases 5, 7, 8)', () => {
    const stream = [
      { id: 'backfilled', eventAt: at('2021-01-05'), availableAt: at('2021-02-10') },
      { id: 'old version', eventAt: at('2021-01-05'), endsAt: at('2021-02-01') },
      { id: 'new version', eventAt: at('2021-01-06'), availableAt: at('2021-02-01') },
      { id: 'undated', eventAt: Number.NaN, availableAt: at('2021-01-01') },
      { id: 'announced', eventAt: at('2021-03-01'), availableAt: at('2021-01-01') },
    ];
    const seen = (asOf: string) => {
      const { slices, counts } = timelineOf(stream, { asOf: at(asOf) });
      return { ids: slices.flatMap(({ ids }) => ids), ...counts };
    };
    expect(seen('2021-01-31T23:59:59.999Z')).toEqual({
      ids: ['old version'],
      placed: 1,
      late: 0,
      undated: 1,
      ahead: 1,
    });
    expect(seen('2021-02-01')).toEqual({ ids: ['new version'], placed: 1, late: 0, undated: 1, ahead: 1 });
    expect(seen('2021-02-10')).toEqual({
      ids: ['backfilled', 'new version'],
      placed: 2,
      late: 0,
      undated: 1,
      ahead: 1,
    });
    expect(seen('2021-03-01').ids).toEqual(['backfilled', 'new version', 'announced']);
  });

  it('publishes a slice once, with what was there by then, and counts what came late', () => {
    const stream = [
      { id: 'a', eventAt: at('2021-01-05') },
      { id: 'in time', eventAt: at('2021-01-06'), availableAt: at('2021-01-11') + millisecondsPerHour },
      { id: 'late', eventAt: at('2021-01-06'), availableAt: at('2021-01-13') },
      { id: 'withdrawn', eventAt: at('2021-01-07'), endsAt: at('2021-01-20') },
    ];
    const vintage = { kind: 'published', lateness: millisecondsPerDay } as const;
    const first = (asOf: string) => timelineOf(stream, { asOf: at(asOf), vintage }).slices[0]!;
    expect(first('2021-01-11T12:00Z')).toMatchObject({ ids: ['a', 'in time', 'withdrawn'], provisional: true });
    const published = { id: '2021-W01', ids: ['a', 'in time', 'withdrawn'], provisional: false };
    expect(first('2021-01-12')).toEqual({ ...published, late: 0 });
    expect(first('2021-02-12')).toEqual({ ...published, late: 1 });
    expect(timelineOf(stream, { asOf: at('2021-02-12') }).slices[0]).toMatchObject({ ids: ['a', 'in time', 'late'] });
  });

  it('ends with what the stream is known to cover', () => {
    const stream = [{ id: 'a', eventAt: at('2021-01-05') }];
    const { slices } = timelineOf(stream, { asOf: at('2021-03-01'), coveredUntil: at('2021-01-12') });
    expect(slices.map(({ id, provisional }) => [id, provisional])).toEqual([
      ['2021-W01', false],
      ['2021-W02', true],
    ]);
  });

  it('refuses instants that are none, and a document that would make slices without end', () => {
    const stream = [{ id: 'ancient', eventAt: at('0001-01-01') }];
    expect(() => timelineOf(stream, { asOf: at('2021-01-05') })).toThrow(/first document is of 0001-01-01/);
    expect(() => timelineOf(stream, { asOf: Number.NaN })).toThrow(InvalidArgumentError);
  });

  const documents = fc.array(
    fc.record({ day: fc.integer({ min: 0, max: 90 }), delay: fc.integer({ min: 0, max: 20 }), copies: fc.nat(4) }),
    { minLength: 1, maxLength: 40 },
  );
  const streamOf = (days: readonly { day: number; delay: number; copies: number }[]) =>
    days.flatMap(({ day, delay, copies }, n) =>
      Array.from({ length: copies + 1 }, (_, copy): TestDocument => {
        const eventAt = at('2021-01-01') + day * millisecondsPerDay + copy * millisecondsPerHour;
        return { id: `${n}/${copy}`, eventAt, availableAt: eventAt + delay * millisecondsPerDay };
      }),
    );
  const rules = sliceRuleKinds.map((kind): SliceRule => (kind === 'equal-count' ? { kind, documents: 9 } : { kind }));

  for (const slices of rules) {
    it(`has every document of D_t once, in slices without gaps, by ${slices.kind}`, () => {
      fc.assert(
        fc.property(documents, fc.integer({ min: 0, max: 110 }), (days, now) => {
          const stream = streamOf(days);
          const asOf = at('2021-01-01') + now * millisecondsPerDay;
          const timeline = timelineOf(stream, { asOf, slices });
          const placed = timeline.slices.flatMap(({ ids }) => ids).sort();
          const known = stream.filter((document) => document.availableAt! <= asOf).map(({ id }) => id);
          expect(placed).toEqual(known.sort());
          const bounds = timelineAsOf(documentsForTest(stream), { asOf, slices }).slices;
          for (const [i, slice] of bounds.entries()) if (i > 0) expect(slice.start).toBe(bounds[i - 1]!.end);
        }),
      );
    });

    it(`publishes slices that nothing later moves, and goes on from any of them, by ${slices.kind}`, () => {
      const lateness = 3 * millisecondsPerDay;
      const vintage = { kind: 'published', lateness } as const;
      fc.assert(
        fc.property(documents, fc.integer({ min: 0, max: 110 }), fc.nat(), (days, now, pick) => {
          const stream = streamOf(days);
          const end = at('2021-01-01') + 120 * millisecondsPerDay;
          const asOf = at('2021-01-01') + now * millisecondsPerDay;
          const strip = ({ slices: all }: ReturnType<typeof timelineOf>) =>
            all.filter(({ provisional }) => !provisional).map(({ id, ids }) => ({ id, ids }));
          const before = strip(timelineOf(stream, { asOf, slices, vintage }));
          const after = timelineOf(stream, { asOf: end, slices, vintage });
          expect(strip(after).slice(0, before.length)).toEqual(before);
          const bounds = timelineAsOf(documentsForTest(stream), { asOf: end, slices, vintage }).slices;
          const known = bounds.filter(({ provisional }) => !provisional);
          if (known.length === 0) return;
          const last = pick % known.length;
          const rest = timelineOf(stream, { asOf: end, slices, vintage, from: known[last]!.end });
          expect(strip(rest)).toEqual(strip(after).slice(last + 1));
        }),
      );
    });
  }
});

describe('coverageOf', () => {
  it('is the last instant by t at which a document came in, whatever comes later', () => {
    const stream = [
      { id: 'a', eventAt: at('2021-01-05'), availableAt: at('2021-01-06') },
      { id: 'always there', eventAt: at('2021-01-08'), availableAt: Number.NEGATIVE_INFINITY },
      { id: 'later', eventAt: at('2021-01-01'), availableAt: at('2021-02-01') },
    ];
    const covered = (asOf: string) => coverageOf(documentsForTest(stream), at(asOf));
    expect([covered('2021-01-07'), covered('2021-01-09'), covered('2021-03-01')]).toEqual(
      ['2021-01-06', '2021-01-08', '2021-02-01'].map(at),
    );
    expect(covered('2020-01-01')).toBe(at('2020-01-01'));
  });
});

describe('adaptive slices', () => {
  it('end with the day that fills them, and hold documents of one day together (case 32)', () => {
    const stream = Array.from({ length: 30 }, (_, n) => ({
      id: `${n}`,
      eventAt: at('2021-01-01') + Math.floor(n / 5) * millisecondsPerDay,
    }));
    const { slices } = timelineOf(stream, { asOf: at('2021-01-08'), slices: { kind: 'equal-count', documents: 8 } });
    expect(slices.map(({ id, ids, provisional }) => [id, ids.length, provisional])).toEqual([
      ['2021-01-01/P2D', 10, false],
      ['2021-01-03/P2D', 10, false],
      ['2021-01-05/P2D', 10, false],
      ['2021-01-07/P3D', 0, true],
    ]);
  });

  it('end where the rate changes, and not where it does not', () => {
    const daily = [...Array(28).fill(3), ...Array(28).fill(12)];
    const stream = daily.flatMap((count, day) =>
      Array.from({ length: count }, () => at('2021-01-01') + day * millisecondsPerDay),
    );
    const until = at('2021-01-01') + 56 * millisecondsPerDay - 1;
    const slices = [...changePointSlices(Float64Array.from(stream), {}, at('2021-01-01'), until)];
    expect(slices.map(({ id }) => id)).toEqual(['2021-01-01/P28D', '2021-01-29/P29D']);
    expect(rateChange(84, 4, 21)).toBeCloseTo(0, 12);
    expect(rateChange(84, 4, 84)).toBeGreaterThan(8);
  });

  it('end after the most weeks in any case', () => {
    const stream = Float64Array.from({ length: 140 }, (_, day) => at('2021-01-01') + day * millisecondsPerDay);
    const until = at('2021-01-01') + 140 * millisecondsPerDay - 1;
    const slices = [...changePointSlices(stream, { mostWeeks: 5 }, at('2021-01-01'), until)];
    expect(slices.slice(0, 3).map(({ start, end }) => (end - start) / week)).toEqual([5, 5, 5]);
  });

  it('refuse settings that make no slices', () => {
    const stream = [{ id: 'a', eventAt: at('2021-01-05') }];
    for (const slices of [
      { kind: 'equal-count', documents: 0 },
      { kind: 'change-point', threshold: 0 },
      { kind: 'change-point', mostWeeks: 0.5 },
    ] as const) {
      expect(() => timelineOf(stream, { asOf: at('2021-02-01'), slices })).toThrow(InvalidArgumentError);
    }
  });
});
