import { formatLocation, type InputLocation } from './inputLocation.js';

/**
 * A part of a message that each surface says in its own language: what is `--backfill` on the command line is
 * `?backfill=true` over HTTP.
 */
export type Word =
  /** An option by its name in the library, with a value where one is meant. */
  | { readonly option: string; readonly value?: string | true }
  /** What was given a value that cannot be used, by its name in the library. */
  | { readonly argument: string }
  /** A place in an input. */
  | { readonly place: InputLocation }
  /** Something that only the command line does: its command, without `asof`. */
  | { readonly command: string }
  /** That the same may be asked for once more. */
  | { readonly again: true };

/** A message with its parts that depend on the surface. */
export type Wording = readonly (string | Word)[];

/** How a surface says such parts. */
export interface Surface {
  option(name: string, value: string | true | undefined): string;
  argument(name: string): string;
  place(location: InputLocation): string;
  command(command: string): string;
  readonly again: string;
}

/** The words of the command line, which are those of `Error.message`. */
export const commandLine: Surface = {
  option(name, value) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return typeof value === 'string' ? `${flag}=${value}` : flag;
  },
  argument: (name) => name,
  place: formatLocation,
  command: (command) => `asof ${command}`,
  again: 'give the command again',
};

/** Template tag: a wording out of text and parts. */
export function wording(texts: TemplateStringsArray, ...parts: (string | number | Word | Wording)[]): Wording {
  return texts.flatMap((text, index): Wording => {
    const part = parts[index];
    if (part === undefined) return [text];
    if (typeof part === 'number') return [text, String(part)];
    return [text, ...(isWording(part) ? part : [part])];
  });
}

/** A message in the words of a surface. */
export function say(message: string | Wording, surface: Surface): string {
  if (typeof message === 'string') return message;
  return message.map((part) => (typeof part === 'string' ? part : sayWord(part, surface))).join('');
}

function sayWord(word: Word, surface: Surface): string {
  if ('option' in word) return surface.option(word.option, word.value);
  if ('argument' in word) return surface.argument(word.argument);
  if ('place' in word) return surface.place(word.place);
  if ('command' in word) return surface.command(word.command);
  return surface.again;
}

function isWording(part: string | Word | Wording): part is Wording {
  return Array.isArray(part);
}
