import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';

/** A record as its file holds it: names to values of JSON. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/** What an expression found in a record. */
export interface FoundFields {
  /** One value for each part that is there, in the order of the parts. */
  readonly values: readonly unknown[];
  /** Fields of the record whose whole value was taken. */
  readonly keys: readonly string[];
}

/** Where a field of an asset comes from. */
export interface FieldExpression {
  readonly source: string;
  find(record: SourceRecord): FoundFields;
}

type Alternative = (record: SourceRecord) => { value: unknown; key?: string } | undefined;

/**
 * Compiles the right-hand side of a mapping. Parts are separated by commas, and each is the first of its alternatives
 * (separated by `|`) that the record has:
 * - `published`: a field; `affected.package.name`: a path, on which lists are gone through
 * - `{product}/{cycle}`: a text made of fields; absent when one of them is
 * - `'advisory'`: this very text
 *
 * A field that is null counts as absent.
 *
 * @param target the field of the asset, for messages
 * @throws InvalidArgumentError when it is no expression
 */
export function compileExpression(source: string, target: string): FieldExpression {
  const reject = (expected: string): never => {
    throw new InvalidArgumentError({ argument: `map ${target}`, value: source, expected });
  };
  const parts = splitOutside(source, ',').map((part) =>
    splitOutside(part, '|').map((text) => compileAlternative(text.trim(), reject)),
  );
  return {
    source,
    find(record) {
      const values: unknown[] = [];
      const keys: string[] = [];
      for (const alternatives of parts) {
        for (const alternative of alternatives) {
          const found = alternative(record);
          if (found === undefined) continue;
          values.push(found.value);
          if (found.key !== undefined) keys.push(found.key);
          break;
        }
      }
      return { values, keys };
    },
  };
}

function compileAlternative(text: string, reject: (expected: string) => never): Alternative {
  if (text === '') return reject("a field, a path, a {template} or a 'text'");
  if (text.startsWith("'")) {
    if (text.length < 2 || !text.endsWith("'")) return reject('every quoted text to have its end');
    const value = text.slice(1, -1);
    return () => ({ value });
  }
  return /[{}]/.test(text) ? compileTemplate(text, reject) : compilePath(text);
}

function compileTemplate(text: string, reject: (expected: string) => never): Alternative {
  const pieces = text.split(/\{([^{}]*)\}/);
  // Literal pieces have even positions, names odd ones.
  if (pieces.some((piece, index) => index % 2 === 0 && /[{}]/.test(piece))) return reject('every { to have its }');
  if (pieces.some((piece, index) => index % 2 === 1 && piece === '')) return reject('a field between { and }');
  const literals = pieces.filter((_, index) => index % 2 === 0);
  const paths = pieces.filter((_, index) => index % 2 === 1).map(compilePath);
  return (record) => {
    let value = literals[0]!;
    for (const [index, path] of paths.entries()) {
      const found = path(record);
      if (found === undefined) return undefined;
      value += scalarsOf(found.value).join(' ') + literals[index + 1]!;
    }
    return { value };
  };
}

function compilePath(path: string): Alternative {
  const names = path.split('.');
  return (record) => {
    // A name that is there as it stands comes first: CSV headers may hold dots.
    const whole = memberOf(record, path);
    if (whole !== undefined) return { value: whole, key: path };
    if (names.length === 1) return undefined;
    const value = follow(record, names);
    return value === undefined ? undefined : { value };
  };
}

/** Goes down a path; through a list, into each element. */
function follow(value: unknown, names: readonly string[]): unknown {
  if (names.length === 0) return value;
  if (Array.isArray(value)) {
    const found = value.flatMap((item) => follow(item, names) ?? []);
    return found.length === 0 ? undefined : found;
  }
  const member = memberOf(value, names[0]!);
  return member === undefined ? undefined : follow(member, names.slice(1));
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name] ?? undefined;
}

/**
 * The texts in a value: its own, those of a list's elements, or those of an object's values in the order of their
 * names. Numbers and booleans are written as JSON writes them.
 */
export function scalarsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.flatMap(([, member]) => scalarsOf(member));
}

/** Splits at a separator that is neither inside quotes nor inside braces. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let closing = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (closing !== '') {
      if (character === closing) closing = '';
    } else if (character === "'") {
      closing = "'";
    } else if (character === '{') {
      closing = '}';
    } else if (character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
