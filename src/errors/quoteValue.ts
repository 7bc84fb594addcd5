const longest = 80;

/** Renders a value for an error message: JSON where possible, cut to 80 characters so that a message stays one line. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return String(value);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // It refers to itself, or is nested too deeply to be written.
    text = Object.prototype.toString.call(value);
  }
  text ??= String(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
