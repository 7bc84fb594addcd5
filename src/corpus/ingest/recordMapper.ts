import { canonicalJson } from '../../commitment/canonicalJson.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { type InputLocation, InvalidInputError } from '../../errors/InvalidInputError.js';
import { type Wording, wording } from '../../errors/wording.js';
import type { Instant } from '../../time/instant.js';
import { type InstantParser, instantParser } from '../../time/parseInstant.js';
import type { AssetContent } from './assetContent.js';
import {
  compileExpression,
  type FieldExpression,
  type FoundFields,
  type SourceRecord,
  scalarsOf,
} from './fieldExpression.js';
import type { MappingTarget } from './fieldMapping.js';
import type { IngestMapping } from './mapping.js';

/** A record of a source as an asset. */
export interface MappedRecord {
  readonly id: string;
  readonly content: AssetContent;
  /** Declared time of availability; undefined where the mapping declares none: the instant of ingest. */
  readonly availableAt: Instant | undefined;
  /** End of availability; never before `availableAt` where that is declared. */
  readonly withdrawnAt: Instant | undefined;
}

/** What the reading of times had to decide, over all records. */
export interface TimeDecisions {
  /** Local times that a clock change skipped: read with the offset from before it. */
  gap: number;
  /** Local times that a clock change showed twice: the first was taken. */
  overlap: number;
  /** Times with digits below a millisecond, which were cut. */
  truncated: number;
}

/** What takes the time of availability where there is no event time. */
const eventAtAvailable = { option: 'eventAt', value: 'available' };

const loneSurrogates = /\p{Surrogate}/gu;

/** Turns records into assets by one mapping. */
export class RecordMapper {
  readonly decisions: TimeDecisions = { gap: 0, overlap: 0, truncated: 0 };
  readonly #mapping: IngestMapping;
  readonly #instants: InstantParser;
  readonly #expressions: Readonly<Partial<Record<MappingTarget, FieldExpression>>>;

