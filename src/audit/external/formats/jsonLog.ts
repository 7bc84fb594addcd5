import { readJsonRecords } from '../../../corpus/readers/jsonRecords.js';
import type { LogFormat } from './logFormat.js';
import { answerMapper, eventMapper, jsonList, type RecordMapper } from './mappedRecords.js';

/** JSON Lines, or one JSON array, of events `{id, observedAt, dependsOn?}` and answers `{id, askedAt, used}`. */
export const jsonLog: LogFormat = {
  name: 'json',
  summary: 'JSON Lines or a JSON array of {id, observedAt, dependsOn?} and of {id, askedAt, used}',
  readEvents: (chunks, file, options) => mapJson(chunks, file, eventMapper(options, jsonList)),
  readAnswers: (chunks, file, options) => mapJson(chunks, file, answerMapper(options, jsonList)),
};

/**
 * What `map` makes of every object of a JSON file.
 * @throws InvalidInputError at the first line that is no object
 */
export async function* mapJson<T>(
  chunks: AsyncGenerator<Buffer>,
  file: string,
  map: RecordMapper<T>,
): AsyncGenerator<T[]> {
  for await (const batch of readJsonRecords(chunks, file)) {
    yield batch.map((record) => {
      if ('fault' in record) throw record.fault;
      return map(record.fields.value, { file, line: record.line });
    });
  }
}
