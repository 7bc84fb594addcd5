import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonLines } from '../../corpus/testing/temporaryFiles.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import type { AnswerVerdict } from './AnswerAuditor.js';
import { auditFiles, auditRecords, day, temporaryDirectory } from './testing/logs.js';

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

const events = [
  { id: 'a', observedAt: day(1) },
  { id: 'b', observedAt: day(2), dependsOn: ['a'] },
  { id: 'c', observedAt: day(9) },
];

describe('auditLog', () => {
  it('passes logs in which every entry is earlier, and says what it read', async () => {
    const audit = await auditRecords(events, [
      { id: 'q1', askedAt: day(3), used: ['a', 'b'] },
      { id: 'q2', askedAt: day(10), used: ['c'] },
      { id: 'q3', askedAt: day(1), used: [] },
    ]);
    expect(audit.status).toBe('pass');
    expect(audit.totals).toMatchObject({ answers: 3, pass: 3, withoutEntries: 1, entries: { used: 3, offending: 0 } });
    expect(audit.totals.rates).toEqual({ mean: 0, pooled: 0, meanUpper: 0, pooledUpper: 0, highest: 0 });
    expect(audit.events).toEqual({ records: 3, distinct: 3, untimed: 0, repeated: 0, dependencies: 1 });
    expect(audit.inputs.map(({ role, path }) => [role, path === '-'])).toEqual([
      ['events', true],
      ['answers', false],
    ]);
    expect(audit.inputs[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(audit.findings).toEqual([]);
    expect(audit.faults).toEqual([]);
  });

  it('averages the rate over answers and pools it over entries', async () => {
    const audit = await auditRecords(events, [
      { id: 'q1', askedAt: day(5), used: ['a', 'b', 'c'] },
      { id: 'q2', askedAt: day(5), used: ['c'] },
      { id: 'q3', askedAt: day(5), used: ['a'] },
      { id: 'q4', askedAt: day(5), used: [] },
    ]);
    expect(audit.status).toBe('violation');
    expect(audit.totals.rates.mean).toBeCloseTo((1 / 3 + 1 + 0 + 0) / 4, 15);
    expect(audit.totals.rates.pooled).toBe(2 / 5);
    expect(audit.totals.rates.highest).toBe(1);
    expect(audit.findings.map(({ id, line }) => [id, line])).toEqual([
      ['q1', 1],
      ['q2', 2],
    ]);
  });

  it('is partial, never a pass, where a time is missing, and bounds the rate from above', async () => {
    const audit = await auditRecords(
      [...events, { id: 'd' }],
      [
        { id: 'q1', askedAt: day(5), used: ['a', 'd'] },
        { id: 'q2', used: ['a'] },
        { id: 'q3', askedAt: day(5), used: ['a', 'b'] },
      ],
    );
    expect(audit.status).toBe('partial');
    expect(audit.gaps).toMatchObject({ untimed: 1, 'answer-untimed': 1 });
    expect(audit.totals).toMatchObject({ pass: 1, unverifiable: 2, entries: { used: 5, unverifiable: 2 } });
    expect(audit.totals.rates).toMatchObject({ mean: 0, meanUpper: (1 / 2 + 1) / 3, pooled: 0, pooledUpper: 2 / 5 });
  });

  it('names cycles, conflicting times and unknown events, and is faulty for each', async () => {
    const answer = { id: 'q', askedAt: day(5), used: ['a'] };
    const cyclic = [
      { id: 'a', observedAt: day(1), dependsOn: ['b'] },
      { id: 'b', observedAt: day(1), dependsOn: ['a'] },
    ];
    const cycle = await auditRecords(cyclic, [answer]);
    expect(cycle.status).toBe('faulty');
    expect(cycle.faults).toEqual([
      {
        kind: 'cycle',
        event: 'a',
        message: 'events depend on one another in a cycle: a → b → a',
        fileName: 'stdin',
        line: 1,
      },
    ]);
    expect(cycle.gaps.cyclic).toBe(1);

    const conflict = await auditRecords([...events, { id: 'a', observedAt: day(2) }], [answer]);
    expect(conflict.status).toBe('faulty');
    expect(conflict.faults[0]?.message).toBe(
      'event a was observed at 2024-01-01T00:00:00Z and, by this record, at 2024-01-02T00:00:00Z',
    );
    expect(conflict.faults[0]?.line).toBe(4);

    const named = await auditRecords([{ id: 'a', observedAt: day(1), dependsOn: ['lost'] }], [answer]);
    expect(named.status).toBe('faulty');
    expect(named.faults[0]).toMatchObject({ kind: 'unknown-event', event: 'lost', line: 1 });
    const last = await auditRecords([...events, { id: 'd', dependsOn: ['e', 'f'] }], [answer], { keep: 1 });
    expect(last.faults).toMatchObject([{ kind: 'unknown-event', event: 'e', line: 4 }]);
    expect(last.faultCounts.unknownEvents).toBe(2);

    const used = await auditRecords(events, [{ ...answer, used: ['a', 'stranger', 'stranger'] }]);
    expect(used.status).toBe('faulty');
    expect(used.faults[0]).toMatchObject({ kind: 'unknown-entry', event: 'stranger', line: 1 });
    expect(used.faultCounts.unknownEntries).toBe(1);
  });

  it('takes two times for one event as versions, and unknown ids as unverifiable, when asked to', async () => {
    const log = [...events, { id: 'a', observedAt: day(7) }];
    const answers = [{ id: 'q', askedAt: day(5), used: ['a'] }];
    expect((await auditRecords(log, answers, { duplicates: 'earliest' })).status).toBe('pass');
    expect((await auditRecords(log, answers, { duplicates: 'latest' })).status).toBe('violation');
    const strangers = [{ id: 'q', askedAt: day(5), used: ['x'] }];
    expect((await auditRecords(log, strangers, { unknown: 'partial', duplicates: 'earliest' })).status).toBe('partial');
  });

  it('lets a violation stand above every fault of the logs', async () => {
    const audit = await auditRecords(events, [{ id: 'q', askedAt: day(5), used: ['c', 'stranger'] }]);
    expect(audit.status).toBe('violation');
    expect(audit.faults).toHaveLength(1);
  });

  it('finds the same in CSV, gzip and JSON, in files given in any order (case 15)', async () => {
    const eventFiles = [
      directory.write('1.csv', '\ufeffid,observedAt,dependsOn\r\na,2024-01-01,\r\n'),
      directory.write('2.jsonl.gz', gzipSync(jsonLines(events[1]))),
      directory.write('3.json', JSON.stringify([events[2]], null, 2)),
    ];
    const answerFiles = [
      directory.write('answers-1.jsonl', jsonLines({ id: 'q1', askedAt: day(5), used: ['b', 'c'] })),
      directory.write('answers-2.csv.gz', gzipSync('id,askedAt,used\nq2,2024-01-05,a;c\n')),
    ];
    const audit = await auditFiles(eventFiles, answerFiles);
    expect(audit.findings.map(({ id, offending, fileName }) => [id, offending, fileName])).toEqual([
      ['q1', 1, answerFiles[0]],
      ['q2', 1, answerFiles[1]],
    ]);
    expect(await auditFiles(eventFiles.toReversed(), answerFiles.toReversed())).toEqual(audit);
  });

  it('reads events and answers out of one file', async () => {
    const file = directory.write(
      'both.jsonl',
      jsonLines({ id: 'a', observedAt: day(1), askedAt: day(1), used: [] }, { id: 'b', askedAt: day(2), used: ['a'] }),
    );
    expect((await auditFiles([file], [file])).status).toBe('pass');
  });

  it('keeps a bounded number of findings and faults, counts all, and tells each verdict in order', async () => {
    const answers = Array.from({ length: 50 }, (_, index) => ({
      id: index,
      askedAt: day(5),
      used: ['c', `x${index}`],
    }));
    const verdicts: AnswerVerdict[] = [];
    const audit = await auditRecords(events, answers, {
      keep: 3,
      onVerdict: (verdict) => {
        verdicts.push(verdict);
      },
    });
    expect(audit.findings).toHaveLength(3);
    expect(audit.faults).toHaveLength(3);
    expect(audit.totals.violation).toBe(50);
    expect(audit.faultCounts.unknownEntries).toBe(50);
    expect(verdicts.map(({ id }) => Number(id))).toEqual(answers.map(({ id }) => id));
  });

  it('refuses answers that are not there, and takes an event log that is empty for what it is', async () => {
    const empty = directory.write('empty.jsonl', '');
    const answers = directory.write('answers.jsonl', jsonLines({ id: 'q', askedAt: day(5), used: [] }));
    await expect(auditFiles([empty], [empty])).rejects.toThrow(InvalidInputError);
    await expect(auditFiles([empty], [empty])).rejects.toThrow('at least one answer');
    expect((await auditFiles([empty], [answers])).status).toBe('pass');
    const using = directory.write('using.jsonl', jsonLines({ id: 'q', askedAt: day(5), used: ['a'] }));
    expect((await auditFiles([empty], [using])).status).toBe('faulty');
  });

  it('names file and line of a record that was cut off, as by a pipe that broke', async () => {
    const whole = jsonLines(...events);
    const cut = directory.write('cut.jsonl', whole.slice(0, -20));
    await expect(auditFiles([cut], [cut])).rejects.toThrow(`${cut}:3: `);
    const cutGzip = directory.write('cut.jsonl.gz', gzipSync(whole).subarray(0, -10));
    await expect(auditFiles([cutGzip], [cutGzip])).rejects.toThrow('undamaged gzip');
  });

  it('takes an id and a line of some length, and refuses an id beyond all measure with its line', async () => {
    const long = 'x'.repeat(60_000);
    const padding = 'y'.repeat(2_000_000);
    const file = directory.write('long.jsonl', jsonLines({ id: long, observedAt: day(1), padding }));
    const answers = directory.write('answers.jsonl', jsonLines({ id: 'q', askedAt: day(5), used: [long] }));
    expect((await auditFiles([file], [answers])).status).toBe('pass');
    const endless = directory.write('endless.jsonl', jsonLines({ id: 'a' }, { id: `${long}${long}` }));
    await expect(auditFiles([endless], [answers])).rejects.toThrow(`${endless}:2: id: got "xxx`);
  });
});
