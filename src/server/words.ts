import type { InputLocation } from '../errors/inputLocation.js';
import type { Surface } from '../errors/wording.js';

/** Parameters whose names over HTTP and in tools are not those of the library's options. */
const parameterNames: Readonly<Record<string, string>> = { 'freshness.method': 'freshness' };

export const parameterName = (argument: string): string => parameterNames[argument] ?? argument;

/** What a server says of something that only its command line does. */
export const commandThere = (command: string): string => `asof ${command}, where the server runs`;

/** How messages are said over HTTP. */
export const httpWords: Surface = {
  option: (name, value) => (value === undefined ? `the parameter ${name}` : `?${name}=${value}`),
  argument: parameterName,
  place(location) {
    const { file, line, field } = bodyPlace(location);
    const place = line === undefined ? file : `${file} line ${line}`;
    return field === undefined ? place : `${place}: ${field}`;
  },
  command: commandThere,
  again: 'send the request again',
};

/** A place in the input that a request brings is one in its body. */
export function bodyPlace({ file, ...place }: InputLocation): InputLocation {
  return { file: file === 'stdin' ? 'body' : file, ...place };
}
