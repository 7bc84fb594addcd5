import { describe, expect, it } from 'vitest';
import { instantParser, parseInstant, parseInstantDetailed } from './parseInstant.js';

describe('parseInstant with a date format', () => {
  it.each([
    ['DD/MM/YYYY', '03/01/2024', Date.UTC(2024, 0, 3)],
    ['MM/DD/YYYY', '03/01/2024', Date.UTC(2024, 2, 1)],
    ['D.M.YYYY', '3.11.2024', Date.UTC(2024, 10, 3)],
    ['DD MMM YYYY', '12 dec 2021', Date.UTC(2021, 11, 12)],
    ['YYYY-MM-DD[T]HH:mm:ssZ', '2024-03-01T10:00:00+01:00', Date.UTC(2024, 2, 1, 9)],
    ['YYYY-MM-DD HH:mm:ss.SZ', '2024-03-01 10:00:00.25z', Date.UTC(2024, 2, 1, 10, 0, 0, 250)],
    ['M/D/YYYY h:mm A Z', '3/1/2024 12:05 AM Z', Date.UTC(2024, 2, 1, 0, 5)],
    ['M/D/YYYY hh:mmA Z', '3/1/2024 12:05pm -05', Date.UTC(2024, 2, 1, 17, 5)],
  ])('reads %s: %s', (dateFormat, text, instant) => {
    expect(parseInstant(text, { dateFormat })).toBe(instant);
  });

  it('reads a time of day in the zone beside it', () => {
    expect(
      parseInstantDetailed('10/03/2024 02:30', { dateFormat: 'DD/MM/YYYY HH:mm', zone: 'America/New_York' }),
    ).toMatchObject({
      instant: Date.UTC(2024, 2, 10, 7, 30),
      resolution: 'gap',
    });
  });

  it.each([
    ['31/04/2024', /a day that its month has/],
    ['2024-03-01', /a date in the format DD\/MM\/YYYY/],
    ['1/04/2024', /a date in the format/],
    ['01/04/2024 ', /a date in the format/],
    ['01/13/2024', /a month in 01 to 12/],
    [20240301, /a date in the format/],
  ])('refuses %j: one file has one format', (value, message) => {
    expect(() => parseInstant(value, { dateFormat: 'DD/MM/YYYY' })).toThrow(message);
  });

  it('refuses a thirteenth hour on the dial', () => {
    expect(() => parseInstant('3/1/2024 13:05 AM Z', { dateFormat: 'M/D/YYYY h:mm A Z' })).toThrow(
      /a date in the format/,
    );
  });

  it.each([
    ['DD/MM/YY', /not YY/],
    ['DD/MM', /YYYY, a month and a day/],
    ['YYYY-MM', /YYYY, a month and a day/],
    ['YYYY-MM-DD HH:mm', /a zone beside it/],
    ['YYYY-MM-DD hh:mm Z', /h and A together/],
    ['YYYY-MM-DD HH:ss Z', /no smaller unit/],
    ['YYYY-MM-DD mm Z', /no smaller unit/],
    ['YYYY-MM-DD Z', /a time of day beside the offset/],
    ['YYYY-MM-DD MMM', /one token for the month/],
    ['YYYY-MM-DD DD', /one token for the day/],
    ['YYYY-MM-DD[T', /every \[ to have its \]/],
    ['', /YYYY, a month and a day/],
  ])('refuses the format %j', (dateFormat, message) => {
    expect(() => instantParser({ dateFormat })).toThrow(message);
  });

  it('refuses a format beside an epoch unit', () => {
    expect(() => instantParser({ dateFormat: 'YYYY-MM-DD', epoch: 's' })).toThrow(/no date format with epoch/);
  });
});
