import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { day, temporaryDirectory } from '../audit/external/testing/logs.js';
import { jsonLines } from '../corpus/testing/temporaryFiles.js';
import { runForTest } from './testing/runForTest.js';

const events = [
  { id: 'a', observedAt: day(1), dependsOn: ['late'] },
  { id: 'b', observedAt: day(2) },
  { id: 'late', observedAt: day(9) },
  { id: 'untimed' },
];

let directory: ReturnType<typeof temporaryDirectory>;
let eventFile: string;
beforeEach(() => {
  directory = temporaryDirectory();
  onTestFinished(directory.remove);
  eventFile = directory.write('events.jsonl', jsonLines(...events));
});

/** `asof audit-log` over the events above and these answers. */
function auditLog(answers: readonly unknown[], ...words: string[]) {
  const file = directory.write('answers.jsonl', jsonLines(...answers));
  return runForTest(['audit-log', '--events', eventFile, '--answers', file, ...words]);
}

const passing = { id: 'q2', askedAt: day(3), used: ['b'] };
const later = { id: 'q1', askedAt: day(3), used: ['b', 'a'] };
const same = { id: 'q3', askedAt: day(2), used: ['b'] };
const partial = { id: 'q4', askedAt: day(3), used: ['untimed'] };
const stranger = { id: 'q5', askedAt: day(3), used: ['x'] };

