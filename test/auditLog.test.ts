import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { auditFiles, day, temporaryDirectory } from '../src/audit/external/testing/logs.js';
import { runForTest } from '../src/cli/testing/runForTest.js';
import { jsonLines } from '../src/corpus/testing/temporaryFiles.js';

const data = fileURLToPath(new URL('../../shared/data/stackexchange/', import.meta.url));
const present = existsSync(data);
if (!present) console.log(`note: ${data} is absent; the audit of real data is skipped`);

interface Post {
  id: number;
  created: string;
  parent: number | null;
}
interface Question {
  site: string;
  qid: number;
  asked: string;
  answers: { id: number; created: string }[];
}

function recordsOf<T>(name: string): T[] {
  const lines = gunzipSync(readFileSync(`${data}${name}`))
    .toString('utf8')
    .split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as T);
}

function directoryForTest() {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  return directory;
}

describe.runIf(present)('the audit of a question log', () => {
  const site = 'beer_2017';
  const posts = present ? recordsOf<Post>(`${site}.posts.jsonl.gz`) : [];
  const questions = present ? recordsOf<Question>('replay.jsonl.gz').filter((question) => question.site === site) : [];
  const fields = { eventId: 'id', observedAt: 'created', dependsOn: 'parent', askedAt: 'asked' };
  const time = (text: string) => Date.parse(`${text}Z`);

  it('finds that a question answered with its own answers used what came later, as counted without it', async () => {
    const file = directoryForTest().write('questions.jsonl', jsonLines(...questions));
    const reading = { fields: { ...fields, answerId: 'qid', used: 'answers.id' }, instants: { zone: 'UTC' } };
    const audit = await auditFiles([`${data}${site}.posts.jsonl.gz`], [file], { reading });
    const entries = questions.flatMap(({ asked, answers }) => answers.map((answer) => ({ asked, ...answer })));
    const later = entries.filter(({ asked, created }) => time(created) >= time(asked));
    expect(questions.length).toBeGreaterThan(100);
    expect(audit.totals.answers).toBe(questions.length);
    expect(audit.totals.entries).toMatchObject({ used: entries.length, offending: later.length, unverifiable: 0 });
    expect(audit.events).toMatchObject({ records: posts.length, distinct: posts.length });
    expect(audit.status).toBe('violation');
  });

  it('passes the same questions answered with the newest posts before them, and not those at the instant', async () => {
    const inOrder = posts.toSorted((a, b) => time(a.created) - time(b.created));
    const memoryOf = (asked: string, isEarlier: (post: Post) => boolean) =>
      inOrder
        .filter((post) => time(post.created) <= time(asked) && isEarlier(post))
        .slice(-8)
        .map((post) => post.id);
    const answersWith = (strict: boolean) =>
      questions.map(({ qid, asked }) => {
        const used = memoryOf(asked, (post) => !strict || time(post.created) < time(asked));
        return { qid, asked, used };
      });
    const reading = { fields: { ...fields, answerId: 'qid' }, instants: { zone: 'UTC' } };
    const directory = directoryForTest();
    const files = [true, false].map((strict) => directory.write(`${strict}.jsonl`, jsonLines(...answersWith(strict))));
    const events = [`${data}${site}.posts.jsonl.gz`];
    const strict = await auditFiles(events, [files[0]!], { reading });
    expect(strict.status).toBe('pass');
    const loose = await auditFiles(events, [files[1]!], { reading });
    expect(loose.status).toBe('violation');
    // A question is a post of its own instant.
    expect(loose.totals.entries.sameInstant).toBe(loose.totals.entries.offending);
    expect(loose.totals.violation).toBe(questions.length);
  });
});

describe('the example', () => {
  const folder = fileURLToPath(new URL('../examples/audit-log/', import.meta.url));

  it('shows a later ancestor, an event at the instant of the answer, an answer without entries, and a missing time', async () => {
    const audit = await auditFiles([`${folder}events.jsonl`], [`${folder}answers.jsonl`]);
    expect(audit.findings.map(({ id, status }) => [id, status])).toEqual([
      ['q2', 'violation'],
      ['q3', 'violation'],
      ['q5', 'unverifiable'],
    ]);
    expect(audit.findings[0]?.firstOffence?.path).toEqual(['summary-1', 'm3']);
    expect(audit.totals).toMatchObject({ pass: 2, withoutEntries: 1, entries: { sameInstant: 1 } });
  });

  it('runs in CI with options that the command has', async () => {
    const workflow = parse(readFileSync(`${folder}github-actions.yml`, 'utf8'));
    const steps: { run?: string }[] = workflow.jobs.audit.steps;
    const line = steps.find(({ run }) => run?.startsWith('asof '))?.run ?? '';
    const help = (await runForTest(['audit-log', '--help'])).stdout;
    const options = line.match(/--[a-z-]+/g) ?? [];
    expect(options).toContain('--strict');
    for (const option of options) expect(help).toContain(`${option} `);
  });
});

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const command = [process.execPath, '--import', 'tsx', main, 'audit-log'];

describe('asof audit-log as a process', () => {
  it('names the line at which its input was cut off when the process before it in the pipe dies', async () => {
    const directory = directoryForTest();
    const answers = directory.write('answers.jsonl', jsonLines({ id: 'q', askedAt: day(5), used: ['a'] }));
    const child = spawn(command[0]!, [...command.slice(1), '--events', '-', '--answers', answers]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    child.stdin.end(`${jsonLines({ id: 'a', observedAt: day(1) })}{"id": "b", "observ`);
    expect(await ended).toBe(2);
    expect(stderr).toMatch(/^asof: stdin:2: got .*, expected a JSON object/);
  });

  it.skipIf(process.platform === 'win32')('ends quietly when its reader has seen enough', () => {
    const directory = directoryForTest();
    const events = directory.write('events.jsonl', jsonLines({ id: 'a', observedAt: day(1) }));
    const many = Array.from({ length: 5000 }, (_, index) => ({ id: `q${index}`, askedAt: day(1), used: ['a'] }));
    const answers = directory.write('answers.jsonl', jsonLines(...many));
    const words = [...command, '--events', events, '--answers', answers, '--json', '--keep', '5000'];
    const line = `${words.map((word) => `'${word}'`).join(' ')} | head -n 1`;
    const { stdout, stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
    expect(stdout).toBe('{\n');
    expect(stderr).not.toContain('EPIPE');
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
