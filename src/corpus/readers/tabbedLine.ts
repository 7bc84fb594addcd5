import { type InputLocation, InvalidInputError } from '../../errors/InvalidInputError.js';

/**
 * The two parts of a line of id, tab, text; the text may hold further tabs.
 *
 * @throws InvalidInputError when there is no id or no tab
 */
export function splitIdAndText(line: string, location: InputLocation): { id: string; text: string } {
  const tab = line.indexOf('\t');
  if (tab < 1) throw new InvalidInputError({ location, value: line, expected: 'an id, a tab and a text' });
  return { id: line.slice(0, tab), text: line.slice(tab + 1) };
}
