import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { type InputSet, inputLabel } from './inputs.js';
import { isBlank, readLines } from './lines.js';
import { splitColumns } from './qrels.js';

/** The ranking of one query in a run file, in the order of the file. */
export interface RunRanking {
  readonly documents: readonly string[];
  /** [documents] as written; not necessarily descending. */
  readonly scores: Float64Array;
}

/** A run: the rankings of a system, by query id, in the order of the file. */
export interface TrecRun {
  /** Name of the run, the last column; `undefined` for an empty file. */
  readonly tag: string | undefined;
  readonly rankings: ReadonlyMap<string, RunRanking>;
}

/**
 * Reads a TREC run: lines of `query Q0 document rank score tag`. The rank column is checked to be a number and otherwise
 * left alone, as trec_eval leaves it: order by score where an order is needed.
 *
 * @throws InvalidInputError for another number of columns, a score or rank that is no finite number, a document that a
 * query ranks twice, or a second tag
 */
export async function readTrecRun(path: string, inputs: InputSet): Promise<TrecRun> {
  const file = inputLabel(path);
  const growing = new Map<string, { documents: string[]; scores: number[]; seen: Set<string> }>();
  let tag: string | undefined;
  for await (const { firstLine, lines } of readLines(inputs.read(path, 'run'), file)) {
    for (const [index, line] of lines.entries()) {
      if (isBlank(line)) continue;
      const location = { file, line: firstLine + index };
      const fail = (field: string | undefined, value: string, expected: string): never => {
        throw new InvalidInputError({ location: { ...location, field }, value, expected });
      };
      const cells = splitColumns(line);
      if (cells.length !== 6) fail(undefined, line, 'six columns: query, Q0, document, rank, score, tag');
      const [query, , document, rank, score, name] = cells as [string, string, string, string, string, string];
      if (!isFiniteNumber(rank)) fail('rank', rank, 'a number');
      if (!isFiniteNumber(score)) fail('score', score, 'a finite number');
      tag ??= name;
      if (name !== tag) fail('tag', name, `one tag in a file: ${tag}`);
      let ranking = growing.get(query);
      if (ranking === undefined) {
        ranking = { documents: [], scores: [], seen: new Set() };
        growing.set(query, ranking);
      }
      if (ranking.seen.has(document)) fail('document', document, `each document once for query ${query}`);
      ranking.seen.add(document);
      ranking.documents.push(document);
      ranking.scores.push(Number(score));
    }
  }
  const rankings = new Map<string, RunRanking>();
  for (const [query, { documents, scores }] of growing) {
    rankings.set(query, { documents, scores: Float64Array.from(scores) });
  }
  return { tag, rankings };
}

function isFiniteNumber(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
}