describe('asof audit-log', () => {
  it('ends with 0 when all pass, and says so in a word', async () => {
    const { exitCode, stdout, stderr } = await auditLog([passing]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^PASS {2}Every used entry/);
  });

  it('ends with 3 at a violation: the result first, then the rates with bounds, then the answers and why', async () => {
    const { exitCode, stdout, stderr } = await auditLog([later, passing, same, partial, { id: 'q6', used: ['b'] }]);
    expect(exitCode).toBe(3);
    expect(stderr).toBe('asof: 2 of 5 answers used something that was not observed strictly before\n');
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^VIOLATION {2}Answers used something/);
    expect(lines.slice(2, 12)).toEqual([
      'answers       5: 1 pass, 2 violation, 2 unverifiable; 0 used nothing',
      'used entries  6: 2 not observed strictly before (1 at the very instant), 2 unverifiable',
      'TVR           mean 0.3 (at most 0.7), pooled 0.3333 (at most 0.6667), highest 1',
      'clock skew    0s tolerated; 0 entries pass by it alone',
      'events        4: 1 without time, 0 records repeated, 1 dependencies',
      'rules         two times for one event: fault; ids without a record: fault',
      'unverifiable  1 untimed, 1 answer-untimed',
      '',
      'answer  asked at              used  later  TVR  first finding',
      'q1      2024-01-03T00:00:00Z     2      1  0.5  event late was observed 6d after the answer was asked for, at 2024-01-09T00:00:00Z, by way of a → late',
    ]);
    expect(stdout).toContain('event b was observed at the very instant at which the answer was asked for');
    expect(stdout).toContain('event untimed has no observation time');
    expect(stdout).toContain('the answer has no time to compare event b with');
  });

  it('ends with 0 and a notice when it is partial, and with 3 under --strict', async () => {
    const loose = await auditLog([passing, partial]);
    expect(loose).toMatchObject({
      exitCode: 0,
      stderr: 'partial audit: 1 of 2 answers could not be checked in full\n',
    });
    expect(loose.stdout).toMatch(/^PARTIAL {2}/);
    const strict = await auditLog([passing, partial], '--strict');
    expect(strict.exitCode).toBe(3);
    expect(strict.stderr).toBe('asof: 1 of 2 answers could not be checked in full (--strict)\n');
  });

  it('ends with 2 when the logs contradict themselves or are incomplete, and lists why with places', async () => {
    const answers = Array.from({ length: 30 }, (_, index) => ({ ...stranger, id: index, used: [`x${index}`] }));
    const { exitCode, stdout, stderr } = await auditLog(answers);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^asof: No violation was found, but the logs contradict themselves or are incomplete/);
    expect(stdout).toMatch(/^FAULTY {2}/);
    expect(stdout).toContain('and 10 more answers (--json, --per-answer)');
    expect(stdout).toContain('faults of the logs: 30 used entries that no event record describes\n');
    expect(stdout).toMatch(/answers\.jsonl:1: answer 0 used event x0, which no record describes/);
    expect((await auditLog([stranger], '--unknown', 'partial')).exitCode).toBe(0);
    expect((await auditLog([stranger, later])).exitCode).toBe(3);
  });

  it('tolerates a clock skew when told to, and says so', async () => {
    const { exitCode, stdout } = await auditLog([same], '--clock-skew', '2s');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('clock skew    2s tolerated; 1 entries pass by it alone\n');
  });

  it('prints JSON, JUnit and SARIF, with the same exit codes', async () => {
    const json = await auditLog([later], '--json');
    expect(json.exitCode).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({ format: 'asof-log-audit/1', status: 'violation' });
    const junit = await auditLog([later, partial], '--format', 'junit', '--strict');
    expect(junit.stdout).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites .* failures="2"/);
    const sarif = await auditLog([later], '--format', 'sarif');
    expect(JSON.parse(sarif.stdout).runs[0].results[0].ruleId).toBe('later-event');
  });

  it('writes the verdict on every answer, or no file at all', async () => {
    const file = join(directory.path, 'verdicts.jsonl');
    await auditLog([passing, later], '--per-answer', file);
    const verdicts = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(verdicts.map((line) => JSON.parse(line).tvr)).toEqual([0, 0.5]);
    const other = join(directory.path, 'other.jsonl');
    const again = await auditLog([passing], '--per-answer', file);
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--force to replace it') });
    await auditLog([passing, later], '--per-answer', file, '--force');
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
    expect((await auditLog([passing, { id: 'q' }], '--per-answer', other)).exitCode).toBe(2);
    expect(existsSync(other)).toBe(false);
  });

  it('reads other names of fields, other times, other formats, and standard input', async () => {
    const csv = directory.write('answers.csv', '\ufeffq,ts,"ids"\r\nq1,1704240000,"b|b"\r\n');
    const words = [
      '--events',
      '-',
      '--answers',
      csv,
      '--map',
      'answer.id=q',
      '--map',
      'askedAt=ts',
      '--map',
      'used=ids',
    ];
    const stdin = jsonLines({ id: 'b', observedAt: 1704153600 });
    const { exitCode, stdout } = await runForTest(
      ['audit-log', ...words, '--epoch', 's', '--list-separator', '|', '--json'],
      { stdin },
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'pass', entries: { used: 1, repeated: 1 } });

    const run = directory.write('run.txt', 'topic Q0 b 1 2.5 mine\n');
    const snapshot = ['--events', eventFile, '--answers', run, '--answers-preset', 'longeval', '--unknown', 'partial'];
    expect((await runForTest(['audit-log', ...snapshot, '--asked-at', '2024-01-03'])).exitCode).toBe(0);
    expect((await runForTest(['audit-log', ...snapshot, '--asked-at', '2024-01-01'])).exitCode).toBe(3);
  });

  it('tells people at a terminal how far it is, on stderr, and clears the line', async () => {
    const file = directory.write('answers.jsonl', jsonLines(passing));
    const words = ['audit-log', '--events', eventFile, '--answers', file];
    const { stdout, stderr } = await runForTest(words, { isTTY: true, environment: { NO_COLOR: '1' } });
    expect(stderr).toBe('\r\u001b[K4 events read\r\u001b[K1 answers read\r\u001b[K');
    expect(stdout).toMatch(/^PASS/);
  });

  it('lets nothing out of a log steer the terminal', async () => {
    const id = '\u001b[2J\u0007\u202e\u009b1mq\nVIOLATION';
    const { stdout, stderr } = await auditLog([{ id, askedAt: day(1), used: [`${id}\u2028`] }]);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
    expect(stdout).toContain('\\u{1b}[2J\\u{7}\\u{202e}');
    expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it.each([
    [['--map', 'used'], '--map: got "used", expected field=path, the field one of id, event.id'],
    [['--map', 'who=x'], '--map: got "who=x"'],
    [['--map', 'toString=x'], '--map: got "toString=x"'],
    [['--clock-skew', '2'], '--clock-skew: got "2", expected a unit after the number'],
    [['--clock-skew', '-2s'], '--clock-skew'],
    [['--asked-at', 'yesterday'], '--asked-at: got "yesterday"'],
    [['--keep', '-1'], '--keep'],
    [['--list-separator', ''], '--list-separator: got ""'],
    [['--zone', 'Mars/Olympus'], 'zone'],
    [['--preset', 'xml'], "'xml' is invalid"],
  ])('answers %j with a message that names the option, and 2', async (words, message) => {
    const { exitCode, stdout, stderr } = await auditLog([passing], ...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('answers files that are not there, are empty, or hold something else with 2', async () => {
    const missing = await runForTest(['audit-log', '--events', join(directory.path, 'no'), '--answers', eventFile]);
    expect(missing).toMatchObject({ exitCode: 2, stdout: '' });
    const empty = directory.write('empty.jsonl', '');
    const nothing = await runForTest(['audit-log', '--events', empty, '--answers', empty]);
    expect(nothing.exitCode).toBe(2);
    expect(nothing.stderr).toContain('at least one answer');
    const twice = await runForTest(['audit-log', '--events', '-', '--answers', '-'], { stdin: jsonLines(...events) });
    expect(twice.exitCode).toBe(2);
    expect(twice.stderr).toContain('standard input for one file only');
  });
});
