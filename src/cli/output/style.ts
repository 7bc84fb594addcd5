import type { CliContext, OutputStream } from '../context.js';

export type Style = 'bold' | 'dim' | 'red';

/** Styles text for a terminal, or leaves it as it is. */
export type Styler = (style: Style, text: string) => string;

/**
 * Codes of ECMA-48 (SGR) that start and end a style. Written out because what Node's `styleText` asks of its streams
 * and environment differs between the versions of Node.
 */
const codes: Record<Style, readonly [number, number]> = { bold: [1, 22], dim: [2, 22], red: [31, 39] };

/** Colour is for people: on a terminal that can show it, unless NO_COLOR (no-color.org) is set to anything at all. */
export function stylerFor(stream: OutputStream, { environment }: CliContext): Styler {
  const wanted = stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  if (!wanted) return (_style, text) => text;
  return (style, text) => `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`;
}
