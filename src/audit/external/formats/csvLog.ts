import { readCsvRecords } from '../../../corpus/readers/csvRecords.js';
import type { LogFormat, LogFormatName } from './logFormat.js';
import { answerMapper, cellList, eventMapper, type RecordMapper } from './mappedRecords.js';

/**
 * CSV with a header (RFC 4180), columns named as the fields of the JSON form. A list of ids is one cell: ids with `;`
 * between them, or a JSON array.
 */
export const csvLog = delimitedLog('csv', ',', 'CSV with a header; several ids in a cell with ; between them');

export const tsvLog = delimitedLog('tsv', '\t', 'the same with tabs between the cells');

function delimitedLog(name: LogFormatName, delimiter: string, summary: string): LogFormat {
  return {
    name,
    summary,
    readEvents: (chunks, file, options) =>
      mapRows(chunks, file, delimiter, eventMapper(options, cellList(options.listSeparator ?? ';'))),
    readAnswers: (chunks, file, options) =>
      mapRows(chunks, file, delimiter, answerMapper(options, cellList(options.listSeparator ?? ';'))),
  };
}

async function* mapRows<T>(
  chunks: AsyncGenerator<Buffer>,
  file: string,
  delimiter: string,
  map: RecordMapper<T>,
): AsyncGenerator<T[]> {
  for await (const batch of readCsvRecords(chunks, file, delimiter)) {
    yield batch.map(({ line, fields }) => map(fields, { file, line }));
  }
}
