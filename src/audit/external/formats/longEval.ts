import { isBlank, readLines } from '../../../corpus/readers/lines.js';
import { splitColumns } from '../../../corpus/readers/qrels.js';
import { InvalidArgumentError } from '../../../errors/InvalidArgumentError.js';
import { InvalidInputError } from '../../../errors/InvalidInputError.js';
import { jsonLog } from './jsonLog.js';
import type { LocatedAnswer, LogFormat } from './logFormat.js';

/**
 * Evaluation over time in the manner of LongEval: a snapshot of a collection at an instant, and a run made on it.
 *
 * Events are the documents, JSON objects `{id, createdDate}` as in LongEval-Sci: a document exists from when the
 * collection first held it. Times without offset are UTC. Answers are the lists of a TREC run
 * (`topic Q0 document rank score tag`), all asked at the instant of the snapshot, which `askedAt` must give.
 */
export const longEval: LogFormat = {
  name: 'longeval',
  summary: 'documents {id, createdDate} as events, a TREC run as answers, all asked at the snapshot (--asked-at)',
  readEvents(chunks, file, options) {
    const { observedAt = 'createdDate', ...fields } = options.fields ?? {};
    const instants = options.instants ?? { zone: 'UTC' };
    return jsonLog.readEvents(chunks, file, { ...options, fields: { ...fields, observedAt }, instants });
  },
  async *readAnswers(chunks, file, { askedAt }) {
    if (askedAt === undefined) {
      throw new InvalidArgumentError({
        argument: 'asked-at',
        value: undefined,
        expected: 'the instant of the snapshot: a TREC run has no clock',
      });
    }
    const topics = new Set<string>();
    let answer: (LocatedAnswer & { used: string[] }) | undefined;
    for await (const { firstLine, lines } of readLines(chunks, file)) {
      const finished: LocatedAnswer[] = [];
      for (const [index, text] of lines.entries()) {
        if (isBlank(text)) continue;
        const line = firstLine + index;
        const [topic, , document, ...rest] = splitColumns(text);
        if (topic === undefined || document === undefined || rest.length !== 3) {
          const expected = 'six columns: topic Q0 document rank score tag';
          throw new InvalidInputError({ location: { file, line }, value: text, expected });
        }
        if (answer?.id !== topic) {
          if (topics.has(topic)) {
            const expected = 'the lines of a topic together';
            throw new InvalidInputError({ location: { file, line, field: 'topic' }, value: topic, expected });
          }
          if (answer !== undefined) finished.push(answer);
          topics.add(topic);
          answer = { id: topic, askedAt, used: [], line };
        }
        answer.used.push(document);
      }
      yield finished;
    }
    if (answer !== undefined) yield [answer];
  },
};
