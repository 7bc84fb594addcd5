import type { Instant } from '../../../time/instant.js';
import { instantParser } from '../../../time/parseInstant.js';
import { fieldFault, idOf, isAbsent, type RecordStart, timeOf } from './fieldValues.js';
import { mapJson } from './jsonLog.js';
import type { LocatedAnswer, LocatedEvent, LogFormat } from './logFormat.js';

/**
 * OpenTelemetry spans by the semantic conventions for generative AI (in development), as OTLP/JSON: an object
 * `{resourceSpans}` a line, as the OTLP file exporter writes them, or an array of such objects.
 *
 * Events are the memory records that `create_memory`, `update_memory` and `upsert_memory` spans wrote, observed when the
 * span ended. Answers are `search_memory` and `retrieval` spans, asked when the span started; they used the records or
 * documents that came back. These attributes are opt-in: an answer without them is not one that used nothing.
 * Spans that ended in an error wrote and used nothing. `--map` has no part in this.
 */
export const otelSpans: LogFormat = {
  name: 'otel-genai',
  summary: 'OpenTelemetry GenAI spans in OTLP/JSON: memory writes are events, searches and retrievals are answers',
  readEvents: (chunks, file) => flattened(mapJson(chunks, file, eventsOf)),
  readAnswers: (chunks, file) => flattened(mapJson(chunks, file, answersOf)),
};

const writes = new Set<unknown>(['create_memory', 'update_memory', 'upsert_memory']);
/** What came back, by `gen_ai.operation.name`. */
const results = new Map<unknown, string>([
  ['search_memory', 'gen_ai.memory.records'],
  ['retrieval', 'gen_ai.retrieval.documents'],
]);
const nanoseconds = instantParser({ epoch: 'ns' });

function eventsOf(record: unknown, start: RecordStart): LocatedEvent[] {
  return spansOf(record, start).flatMap((span) => {
    if (!writes.has(attributeOf(span, 'gen_ai.operation.name')) || hasFailed(span)) return [];
    const written = listOf(attributeOf(span, 'gen_ai.memory.records')) ?? [];
    const own = attributeOf(span, 'gen_ai.memory.record.id');
    const ids = new Set([own, ...written.map((entry) => memberOf(entry, 'id'))].filter((id) => !isAbsent(id)));
    const observedAt = spanTime(span, 'endTimeUnixNano', start);
    return Array.from(ids, (id) => ({
      id: idOf(id, start, 'gen_ai.memory.record.id'),
      observedAt,
      dependsOn: [],
      line: start.line,
    }));
  });
}

function answersOf(record: unknown, start: RecordStart): LocatedAnswer[] {
  return spansOf(record, start).flatMap((span) => {
    const attribute = results.get(attributeOf(span, 'gen_ai.operation.name'));
    if (attribute === undefined || hasFailed(span)) return [];
    const found = listOf(attributeOf(span, attribute));
    const foundNothing = found === undefined && Number(attributeOf(span, 'gen_ai.memory.record.count') ?? -1) === 0;
    return {
      id: `${idOf(span.traceId, start, 'traceId')}/${idOf(span.spanId, start, 'spanId')}`,
      askedAt: spanTime(span, 'startTimeUnixNano', start),
      used: foundNothing
        ? []
        : found?.map((entry) => {
            const id = memberOf(entry, 'id');
            return isAbsent(id) ? undefined : idOf(id, start, `${attribute}.id`);
          }),
      line: start.line,
    };
  });
}

type JsonObject = Readonly<Record<string, unknown>>;

async function* flattened<T>(batches: AsyncGenerator<T[][]>): AsyncGenerator<T[]> {
  for await (const batch of batches) yield batch.flat();
}

function spansOf(record: unknown, start: RecordStart): JsonObject[] {
  const resources = memberOf(record, 'resourceSpans');
  if (!Array.isArray(resources)) {
    throw fieldFault(start, 'resourceSpans', resources, 'OTLP/JSON traces: a list resourceSpans');
  }
  return resources.flatMap((resource) =>
    objectsOf(memberOf(resource, 'scopeSpans')).flatMap((scope) => objectsOf(scope.spans)),
  );
}

function hasFailed(span: JsonObject): boolean {
  const code = memberOf(span.status, 'code');
  return code === 2 || code === 'STATUS_CODE_ERROR';
}

/** A 64-bit count of nanoseconds: a decimal text in OTLP/JSON, a number from some exporters. 0 is no time. */
function spanTime(span: JsonObject, field: string, start: RecordStart): Instant | undefined {
  const value = span[field];
  if (value === 0 || value === '0') return undefined;
  const text = typeof value === 'number' && Number.isInteger(value) ? String(BigInt(value)) : value;
  return timeOf(text, nanoseconds, start, field);
}

function attributeOf(span: JsonObject, key: string): unknown {
  const attribute = objectsOf(span.attributes).find((candidate) => candidate.key === key);
  return attribute === undefined ? undefined : plainValue(attribute.value);
}

/** Values nested beyond this are no telemetry but an attack on the stack. */
const deepestValue = 64;

/** An OTLP AnyValue as JSON has it. */
function plainValue(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > deepestValue) return undefined;
  const any = value as JsonObject;
  if ('arrayValue' in any) {
    return objectsOf(memberOf(any.arrayValue, 'values')).map((element) => plainValue(element, depth + 1));
  }
  if ('kvlistValue' in any) {
    const members = objectsOf(memberOf(any.kvlistValue, 'values'));
    return Object.fromEntries(members.map(({ key, value: member }) => [String(key), plainValue(member, depth + 1)]));
  }
  return any.stringValue ?? any.intValue ?? any.doubleValue ?? any.boolValue;
}

/** A list, or the JSON text of one; undefined for anything else. */
function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function objectsOf(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.filter((element) => typeof element === 'object' && element !== null);
}

function memberOf(value: unknown, member: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
  return (value as JsonObject)[member];
}
