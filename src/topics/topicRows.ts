import type { Column } from '../columnar/columns.js';
import { csvCell } from '../columnar/csvCell.js';
import { formatInstant } from '../time/formatInstant.js';
import type { PublishedSlice, TopicPoint } from './publishedSlice.js';

interface Row {
  readonly slice: PublishedSlice;
  /** Null for a slice without topics, which is shown all the same. */
  readonly point: TopicPoint | null;
}

function rowsOf(slices: readonly PublishedSlice[]): Row[] {
  return slices.flatMap((slice): Row[] =>
    slice.points.length === 0 ? [{ slice, point: null }] : slice.points.map((point) => ({ slice, point })),
  );
}

/**
 * Topics as a table: one row for each topic and slice, in order of time, then number; a slice without topics has one row
 * whose topic is null. Instants are epoch milliseconds; `entity_documents` goes with `entities`, item by item.
 */
export function topicColumns(slices: readonly PublishedSlice[]): { rows: number; columns: Column[] } {
  const rows = rowsOf(slices);
  const texts = (name: string, of: (row: Row) => string | null): Column => {
    return { name, type: 'string', values: rows.map(of) };
  };
  const numbers = (name: string, type: 'instant' | 'float64', of: (row: Row) => number | null | undefined): Column => {
    return { name, type, values: Float64Array.from(rows, (row) => of(row) ?? Number.NaN) };
  };
  const integers = (name: string, of: (row: Row) => number | undefined): Column => {
    return { name, type: 'int32', values: Float64Array.from(rows, (row) => of(row) ?? Number.NaN) };
  };
  return {
    rows: rows.length,
    columns: [
      texts('slice', ({ slice }) => slice.id),
      numbers('start', 'instant', ({ slice }) => slice.start),
      numbers('end', 'instant', ({ slice }) => slice.end),
      numbers('known_at', 'instant', ({ slice }) => slice.knownAt),
      texts('status', ({ slice }) => (slice.provisional ? 'provisional' : 'published')),
      integers('slice_documents', ({ slice }) => slice.documents),
      integers('slice_unassigned', ({ slice }) => slice.unassigned),
      integers('topic', ({ point }) => point?.topic),
      integers('documents', ({ point }) => point?.size),
      texts('label', ({ point }) => point?.label ?? null),
      numbers('ratio', 'float64', ({ point }) => point?.ratio),
      numbers('drift', 'float64', ({ point }) => point?.drift),
      textLists('terms', rows, ({ point }) => point?.terms ?? []),
      textLists('about', rows, ({ point }) => point?.about ?? []),
      textLists('entities', rows, ({ point }) => point?.entities.map(({ entity }) => entity) ?? []),
      integerLists('entity_documents', rows, ({ point }) => point?.entities.map(({ documents }) => documents) ?? []),
      texts('documents_sha256', ({ slice }) => slice.documentsHash),
      texts('model_sha256', ({ slice }) => slice.modelHash),
    ],
  };
}

function shapeOf(lists: readonly (readonly unknown[])[]): { offsets: Uint32Array; lengths: Uint32Array } {
  const lengths = Uint32Array.from(lists, ({ length }) => length);
  const offsets = new Uint32Array(lists.length);
  for (let row = 1; row < lists.length; row++) offsets[row] = offsets[row - 1]! + lengths[row - 1]!;
  return { offsets, lengths };
}

function textLists(name: string, rows: readonly Row[], of: (row: Row) => readonly string[]): Column {
  const lists = rows.map(of);
  const dictionary = [...new Set(lists.flat())];
  const codes = new Map(dictionary.map((text, code) => [text, code]));
  const values = Uint32Array.from(lists.flat(), (text) => codes.get(text)!);
  return { name, type: 'list<string>', ...shapeOf(lists), values, dictionary };
}

function integerLists(name: string, rows: readonly Row[], of: (row: Row) => readonly number[]): Column {
  const lists = rows.map(of);
  return { name, type: 'list<int32>', ...shapeOf(lists), values: Int32Array.from(lists.flat()) };
}

const csvHeader =
  'slice,start,end,known_at,status,slice_documents,slice_unassigned,topic,documents,label,ratio,drift,terms,about,entities,' +
  'entity_documents,documents_sha256,model_sha256';

/**
 * The same table as CSV (RFC 4180): instants in ISO 8601, lists as JSON.
 */
export function topicsCsv(slices: readonly PublishedSlice[]): string {
  const lines = rowsOf(slices).map(({ slice, point }) => {
    const { id, start, end, knownAt, provisional, documents, unassigned, documentsHash, modelHash } = slice;
    const entities = point?.entities ?? [];
    const cells = [
      id,
      formatInstant(start),
      formatInstant(end),
      formatInstant(knownAt),
      provisional ? 'provisional' : 'published',
      documents,
      unassigned,
      point?.topic,
      point?.size,
      point?.label,
      point?.ratio,
      point?.drift,
      JSON.stringify(point?.terms ?? []),
      JSON.stringify(point?.about ?? []),
      JSON.stringify(entities.map(({ entity }) => entity)),
      JSON.stringify(entities.map((entity) => entity.documents)),
      documentsHash,
      modelHash,
    ];
    return cells.map((cell) => csvCell(`${cell ?? ''}`)).join(',');
  });
  return [csvHeader, ...lines].map((line) => `${line}\r\n`).join('');
}

/** Topics as JSON, instants in ISO 8601. */
export function topicsJson(slices: readonly PublishedSlice[]): object[] {
  return slices.map(({ id, start, end, knownAt, ...slice }) => {
    const instants = { start: formatInstant(start), end: formatInstant(end), knownAt: formatInstant(knownAt) };
    return { id, ...instants, ...slice };
  });
}
