import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TaskProcess } from './TaskProcess.js';

/** Doubles a number, after a while; let go, it lives on for a while. */
const child = `
process.on('message', ({ number, wait = 0, leave = false }) => {
  if (leave) process.disconnect();
  else setTimeout(() => process.send({ result: 2 * number }), wait);
});
process.on('disconnect', () => setTimeout(() => process.exit(), 150));
`;

interface Question {
  readonly number?: unknown;
  readonly wait?: number;
  readonly leave?: boolean;
}

describe('a process that is asked one thing at a time', { timeout: 30_000 }, () => {
  let folder: string;
  const children: ChildProcess[] = [];
  let tasks: TaskProcess<Question, number>;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'asof-tasks-'));
    writeFileSync(path.join(folder, 'child.cjs'), child);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(async () => {
    await tasks.close();
    for (const each of children.splice(0)) each.kill('SIGKILL');
  });
  const begin = (file = 'child.cjs') => {
    tasks = new TaskProcess(() => {
      const started = fork(path.join(folder, file), { serialization: 'advanced', stdio: 'inherit' });
      children.push(started);
      return started;
    });
  };
  const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

  it('is the same one for each, and another one after it ended', async () => {
    begin();
    expect(tasks.pid).toBeUndefined();
    expect(await tasks.ask({ number: 1 })).toEqual({ result: 2 });
    expect(await tasks.ask({ number: 2 })).toEqual({ result: 4 });
    const { pid } = tasks;
    const killed = tasks.ask({ number: 3, wait: 10_000 });
    children[0]!.kill('SIGKILL');
    await expect(killed).rejects.toThrow(/ended before its answer, by SIGKILL/);
    expect(tasks.pid).toBeUndefined();
    expect(await tasks.ask({ number: 4 })).toEqual({ result: 8 });
    expect(tasks.pid).not.toBe(pid);
  });

  it('is not forgotten for an error that it outlives: its answer comes, and close waits for it', async () => {
    begin();
    const answer = tasks.ask({ number: 1, wait: 100 });
    children[0]!.emit('error', new Error('kill EPERM'));
    expect(await answer).toEqual({ result: 2 });
    expect(await tasks.ask({ number: 2 })).toEqual({ result: 4 });
    expect(children).toHaveLength(1);
    children[0]!.emit('error', new Error('kill EPERM'));
    await tasks.close();
    expect(hasEnded(children[0]!)).toBe(true);
  });

  it('is followed by another one only when it has ended, where it hears nothing any more', async () => {
    begin();
    await expect(tasks.ask({ leave: true })).rejects.toThrow(/ended before its answer/);
    await tasks.ask({ number: 1 });
    const [, second] = children as [ChildProcess, ChildProcess];
    second.disconnect();
    expect(await tasks.ask({ number: 2 })).toEqual({ result: 4 });
    expect(hasEnded(second)).toBe(true);
    children[2]!.disconnect();
    await tasks.close();
    expect(children.map(hasEnded)).toEqual([true, true, true]);
  });

  it('is asked further, and hears of nothing before, after a request that cannot be sent', async () => {
    begin();
    await tasks.ask({ number: 1 });
    const listeners = () => ['message', 'exit', 'error'].map((name) => children[0]!.listenerCount(name));
    const before = listeners();
    await expect(tasks.ask({ number: () => 1 })).rejects.toThrow(/could not be cloned/);
    expect(listeners()).toEqual(before);
    expect(await tasks.ask({ number: 2 })).toEqual({ result: 4 });
    expect(children).toHaveLength(1);
  });

  it('is let go after a send that failed on its way: no later answer is taken for that of another request', async () => {
    begin();
    await tasks.ask({ number: 1 });
    const [first] = children as [ChildProcess];
    first.send = ((_: unknown, done: (error: Error) => void) => {
      setImmediate(() => done(new Error('write EPIPE')));
      return false;
    }) as ChildProcess['send'];
    await expect(tasks.ask({ number: 2 })).rejects.toThrow(/EPIPE/);
    expect(await tasks.ask({ number: 3 })).toEqual({ result: 6 });
    expect(children.map(hasEnded)).toEqual([true, false]);
  });

  it('says why it could not be started, and is tried anew', async () => {
    let count = 0;
    tasks = new TaskProcess(() => {
      const execPath = count++ === 0 ? path.join(folder, 'none') : process.execPath;
      return fork(path.join(folder, 'child.cjs'), { execPath, serialization: 'advanced', stdio: 'inherit' });
    });
    await expect(tasks.ask({ number: 1 })).rejects.toThrow(/ENOENT/);
    expect(await tasks.ask({ number: 2 })).toEqual({ result: 4 });
  });
});
