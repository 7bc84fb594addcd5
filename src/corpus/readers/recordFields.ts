import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { type InputLocation, InvalidInputError } from '../../errors/InvalidInputError.js';
import type { Instant } from '../../time/instant.js';
import type { InstantParser } from '../../time/parseInstant.js';

/** Half a character: two ids that differ in one would be the same id once written as UTF-8. */
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Typed access to the fields of one record. Every method throws InvalidInputError, naming file, line and field, when
 * the field is not what is asked for. A field that is null counts as absent.
 */
export class RecordFields {
  readonly location: InputLocation;
  readonly #value: Record<string, unknown>;
  /** Path of this object inside its record, for messages. */
  readonly #prefix: string;

  constructor(value: Record<string, unknown>, location: InputLocation, prefix = '') {
    this.#value = value;
    this.location = location;
    this.#prefix = prefix;
  }

  /** The record as it was parsed. */
  get value(): Readonly<Record<string, unknown>> {
    return this.#value;
  }

  has(field: string): boolean {
    return this.#get(field) !== undefined;
  }

  /** A text that is not empty, or an integer, which becomes its decimal text. */
  id(field: string): string {
    return this.#asId(this.#get(field), field);
  }

  /** A text, which may be empty; undefined when absent. */
  optionalText(field: string): string | undefined {
    const value = this.#get(field);
    return value === undefined ? undefined : this.#asText(value, field);
  }

  text(field: string): string {
    return this.#asText(this.#get(field), field);
  }

  /** A list of ids; undefined when absent. */
  optionalIds(field: string): string[] | undefined {
    const value = this.#get(field);
    if (value === undefined) return undefined;
    return this.#asList(value, field).map((item, index) => this.#asId(item, `${field}[${index}]`));
  }

  /** A list of ids; none when absent. */
  ids(field: string): string[] {
    return this.optionalIds(field) ?? [];
  }

  /** A list of cells, texts; numbers and booleans become their JSON text, null an empty one. */
  cells(field: string): string[] {
    return this.#asCells(this.#get(field), field);
  }

  /** A list of lists of cells. */
  cellRows(field: string): string[][] {
    return this.#asList(this.#get(field), field).map((row, index) => this.#asCells(row, `${field}[${index}]`));
  }

  /** An object inside this one. */
  object(field: string): RecordFields {
    return this.#asObject(this.#get(field), field);
  }

  /** A list of objects; none when absent. */
  objects(field: string): RecordFields[] {
    const value = this.#get(field);
    if (value === undefined) return [];
    return this.#asList(value, field).map((item, index) => this.#asObject(item, `${field}[${index}]`));
  }

  /** A time in the parser's format; undefined when absent. */
  optionalInstant(field: string, parser: InstantParser): Instant | undefined {
    const value = this.#get(field);
    if (value === undefined) return undefined;
    try {
      return parser.parse(value);
    } catch (error) {
      throw error instanceof InvalidArgumentError ? this.fault(field, error.value, error.expected, error) : error;
    }
  }

  /** The error for a field that is not what it should be. */
  fault(field: string, value: unknown, expected: string, cause?: unknown): InvalidInputError {
    return new InvalidInputError({
      location: { ...this.location, field: `${this.#prefix}${field}` },
      value,
      expected,
      cause,
    });
  }

  #get(field: string): unknown {
    const value = Object.hasOwn(this.#value, field) ? this.#value[field] : undefined;
    return value === null ? undefined : value;
  }

  #asId(value: unknown, field: string): string {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string' && value !== '' && !loneSurrogate.test(value)) return value;
    const isHalved = typeof value === 'string' && loneSurrogate.test(value);
    const expected = isHalved
      ? 'an id without half a character (a surrogate code unit whose other half is missing)'
      : 'an id: a text that is not empty, or a whole number, which is read as its decimal text';
    throw this.fault(field, value, expected);
  }

  #asText(value: unknown, field: string): string {
    if (typeof value === 'string') return value;
    throw this.fault(field, value, 'a text');
  }

  #asList(value: unknown, field: string): unknown[] {
    if (Array.isArray(value)) return value;
    throw this.fault(field, value, 'a list');
  }

  #asObject(value: unknown, field: string): RecordFields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return new RecordFields(value as Record<string, unknown>, this.location, `${this.#prefix}${field}.`);
    }
    throw this.fault(field, value, 'an object');
  }

  #asCells(value: unknown, field: string): string[] {
    return this.#asList(value, field).map((cell, index) => {
      if (typeof cell === 'string') return cell;
      if (cell === null) return '';
      if (typeof cell === 'number' || typeof cell === 'boolean') return JSON.stringify(cell);
      throw this.fault(`${field}[${index}]`, cell, 'a cell: a text, number, boolean or null');
    });
  }
}
