/** How values are written, everywhere the same: in UTC and without regard to the browser's language. */

export function day(instant: number | string): string {
  return new Date(instant).toISOString().slice(0, 10);
}

export function moment(instant: number | string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

const dayLength = 86_400_000;

/** An age in the largest unit that tells it well. */
export function age(milliseconds: number): string {
  const days = milliseconds / dayLength;
  if (days >= 730) return `${(days / 365.25).toFixed(1)} years`;
  if (days >= 2) return `${Math.round(days)} days`;
  const hours = milliseconds / 3_600_000;
  return hours >= 1 ? `${Math.round(hours)} h` : `${Math.round(milliseconds / 60_000)} min`;
}

/** A text that keeps its direction to itself, for where no element can isolate it: attributes, options, captions. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

export function hash(text: string): string {
  return text.slice(0, 12);
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  if (value < 1024 ** 2) return `${(value / 1024).toFixed(1)} KiB`;
  return `${(value / 1024 ** 2).toFixed(1)} MiB`;
}

/** A number of points with its sign: a share times 100. */
export function points(share: number | null): string {
  if (share === null) return '–';
  return signed(share * 100);
}

export function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return `${value < 0 && text !== '0.00' ? '−' : '+'}${text}`;
}
