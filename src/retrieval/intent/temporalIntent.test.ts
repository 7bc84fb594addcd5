import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { formatInstant } from '../../time/formatInstant.js';
import { millisecondsPerDay as day } from '../../time/instant.js';
import { parseInstant } from '../../time/parseInstant.js';
import { temporalIntent, withoutTemporalIntent } from './temporalIntent.js';

const t = parseInstant('2022-03-15T10:00:00Z');
const iso = (instant: number | null) => (instant === null ? null : formatInstant(instant));

/** Text, asOf, from and before of a query, as text. */
function read(query: string, at = t) {
  const { text, asOf, from, before, isStrict, wantsLatest } = temporalIntent(query, at);
  return { text, asOf: iso(asOf), from: iso(from), before: iso(before), isStrict, wantsLatest };
}

const nothing = { asOf: iso(t), from: null, before: null, isStrict: false, wantsLatest: false };

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('temporal intent', () => {
  it.each([
    ['latest chrome vulnerabilities', 'chrome vulnerabilities'],
    ['what are the most recent issues in chrome', 'what are the issues in chrome'],
    ['new chrome flaws', 'chrome flaws'],
    ['Current advisories for curl', 'advisories for curl'],
    ['up-to-date list of curl bugs', 'list of curl bugs'],
    ['how safe is curl these days', 'how safe is curl'],
    ['curl bugs, newest first', 'curl bugs,'],
    ['what was found in curl lately', 'what was found in curl'],
  ])('%s: asks for the newest', (query, text) => {
    expect(read(query)).toEqual({ ...nothing, text, wantsLatest: true });
  });

  it.each([
    ['chrome flaws as of 12 Dec 2021', 'chrome flaws', '2021-12-12T23:59:59.999Z'],
    ['as of 2021-12-12, chrome flaws', ', chrome flaws', '2021-12-12T23:59:59.999Z'],
    ['as of 2021-12-12T08:00:00+01:00 chrome flaws', 'chrome flaws', '2021-12-12T07:00:00Z'],
    ['chrome as of December 2021', 'chrome', '2021-12-31T23:59:59.999Z'],
    ['chrome as of 2020', 'chrome', '2020-12-31T23:59:59.999Z'],
  ])('%s: answers for the end of what is named', (query, text, asOf) => {
    expect(read(query)).toEqual({ ...nothing, text, asOf });
  });

  it.each([
    ['chrome bugs in 2019', '2019-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['chrome bugs during March 2019', '2019-03-01T00:00:00Z', '2019-04-01T00:00:00Z'],
    ['chrome bugs on 3 March 2019', '2019-03-03T00:00:00Z', '2019-03-04T00:00:00Z'],
    ['chrome bugs between 2018 and 2019', '2018-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['chrome bugs from May 2018 to 3 June 2018', '2018-05-01T00:00:00Z', '2018-06-04T00:00:00Z'],
    ['chrome bugs before 3 March 2020', null, '2020-03-03T00:00:00Z'],
    ['chrome bugs prior to 2020', null, '2020-01-01T00:00:00Z'],
    ['chrome bugs until 2020', null, '2021-01-01T00:00:00Z'],
    ['chrome bugs since March 2020', '2020-03-01T00:00:00Z', null],
    ['chrome bugs after March 2020', '2020-04-01T00:00:00Z', null],
    ['chrome bugs since January', '2022-01-01T00:00:00Z', null],
    ['chrome bugs since yesterday', '2022-03-14T00:00:00Z', null],
  ])('%s: only such event times', (query, from, before) => {
    expect(read(query)).toEqual({ ...nothing, text: 'chrome bugs', from, before, isStrict: true });
  });

  it('takes a day at least for recent, whatever the hour', () => {
    expect(temporalIntent('curl today', t).recentSpan).toBe(day);
    expect(temporalIntent('curl bugs this month', parseInstant('2022-03-01T00:00:01Z')).recentSpan).toBe(day);
  });

  it('reads a relation to an event whose date is told: before the 2.0 release on <date>', () => {
    const intent = temporalIntent('bugs before the 2.0 release on 3 May 2020', t);
    expect(intent.text).toBe('bugs the 2.0 release');
    expect(iso(intent.before)).toBe('2020-05-03T00:00:00Z');
    expect(intent.phrases.map(({ text, meaning }) => [text, meaning])).toEqual([['before … on 3 May 2020', 'before']]);
  });

  it.each([
    ['new chrome flaws last week', 'chrome flaws', 7],
    ['chrome flaws in the last 30 days', 'chrome flaws', 30],
    ['chrome flaws this month', 'chrome flaws', 14],
    ['chrome flaws yesterday', 'chrome flaws', 1],
  ])('%s: recent is what lies in the stretch, but older is not left out', (query, text, days) => {
    const intent = temporalIntent(query, t);
    expect([intent.text, intent.isStrict, intent.wantsLatest, intent.before]).toEqual([text, false, true, null]);
    expect(intent.from).toBe(Math.floor(t / day) * day - days * day);
    expect(intent.recentSpan).toBe(t - intent.from!);
  });

  it.each([
    'windows server 2016 vulnerabilities',
    'windows server 2016 and 2019 flaws',
    'office 365 bugs',
    'php before 7.4.3',
    'openssl 1.1.1 issues',
    'sun solaris, march networks and sat 10',
    'flaws on sun solaris',
    'april fools',
    'ios 12 12:30',
    'New Relic agent',
    'renewal news',
    'on 5/6/2020',
    '',
  ])('%s: says nothing about time', (query) => {
    expect(read(query)).toEqual({ ...nothing, text: query });
  });

  it('keeps the query where it is nothing but time', () => {
    expect(read('latest')).toEqual({ ...nothing, text: 'latest', wantsLatest: true });
  });

  it('never widens what is eligible: a future date is cut at t', () => {
    expect(read('chrome as of 12 Dec 2035')).toEqual({ ...nothing, text: 'chrome' });
    expect(read('chrome as of next week').asOf).toBe(iso(t));
    expect(read('chrome until 2023').before).toBe('2022-03-15T10:00:00.001Z');
    const piece = fc.constantFrom(
      ...['chrome', 'as of', 'before', 'since', 'in', 'until', 'between', 'and', 'next', 'last', 'year', 'month'],
      ...['2019', '2021', '2023', '12 Dec 2021', '12 Dec 2035', 'December 2022', 'latest', 'tomorrow', 'today', 'may'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const { asOf, before } = temporalIntent(pieces.join(' '), t);
        expect(asOf).toBeLessThanOrEqual(t);
        expect(before ?? t).toBeLessThanOrEqual(t + 1);
      }),
    );
  });

  it('reads the same in every time zone, at every hour, across clock changes', () => {
    const queries = [
      'flaws last week',
      'as of 12 Dec 2021',
      'since yesterday',
      'last 3 months',
      'in March 2019',
      'today',
    ];
    // Noon of clock changes in New York, Auckland and Apia's lost day; midnight and the hour that does not exist.
    const instants = ['2024-03-10T02:30:00Z', '2024-03-10T07:30:00Z', '2021-09-25T14:30:00Z', '2011-12-30T12:00:00Z'];
    const readings = ['UTC', 'America/New_York', 'Pacific/Auckland', 'Pacific/Apia', 'Asia/Kolkata'].map((name) => {
      process.env.TZ = name;
      return instants.flatMap((instant) => queries.map((query) => temporalIntent(query, parseInstant(instant))));
    });
    for (const reading of readings) expect(reading).toEqual(readings[0]);
  });

  it('can be switched off', () => {
    expect(withoutTemporalIntent('latest chrome in 2019', t)).toEqual({
      ...temporalIntent('chrome', t),
      text: 'latest chrome in 2019',
    });
  });

  it('refuses a t that is no instant', () => {
    expect(() => temporalIntent('latest', Number.NaN)).toThrow(/t: got NaN, expected an instant/);
  });
});
