import { type InputLocation, InvalidInputError } from '../../errors/InvalidInputError.js';
import type { DatasetFile } from './datasetReader.js';
import { type InputSet, inputLabel } from './inputs.js';
import { readLines } from './lines.js';
import type { RecordSink } from './recordSink.js';

interface Judged {
  /** Where the query was first judged. */
  readonly location: InputLocation;
  /** Score of each judged document. */
  readonly scores: Map<string, number>;
}

/**
 * Relevance judgements of the queries of one split, in TREC form (`query iteration document score`) or BEIR form
 * (`query document score`, with a header). Cells are parted by tabs where a line has one, by spaces otherwise. A
 * document is relevant when its score is above 0.
 */
export class Judgements {
  readonly #judged = new Map<string, Judged>();
  readonly #sink: RecordSink;
  readonly #found = new Set<string>();

  constructor(sink: RecordSink) {
    this.#sink = sink;
  }

  add(query: string, document: string, score: number, location: InputLocation): void {
    const judged = this.#judged.get(query) ?? { location, scores: new Map<string, number>() };
    const earlier = judged.scores.get(document);
    if (earlier !== undefined && earlier !== score) {
      const expected = `the score that query ${JSON.stringify(query)} gave document ${JSON.stringify(document)} before: ${earlier}`;
      throw new InvalidInputError({ location: { ...location, field: 'score' }, value: score, expected });
    }
    judged.scores.set(document, score);
    this.#judged.set(query, judged);
  }

  /** Hands a query on as a request with its product, if it is judged. */
  addQuery(id: string, text: string, location: InputLocation): void {
    const judged = this.#judged.get(id);
    if (judged === undefined) {
      this.#sink.passOverUnjudged();
      return;
    }
    this.#found.add(id);
    const gold = [...judged.scores].filter(([, score]) => score > 0).map(([document]) => document);
    this.#sink.addRequest({ id, text, gold }, location);
  }

  /** Reports the judged queries that never came. */
  end(): void {
    for (const [id, { location }] of this.#judged) {
      if (this.#found.has(id)) continue;
      const expected = 'the id of a query: this one is judged, and has no text';
      this.#sink.reject(
        'requestWithoutText',
        new InvalidInputError({ location: { ...location, field: 'query' }, value: id, expected }),
      );
    }
  }
}

export async function readQrels(
  files: readonly DatasetFile[],
  inputs: InputSet,
  sink: RecordSink,
): Promise<Judgements> {
  const judgements = new Judgements(sink);
  for (const { path, role } of files) {
    const label = inputLabel(path);
    let columns: number | undefined;
    await sink.takeLines(readLines(inputs.read(path, role), label), label, (text, location) => {
      const cells = splitColumns(text);
      const isHeader = location.line === 1 && cells.length === 3 && !isScore(cells[2]!);
      if (isHeader) return;
      columns ??= cells.length;
      const score = cells.at(-1)!;
      if (cells.length !== columns || (columns !== 3 && columns !== 4) || !isScore(score)) {
        const expected = 'query, document and score, or query, iteration, document and score, as in the lines before';
        throw new InvalidInputError({ location, value: text, expected });
      }
      judgements.add(cells[0]!, cells.at(-2)!, Number(score), location);
    });
  }
  return judgements;
}

/** The cells of a line: parted by tabs if it has any, by runs of spaces otherwise. */
export function splitColumns(line: string): string[] {
  return line.includes('\t') ? line.split('\t') : line.trim().split(/ +/);
}

function isScore(text: string): boolean {
  return /^[+-]?\d+(?:\.\d+)?$/.test(text);
}
