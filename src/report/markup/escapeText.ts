const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Characters that no text of a report may hold as they are: controls, line and paragraph separators, lone surrogates,
 * and the marks that turn the direction of what follows, with which a name could rewrite the words around it.
 */
const unprintable =
  /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

/** Text with such characters spelled out, `\u{202E}`; line feeds and tabs stay when asked for. */
export function printable(text: string, { keepLines = false } = {}): string {
  return text.replace(unprintable, (character) => {
    if (keepLines && (character === '\n' || character === '\t')) return character;
    return `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`;
  });
}

/** Text as HTML or SVG content or attribute value: nothing in it is markup any more. */
export function escapeText(text: string, options: { keepLines?: boolean } = {}): string {
  return printable(text, options).replace(/[&<>"']/g, (character) => entities[character]!);
}
