import { describe, expect, it } from 'vitest';
import { formatInstant } from './formatInstant.js';
import { findNaturalDates, yearOf, yearStretch } from './naturalDates.js';
import { parseInstant } from './parseInstant.js';

const t = parseInstant('2022-03-15T10:00:00Z');
const read = (text: string) =>
  findNaturalDates(text, t).map(({ text, index, start, end, kind }) => [
    index,
    text,
    formatInstant(start),
    formatInstant(end),
    kind,
  ]);

describe('findNaturalDates', () => {
  it('takes a date for its whole day or month in UTC, without the preposition before it', () => {
    expect(read('on 12 Dec 2021')).toEqual([
      [3, '12 Dec 2021', '2021-12-12T00:00:00Z', '2021-12-13T00:00:00Z', 'absolute'],
    ]);
    expect(read('February 2024')).toEqual([
      [0, 'February 2024', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z', 'absolute'],
    ]);
  });

  it('takes both ends of a range', () => {
    expect(read('3 to 5 June 2018')[0]?.slice(2)).toEqual(['2018-06-03T00:00:00Z', '2018-06-06T00:00:00Z', 'absolute']);
  });

  it('counts relative dates from the reference, up to it', () => {
    expect(read('last week')[0]?.slice(2)).toEqual(['2022-03-08T00:00:00Z', '2022-03-15T10:00:00.001Z', 'relative']);
    expect(read('next week')[0]?.slice(2)).toEqual(['2022-03-22T00:00:00Z', '2022-03-23T00:00:00Z', 'relative']);
  });

  it('dates a month without a year by the reference', () => {
    expect(read('January')[0]?.slice(2)).toEqual(['2022-01-01T00:00:00Z', '2022-02-01T00:00:00Z', 'bare']);
  });

  it.each([
    '5/6/2020',
    '10.5.2020',
    'sat',
    'sun solaris',
    '12:30',
    '2 hours ago',
    '2021-12-12T10:00',
    '31 Feb 2020',
    '',
  ])('%s: reads no date that would be a guess', (text) => expect(read(text)).toEqual([]));
});

describe('years', () => {
  it('are whole years of UTC', () => {
    const { start, end } = yearStretch(2020);
    expect([formatInstant(start), formatInstant(end)]).toEqual(['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z']);
    expect([yearOf(start), yearOf(end - 1), yearOf(end)]).toEqual([2020, 2020, 2021]);
  });
});
