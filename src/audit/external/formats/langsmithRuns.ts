import { instantParser } from '../../../time/parseInstant.js';
import { compileFieldPath } from '../fieldPath.js';
import { idOf, isAbsent, timeOf } from './fieldValues.js';
import { mapJson } from './jsonLog.js';
import type { LocatedAnswer, LogFormat, LogOptions } from './logFormat.js';
import { eventMapper, jsonList, type RecordMapper } from './mappedRecords.js';

/**
 * Runs as LangSmith exports them, an object a run. Times without offset are UTC.
 *
 * Every run is an event, observed when it ended (`end_time`). Answers are the runs of type `retriever`, asked when they
 * started; they used the documents of their outputs, by `id`, else by `metadata.id`, of plain documents and of LangChain's
 * serialised ones. `--map used=outputs.documents.metadata.source` takes another id. A run without outputs does not say
 * what it used.
 */
export const langsmithRuns: LogFormat = {
  name: 'langsmith',
  summary: 'LangSmith run exports: every run is an event, retriever runs are answers',
  readEvents(chunks, file, options) {
    const fields = { eventId: 'id', observedAt: 'end_time', ...definedOf(options.fields) };
    return mapJson(chunks, file, eventMapper({ ...options, fields, instants: utcUnlessSaid(options) }, jsonList));
  },
  async *readAnswers(chunks, file, options) {
    for await (const batch of mapJson(chunks, file, answerReader(options))) {
      yield batch.filter((answer) => answer !== undefined);
    }
  },
};

/** Undefined for runs of other types. */
function answerReader(options: LogOptions): RecordMapper<LocatedAnswer | undefined> {
  const { answerId = 'id', askedAt = 'start_time', used } = options.fields ?? {};
  const takeId = compileFieldPath(answerId);
  const takeTime = compileFieldPath(askedAt);
  const takeType = compileFieldPath('run_type');
  const takeUsed = used === undefined ? documentIds : compileFieldPath(used);
  const instants = instantParser(utcUnlessSaid(options));
  return (record, start) => {
    const type = takeType(record);
    if (typeof type !== 'string' || type.toLowerCase() !== 'retriever') return undefined;
    const entries = takeUsed(record);
    return {
      id: idOf(takeId(record), start, answerId),
      askedAt: timeOf(takeTime(record), instants, start, askedAt),
      used: isAbsent(entries) ? undefined : jsonList(entries, start, used ?? 'outputs'),
      line: start.line,
    };
  };
}

const takeOutputs = compileFieldPath('outputs');
const listPaths = ['outputs.documents', 'outputs.output'].map(compileFieldPath);
const idPaths = ['id', 'metadata.id', 'kwargs.id', 'kwargs.metadata.id'].map(compileFieldPath);

/** Ids of the documents in the outputs of a run; undefined when there is no list of documents. */
function documentIds(record: unknown): unknown[] | undefined {
  const candidates = [...listPaths.map((take) => take(record)), takeOutputs(record)];
  const documents = candidates.find((candidate) => Array.isArray(candidate)) as unknown[] | undefined;
  return documents?.map((document) =>
    idPaths.map((take) => take(document)).find((id) => typeof id === 'string' || typeof id === 'number'),
  );
}

function utcUnlessSaid({ instants }: LogOptions) {
  return instants?.epoch === undefined && instants?.zone === undefined ? { ...instants, zone: 'UTC' } : instants;
}

/** The members that have a value, to be laid over defaults. */
function definedOf<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, member]) => member !== undefined)) as Partial<T>;
}
