import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { escapeText } from './escapeText.js';

/** HTML or SVG text that is safe to print as it is. Only `markup` and `preformatted` make one. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand in a template: text is escaped, numbers are rounded, markup is kept, nothing is left out. */
export type Fragment = string | number | Markup | null | undefined | false | readonly Fragment[];

/**
 * Template of HTML or SVG: `markup\`<td>${name}</td>\``. Everything put into it is escaped unless it is markup itself, so
 * that text from data cannot become markup by being forgotten.
 * @throws InvalidArgumentError for NaN or an infinite number
 */
export function markup(strings: TemplateStringsArray, ...fragments: readonly Fragment[]): Markup {
  let text = strings[0]!;
  for (const [index, fragment] of fragments.entries()) text += render(fragment) + strings[index + 1]!;
  return new Markup(text);
}

/** Text whose line feeds and tabs matter, for a `<pre>`. */
export function preformatted(text: string): Markup {
  return new Markup(escapeText(text, { keepLines: true }));
}

function render(fragment: Fragment): string {
  if (fragment === null || fragment === undefined || fragment === false) return '';
  if (fragment instanceof Markup) return fragment.text;
  if (typeof fragment === 'string') return escapeText(fragment);
  if (typeof fragment === 'number') return coordinate(fragment);
  return fragment.map(render).join('');
}

/** At most two decimals: a hundredth of a pixel is below what anything shows, and above where machines differ. */
function coordinate(value: number): string {
  if (!Number.isFinite(value)) {
    throw new InvalidArgumentError({ argument: 'number in markup', value, expected: 'a finite number' });
  }
  const rounded = Math.round(value * 100) / 100;
  return String(rounded === 0 ? 0 : rounded);
}
