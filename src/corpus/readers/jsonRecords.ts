import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { JsonArrayScanner } from './jsonArrayScanner.js';
import { isBlank, readLines } from './lines.js';
import { RecordFields } from './recordFields.js';
import { sniff } from './sniff.js';
import { decodeUtf8 } from './utf8.js';

/** One object of a JSON file, or why it is none; lines count from 1. */
export type JsonRecord = { readonly line: number } & (
  | { readonly fields: RecordFields }
  | { readonly fault: InvalidInputError }
);

/**
 * The objects of a JSON file, in order, in batches: one a line (JSONL; blank lines are passed over), or the elements of
 * one array when the first character is `[`. A line or element that is no object comes as a `fault`, so that the caller
 * can choose to go on.
 *
 * @param file how messages name the input
 * @throws InvalidInputError for what leaves no way to go on: bytes that are no UTF-8, an array without end
 */
export async function* readJsonRecords(
  chunks: AsyncGenerator<Buffer>,
  file: string,
): AsyncGenerator<readonly JsonRecord[]> {
  const { first, all } = await sniff(chunks);
  if (first === '[') yield* readArray(all, file);
  else yield* readJsonLines(all, file);
}

async function* readJsonLines(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<JsonRecord[]> {
  for await (const { firstLine, lines } of readLines(chunks, file)) {
    const records: JsonRecord[] = [];
    for (const [index, text] of lines.entries()) {
      if (!isBlank(text)) records.push(parseRecord(text, file, firstLine + index));
    }
    yield records;
  }
}

async function* readArray(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<JsonRecord[]> {
  const scanner = new JsonArrayScanner(file);
  for await (const chunk of chunks) {
    yield scanner.push(chunk).map(({ bytes, line }) => parseRecord(decodeUtf8(bytes, file, line), file, line));
  }
  scanner.end();
}

function parseRecord(text: string, file: string, line: number): JsonRecord {
  let value: unknown;
  let cause: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    cause = error;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { line, fields: new RecordFields(value as Record<string, unknown>, { file, line }) };
  }
  const expected = cause instanceof Error ? `a JSON object (${cause.message})` : 'a JSON object';
  return { line, fault: new InvalidInputError({ location: { file, line }, value: text, expected, cause }) };
}
