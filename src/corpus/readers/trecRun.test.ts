import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeTemporaryFiles } from '../testing/temporaryFiles.js';
import { InputSet } from './inputs.js';
import { readTrecRun } from './trecRun.js';

const readRun = (content: string) => readTrecRun(join(writeTemporaryFiles({ run: content }), 'run'), new InputSet());

describe('readTrecRun', () => {
  it('keeps rankings in the order of the file, with spaces or tabs', async () => {
    const run = await readRun('q2 Q0 d1 0 1.5 me\nq1\tQ0\td1\t1\t-2e-3\tme\nq2 Q0  d3 1 9 me\n\n');
    expect(run.tag).toBe('me');
    expect([...run.rankings.keys()]).toEqual(['q2', 'q1']);
    expect(run.rankings.get('q2')).toEqual({ documents: ['d1', 'd3'], scores: Float64Array.of(1.5, 9) });
    expect(run.rankings.get('q1')).toEqual({ documents: ['d1'], scores: Float64Array.of(-0.002) });
  });

  it('reads an empty run', async () => {
    expect(await readRun('')).toEqual({ tag: undefined, rankings: new Map() });
  });

  it.each([
    ['q1 Q0 d1 1 0.5', /run:2: got .*six columns/],
    ['q1 Q0 d1 1 NaN me', /run:2: score: got "NaN"/],
    ['q1 Q0 d1 1 Infinity me', /run:2: score: got "Infinity"/],
    ['q1 Q0 d1 1 1e999 me', /run:2: score: got "1e999"/],
    ['q1 Q0 d1 first 1 me', /run:2: rank: got "first"/],
    ['q0 Q0 d0 2 1 me', /run:2: document: got "d0", expected each document once for query q0/],
    ['q1 Q0 d1 1 1 you', /run:2: tag: got "you", expected one tag in a file: me/],
  ])('refuses %j', async (line, message) => {
    await expect(readRun(`q0 Q0 d0 1 1 me\n${line}\n`)).rejects.toThrow(message);
  });
});
