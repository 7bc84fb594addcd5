import { printable } from '../markup/escapeText.js';

/** Text that Markdown prints as it is, in a paragraph or a cell of a table; never at the beginning of a line. */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replace(/[\\`*_{}<>&|~]/g, '\\$&')
    .replace(/\](?=[([:])/g, '\\]');
}

/** Text as code; backticks inside are fenced by a longer run of them. */
export function codeSpan(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const shown = printable(text).replaceAll('|', '\\|');
  return longest > 0 ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

/** A block of code with its lines as they are. */
export function codeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${printable(text, { keepLines: true }).replace(/\n$/, '')}\n${fence}\n`;
}