  /** @throws InvalidArgumentError when the mapping cannot be used */
  constructor(mapping: IngestMapping) {
    this.#mapping = mapping;
    this.#instants = instantParser(mapping.instants);
    const expressions = Object.entries(mapping.fields).map(([target, source]) => [
      target,
      compileExpression(source, target),
    ]);
    this.#expressions = Object.fromEntries(expressions);
    const required: MappingTarget[] = ['id'];
    if (mapping.missingEventAt === 'error') required.push('eventAt');
    for (const target of required) {
      if (this.#expressions[target] !== undefined) continue;
      const expected =
        target === 'id' ? 'a field for the id' : wording`a field for the event time, or ${eventAtAvailable}`;
      throw new InvalidArgumentError({ argument: `map ${target}`, value: undefined, expected });
    }
    if (this.#expressions.text === undefined && this.#expressions.title === undefined) {
      throw new InvalidArgumentError({ argument: 'map text', value: undefined, expected: 'a field for the text' });
    }
  }

  /** @throws InvalidInputError, naming file, line and field, when the record does not fit the mapping */
  map(record: SourceRecord, location: InputLocation): MappedRecord {
    const reading = new Reading(record, location, this.#expressions);
    const id = reading.id();
    const title = reading.text('title', ' ');
    const { text, isTable } = reading.body();
    if (text === undefined && title === undefined) throw reading.missing('text', 'a text');
    const type = reading.text('type', ' ') || (isTable ? 'table' : 'text');
    const entities = reading.entities();
    const eventAt = this.#instant(reading, 'eventAt', this.#mapping.missingEventAt === 'error');
    const availableAt = this.#instant(reading, 'availableAt', this.#mapping.availability === 'declared');
    const withdrawnAt = this.#instant(reading, 'withdrawnAt', false);
    const content = { type, title: title || undefined, text: text ?? '', entities, fields: reading.rest(), eventAt };
    const end =
      withdrawnAt !== undefined && availableAt !== undefined ? Math.max(withdrawnAt, availableAt) : withdrawnAt;
    return { id, content, availableAt, withdrawnAt: end };
  }

  #instant(
    reading: Reading,
    target: 'eventAt' | 'availableAt' | 'withdrawnAt',
    required: boolean,
  ): Instant | undefined {
    if (this.#expressions[target] === undefined) return undefined;
    const value = reading.single(target);
    if (value === undefined) {
      if (required)
        throw reading.missing(target, 'a time', target === 'eventAt' ? wording`, or ${eventAtAvailable}` : '');
      return undefined;
    }
    try {
      const { instant, resolution, truncated } = this.#instants.parseDetailed(value);
      if (resolution !== 'exact') this.decisions[resolution]++;
      if (truncated) this.decisions.truncated++;
      return instant;
    } catch (error) {
      throw error instanceof InvalidArgumentError ? reading.fault(target, error.value, error.expected, error) : error;
    }
  }
}

/** One record on its way to an asset. */
class Reading {
  readonly #record: SourceRecord;
  readonly #location: InputLocation;
  readonly #expressions: Readonly<Partial<Record<MappingTarget, FieldExpression>>>;
  readonly #taken = new Set<string>();

  constructor(
    record: SourceRecord,
    location: InputLocation,
    expressions: Readonly<Partial<Record<MappingTarget, FieldExpression>>>,
  ) {
    this.#record = record;
    this.#location = location;
    this.#expressions = expressions;
  }

  id(): string {
    const value = this.single('id');
    if (value === undefined) throw this.missing('id', 'an id');
    const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof id === 'string' && id !== '' && id.search(loneSurrogates) === -1) return id;
    throw this.fault('id', value, 'an id: a text that is not empty, or an integer');
  }

  /** The value of a target that has one part; undefined when absent. */
  single(target: MappingTarget): unknown {
    const { values } = this.#find(target);
    if (values.length > 1) throw this.fault(target, values, 'one field, not several');
    return values[0];
  }

  /** The texts of all parts, joined. */
  text(target: 'title' | 'type', separator: string): string | undefined {
    const { values } = this.#find(target);
    if (values.length === 0) return undefined;
    return wellFormed(values.map((value) => this.#asText(value, target)).join(separator));
  }

  body(): { text: string | undefined; isTable: boolean } {
    const { values } = this.#find('text');
    if (values.length === 0) return { text: undefined, isTable: false };
    const lines = values.map((value) => this.#tableText(value) ?? this.#asText(value, 'text'));
    return { text: wellFormed(lines.join('\n')), isTable: values.some((value) => typeof value === 'object') };
  }

  /** Entities in their order, each once. A text that is a JSON list, as in CSV, is that list. */
  entities(): string[] {
    const { values } = this.#find('entities');
    const names = values.flatMap((value) => scalarsOf(parsedList(value))).filter((name) => name !== '');
    return [...new Set(names.map(wellFormed))];
  }

  /** What no target took, and the members of the mapped `fields`, as canonical JSON. */
  rest(): string | undefined {
    const mapped = this.#fieldsObject();
    // Without a prototype: a field may be called __proto__.
    const rest: Record<string, unknown> = Object.assign(Object.create(null), mapped);
    for (const [key, value] of Object.entries(this.#record)) {
      if (!this.#taken.has(key) && value !== null && value !== undefined) rest[key] = value;
    }
    return Object.keys(rest).length === 0 ? undefined : canonicalJson(rest);
  }

  missing(target: MappingTarget, expected: string, otherwise: string | Wording = ''): InvalidInputError {
    const source = this.#expressions[target]?.source ?? target;
    return this.fault(target, undefined, wording`${expected} in ${source}${otherwise}`);
  }

  fault(target: MappingTarget, value: unknown, expected: string | Wording, cause?: unknown): InvalidInputError {
    return new InvalidInputError({ location: { ...this.#location, field: target }, value, expected, cause });
  }

  #find(target: MappingTarget): FoundFields {
    const found = this.#expressions[target]?.find(this.#record) ?? { values: [], keys: [] };
    for (const key of found.keys) this.#taken.add(key);
    return found;
  }

  #asText(value: unknown, target: MappingTarget): string {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
    throw this.fault(target, value, 'a text');
  }

  /** A table `{header, rows}` as `assetText` writes it; undefined when it is none. */
  #tableText(value: unknown): string | undefined {
    if (typeof value !== 'object' || value === null || !('header' in value) || !('rows' in value)) return undefined;
    const { header, rows } = value;
    if (!Array.isArray(header) || !Array.isArray(rows)) return undefined;
    const lines = [header, ...rows].map((cells) =>
      Array.isArray(cells) ? cells.map(cellText).join(' | ') : undefined,
    );
    if (lines.includes(undefined)) throw this.fault('text', value, 'a table with a list of cells for each row');
    return lines.filter((line) => line !== '').join('\n');
  }

  #fieldsObject(): Record<string, unknown> {
    const value = this.single('fields');
    if (value === undefined) return {};
    const object = typeof value === 'string' ? parsed(value) : value;
    if (typeof object === 'object' && object !== null && !Array.isArray(object))
      return object as Record<string, unknown>;
    throw this.fault('fields', value, 'an object, or the JSON text of one');
  }
}

function cellText(cell: unknown): string {
  return scalarsOf(cell).join(' ');
}

function parsedList(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('[')) return value;
  const list = parsed(value);
  return Array.isArray(list) ? list : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Half a character has no form in UTF-8; it becomes U+FFFD before anything is hashed, as it would when written. */
function wellFormed(text: string): string {
  return text.replace(loneSurrogates, '\ufffd');
}
