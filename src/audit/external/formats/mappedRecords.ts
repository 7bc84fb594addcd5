import { instantParser } from '../../../time/parseInstant.js';
import { compileFieldPath } from '../fieldPath.js';
import { fieldFault, idOf, idsOf, isAbsent, type RecordStart, timeOf } from './fieldValues.js';
import type { LocatedAnswer, LocatedEvent, LogOptions } from './logFormat.js';

/** How a format writes several ids in one field. */
export type ListReader = (value: unknown, start: RecordStart, field: string) => (string | undefined)[];

/** Makes one thing of a record. */
export type RecordMapper<T> = (record: Readonly<Record<string, unknown>>, start: RecordStart) => T;

/** A list as JSON has it; a single text or number is a list of one. */
export const jsonList: ListReader = (value, start, field) => {
  if (Array.isArray(value)) return idsOf(value, start, field);
  if (typeof value === 'string' || typeof value === 'number') return [idOf(value, start, field)];
  throw fieldFault(start, field, value, 'a list of event ids');
};

/** A list in one cell: a JSON array, or ids with a separator between them; white space and empty parts are dropped. */
export function cellList(separator: string): ListReader {
  return (value, start, field) => {
    const text = String(value).trim();
    if (!text.startsWith('[')) {
      const ids = text.split(separator).map((id) => id.trim());
      return ids.filter((id) => id !== '').map((id) => idOf(id, start, field));
    }
    let list: unknown;
    try {
      list = JSON.parse(text);
    } catch (cause) {
      throw fieldFault(start, field, value, 'a JSON array of event ids', cause);
    }
    return idsOf(list, start, field);
  };
}

/** Turns records into events by the paths of `options.fields`, by default `id`, `observedAt`, `dependsOn`. */
export function eventMapper(options: LogOptions, readList: ListReader): RecordMapper<LocatedEvent> {
  const { eventId = 'id', observedAt = 'observedAt', dependsOn = 'dependsOn' } = options.fields ?? {};
  const takeId = compileFieldPath(eventId);
  const takeTime = compileFieldPath(observedAt);
  const takeDependencies = compileFieldPath(dependsOn);
  const instants = instantParser(options.instants);
  return (record, start) => {
    const dependencies = takeDependencies(record);
    return {
      id: idOf(takeId(record), start, eventId),
      observedAt: timeOf(takeTime(record), instants, start, observedAt),
      dependsOn: isAbsent(dependencies)
        ? []
        : readList(dependencies, start, dependsOn).map((id) => idOf(id, start, dependsOn)),
      line: start.line,
    };
  };
}

/**
 * Turns records into answers by the paths of `options.fields`, by default `id`, `askedAt`, `used`. An answer without the
 * field `used` is an error: it would pass for one that used nothing. An empty list, or an empty cell, is no entry.
 */
export function answerMapper(options: LogOptions, readList: ListReader): RecordMapper<LocatedAnswer> {
  const { answerId = 'id', askedAt = 'askedAt', used = 'used' } = options.fields ?? {};
  const takeId = compileFieldPath(answerId);
  const takeTime = compileFieldPath(askedAt);
  const takeUsed = compileFieldPath(used);
  const instants = instantParser(options.instants);
  return (record, start) => {
    const entries = takeUsed(record);
    if (entries === undefined || entries === null) {
      const expected = 'the list of the events that the answer used, [] for none (--map used=... when it is elsewhere)';
      throw fieldFault(start, used, undefined, expected);
    }
    return {
      id: idOf(takeId(record), start, answerId),
      askedAt: timeOf(takeTime(record), instants, start, askedAt) ?? options.askedAt,
      used: entries === '' ? [] : readList(entries, start, used),
      line: start.line,
    };
  };
}
