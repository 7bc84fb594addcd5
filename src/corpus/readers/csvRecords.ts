import { type CsvError, type Info, type Parser, parse } from 'csv-parse';
import { type InputLocation, InvalidInputError } from '../../errors/InvalidInputError.js';
import { largestRecord } from './lines.js';

/** A row of a CSV file under its header. */
export interface CsvRecord {
  /** Line on which the row starts, counted from 1; a quoted cell may hold further lines. */
  readonly line: number;
  /** Cells by the name of their column; without prototype. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The rows of a CSV file (RFC 4180) by the names in its first row, in batches: cells in quotes may hold the delimiter,
 * line ends and doubled quotes; rows end with `\n` or `\r\n`; empty lines are passed over. Memory: the rows of a chunk.
 *
 * @param file how messages name the input
 * @param delimiter what stands between cells, for example `,` or a tab
 * @param reject what to do with a row that has more or fewer cells than the header; it throws by default
 * @throws InvalidInputError for bytes that are no UTF-8, a header with a name twice,
 * quotes where none may be, a quote that never ends, and a row of more than 128 MiB
 */
export async function* readCsvRecords(
  chunks: AsyncIterable<Buffer>,
  file: string,
  delimiter = ',',
  reject: (error: InvalidInputError) => void = throwIt,
): AsyncGenerator<readonly CsvRecord[]> {
  const parser = parse({
    delimiter,
    info: true,
    max_record_size: largestRecord,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // The error is taken from `errored` below; without a listener it would end the process.
  parser.on('error', () => {});
  const utf8: Utf8Decoder = new TextDecoder('utf-8', { fatal: true });
  const position = new LineCounter();
  let header: readonly string[] | undefined;

  /** All rows that are complete by now. The parser works synchronously, so none is still on its way. */
  const takeRows = (): CsvRecord[] => {
    const rows: CsvRecord[] = [];
    for (let row = parser.read(); row !== null; row = parser.read()) {
      const { record, info } = row as { record: string[]; info: Info };
      if (header === undefined) header = checkHeader(record, file);
      else {
        position.advance(info.bytes);
        const line = position.lastLine - linesWithin(record);
        if (record.length === header.length) rows.push({ line, fields: nameCells(header, record) });
        else reject(wrongLength(record, header, { file, line }));
      }
    }
    throwErrorOf(parser, position, file);
    return rows;
  };

  try {
    for await (const chunk of chunks) {
      checkUtf8(utf8, chunk, file, position.lastLine);
      position.push(chunk);
      parser.write(chunk);
      yield takeRows();
    }
    checkUtf8(utf8, undefined, file, position.lastLine);
    const ended = new Promise<void>((resolve) => parser.once('close', resolve).once('end', resolve));
    parser.end();
    yield takeRows();
    await ended;
    throwErrorOf(parser, position, file);
  } finally {
    parser.destroy();
  }
}

/**
 * Counts lines up to a byte offset; csv-parse's own count takes a CRLF inside quotes for two line ends. Holds the chunks
 * that the offset has not passed yet.
 */
class LineCounter {
  readonly #chunks: Buffer[] = [];
  /** Bytes counted: all before, and `#within` of the first chunk. */
  #counted = 0;
  #within = 0;
  #newlines = 0;
  #endsLine = false;

  /** Line, from 1, of the last byte counted. */
  get lastLine(): number {
    return this.#newlines + (this.#endsLine ? 0 : 1);
  }

  push(chunk: Buffer): void {
    if (chunk.length > 0) this.#chunks.push(chunk);
  }

  /** Counts on to `offset`, which never decreases. */
  advance(offset: number): void {
    while (this.#counted < offset && this.#chunks.length > 0) {
      const chunk = this.#chunks[0]!;
      const end = Math.min(chunk.length, this.#within + offset - this.#counted);
      for (let at = chunk.indexOf(newline, this.#within); at !== -1 && at < end; at = chunk.indexOf(newline, at + 1)) {
        this.#newlines++;
      }
      this.#endsLine = chunk[end - 1] === newline;
      this.#counted += end - this.#within;
      this.#within = end;
      if (end === chunk.length) {
        this.#chunks.shift();
        this.#within = 0;
      }
    }
  }
}

const newline = 0x0a;

function checkUtf8(decoder: Utf8Decoder, chunk: Buffer | undefined, file: string, line: number): void {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (cause) {
    const value = `bytes in another encoding, after line ${line}`;
    throw new InvalidInputError({ location: { file }, value, expected: 'UTF-8 text', cause });
  }
}

type Utf8Decoder = InstanceType<typeof TextDecoder>;

function checkHeader(names: readonly string[], file: string): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return names;
  throw new InvalidInputError({
    location: { file, line: 1 },
    value: twice,
    expected: 'a header that names each column once',
  });
}

function nameCells(header: readonly string[], cells: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [index, name] of header.entries()) fields[name] = cells[index]!;
  return fields;
}

function wrongLength(cells: readonly string[], header: readonly string[], location: InputLocation): InvalidInputError {
  const expected = `as many cells as the header has, ${header.length}`;
  return new InvalidInputError({ location, value: `a row of ${cells.length}`, expected });
}

function throwIt(error: InvalidInputError): never {
  throw error;
}

function linesWithin(cells: readonly string[]): number {
  let lines = 0;
  for (const cell of cells) for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) lines++;
  return lines;
}

function throwErrorOf(parser: Parser, position: LineCounter, file: string): void {
  const error = parser.errored as Partial<CsvError> | null;
  if (error === null) return;
  if (typeof error.bytes !== 'number') throw error;
  // The parser has read up to the byte before which it stopped.
  position.advance(error.bytes);
  const expected: Record<string, string> = {
    CSV_QUOTE_NOT_CLOSED: 'the closing quote of a cell',
    CSV_MAX_RECORD_SIZE: `rows of at most ${largestRecord} bytes`,
  };
  throw new InvalidInputError({
    location: { file, line: position.lastLine },
    // The line in the parser's own message may be wrong; see LineCounter.
    value: error.message?.replace(/ (?:at|on) line \d+/, ''),
    expected: expected[error.code ?? ''] ?? 'a row as in RFC 4180',
    cause: error,
  });
}
