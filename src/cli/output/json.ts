import type { OutputStream } from '../context.js';

/** Writes one value as indented JSON, for machines and people alike. */
export function writeJson(stream: OutputStream, value: unknown): void {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (stream.writeExactly === undefined) stream.write(text);
  else stream.writeExactly(text);
}
