import type { Instant } from './instant.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const imfFixdate = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** An HTTP date in the form that servers must send (IMF-fixdate, RFC 9110 section 5.6.7); undefined for anything else. */
export function parseHttpDate(text: string): Instant | undefined {
  const [, day, monthName, year, hour, minute, second] = imfFixdate.exec(text) ?? [];
  const month = months.indexOf(monthName ?? '');
  if (month < 0) return undefined;
  return Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
}
