import { describe, expect, it } from 'vitest';
import { NonFiniteScoreError } from '../errors/NonFiniteScoreError.js';
import { newRankedBlock } from '../retrieval/ranking.js';
import { formatTrecQrels, formatTrecRun, type TieRule, type TrecRun } from './trecFiles.js';

function runOf(...lists: [row: number, score: number][][]): TrecRun {
  const block = newRankedBlock(lists.length, 4);
  for (const [query, list] of lists.entries()) {
    block.lengths[query] = list.length;
    block.rows.set(
      list.map(([row]) => row),
      query * 4,
    );
    block.scores.set(
      list.map(([, score]) => score),
      query * 4,
    );
  }
  return { queryIds: lists.map((_, query) => `q${query}`), lists: block, assetIds: ['a', 'b', 'c\uffee', 'c😀'] };
}

const write = (run: TrecRun, tieRule: TieRule) => [...formatTrecRun(run, { tag: 'asof', tieRule })].join('');

describe('TREC run', () => {
  it('keeps the ranking and numbers it from 1; an empty list writes no line', () => {
    const run = runOf(
      [
        [1, 2.5],
        [0, 0.1],
      ],
      [],
      [[0, 1e-7]],
    );
    expect(write(run, 'asof')).toBe('q0 Q0 b 1 2.5 asof\nq0 Q0 a 2 0.1 asof\nq2 Q0 a 1 1e-7 asof\n');
  });

  it('orders equal scores as ranked, or as trec_eval does: by id descending (case 21)', () => {
    const run = runOf([
      [0, 1],
      [1, 1],
    ]);
    expect(write(run, 'asof')).toBe('q0 Q0 a 1 1 asof\nq0 Q0 b 2 1 asof\n');
    expect(write(run, 'trec_eval')).toBe('q0 Q0 b 1 1 asof\nq0 Q0 a 2 1 asof\n');
  });

  it('under trec_eval, scores that differ by less than a 32-bit float shows are equal and written equal (case 21)', () => {
    const run = runOf([
      [0, 1 + 1e-9],
      [1, 1],
    ]);
    expect(write(run, 'asof')).toBe('q0 Q0 a 1 1.000000001 asof\nq0 Q0 b 2 1 asof\n');
    expect(write(run, 'trec_eval')).toBe('q0 Q0 b 1 1 asof\nq0 Q0 a 2 1 asof\n');
  });

  it('under trec_eval, ids compare by bytes, not by code units', () => {
    const run = runOf([
      [2, 1],
      [3, 1],
    ]);
    expect('c\uffee' > 'c😀').toBe(true);
    expect(write(run, 'trec_eval')).toBe('q0 Q0 c😀 1 1 asof\nq0 Q0 c\uffee 2 1 asof\n');
  });

  it('refuses what the format cannot carry: white space in an id or tag, an empty tag, a score that is not finite', () => {
    const run = runOf([[0, 1]]);
    expect(() => write({ ...run, queryIds: ['q 0'] }, 'asof')).toThrow('queryIds[0]: got "q 0"');
    expect(() => write({ ...run, assetIds: ['a\u00a0b'] }, 'asof')).toThrow('assetIds[0]');
    expect(() => [...formatTrecRun(run, { tag: '', tieRule: 'asof' })]).toThrow('tag');
    expect(() => write(runOf([[0, Number.NaN]]), 'asof')).toThrow(NonFiniteScoreError);
    expect(() => write(runOf([[0, 1e300]]), 'trec_eval')).toThrow(NonFiniteScoreError);
  });
});

describe('TREC qrels', () => {
  const qrels = {
    queryIds: ['q0', 'q1', 'q2'],
    products: { offsets: Uint32Array.of(0, 2, 2, 3), rows: Uint32Array.of(0, 1, 1) },
    assetIds: ['a', 'b'],
  };

  it('writes a line for each label, grade 1 unless given', () => {
    expect([...formatTrecQrels(qrels)].join('')).toBe('q0 0 a 1\nq0 0 b 1\nq2 0 b 1\n');
    expect([...formatTrecQrels({ ...qrels, grades: [1, 3, 2] })].join('')).toBe('q0 0 a 1\nq0 0 b 3\nq2 0 b 2\n');
  });

  it('refuses a grade that is not a positive integer', () => {
    for (const grade of [0, 1.5, Number.NaN]) {
      expect(() => [...formatTrecQrels({ ...qrels, grades: [1, grade, 1] })]).toThrow('grades[1]');
    }
  });
});
