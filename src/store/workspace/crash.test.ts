import { once } from 'node:events';
import { readdirSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../corpus/testing/temporaryFiles.js';
import { FolderLockedError } from '../../errors/FolderLockedError.js';
import { RandomSource } from '../../random/RandomSource.js';
import { initWorkspace } from './initWorkspace.js';
import { inWorkspace } from './layout.js';
import { openWorkspace } from './openWorkspace.js';
import { buildWriterChild, startChild } from './testing/childProcess.js';
import { temporaryFolder } from './testing/workspaceForTest.js';

const recordsOfFile = 600;
const kills = 50;

describe('a writer that is killed', () => {
  it('leaves the state before or after its file, at whatever moment of an ingest it dies', async () => {
    const script = await buildWriterChild();
    const folder = temporaryFolder();
    const workspace = path.join(folder, 'workspace');
    await initWorkspace(workspace);
    const random = new RandomSource(7, 'kills');
    const fileOf = (index: number): string => {
      const file = path.join(folder, `${index}.jsonl`);
      const records = Array.from({ length: recordsOfFile }, (_, i) => ({
        // Half of the ids are those of the file before: new versions.
        id: `asset ${index * (recordsOfFile / 2) + i}`,
        text: `file ${index}, record ${i}: ${'text '.repeat(30)}`,
      }));
      writeFileSync(file, jsonLines(...records));
      return file;
    };

    let next = startChild(script, 'ingest', workspace);
    let committed = 0;
    let before = { size: 0, root: '' };
    const outcomes = { killedBefore: 0, killedAfter: 0, done: 0 };
    let duration = 300;
    for (let run = 0; outcomes.killedBefore + outcomes.killedAfter < kills; run++) {
      const child = await next;
      const ended = once(child, 'exit');
      const kill = (within: number) => setTimeout(() => child.kill('SIGKILL'), random.unit() * within);
      // Every other kill waits for the first sign of a segment, so that many fall on the steps of the commit.
      const isEarly = run % 2 === 0;
      const segments = watch(inWorkspace(workspace, 'segments'), () => {
        segments.close();
        if (!isEarly) kill(duration / 2);
      });
      child.stdin!.write(`${fileOf(committed)}\n`);
      if (isEarly) kill(duration);
      const [, signal] = await ended;
      segments.close();
      next = startChild(script, 'ingest', workspace);

      const reader = await openWorkspace(workspace, { readOnly: true });
      await reader.verify();
      const { log } = reader;
      const isAfter = log.size === before.size + recordsOfFile;
      if (!isAfter && committed > 0) expect(log).toEqual(before);
      else if (!isAfter) expect(log.size).toBe(0);
      const rows = (await reader.segments()).reduce((sum, { size }) => sum + size, 0);
      expect(rows).toBe(log.size);
      await reader.close();
      if (signal === null) expect(isAfter).toBe(true);
      outcomes[signal === null ? 'done' : isAfter ? 'killedAfter' : 'killedBefore']++;
      // How long a run takes depends on the machine: kills are spread so that some come late enough.
      duration *= isAfter ? 0.85 : 1.1;
      if (isAfter) {
        committed++;
        before = log;
      }
    }
    (await next).kill('SIGKILL');
    expect(committed).toBeGreaterThan(0);
    expect(outcomes.killedBefore).toBeGreaterThan(0);

    // The next writer sweeps what the dead ones left, and running all again adds nothing twice.
    const writer = await openWorkspace(workspace);
    const needed = new Set([...writer.state.segments.map(({ id }) => String(id))]);
    expect(new Set(readdirSync(inWorkspace(workspace, 'segments')))).toEqual(needed);
    expect(readdirSync(inWorkspace(workspace, 'staging'))).toEqual([]);
    for (let index = 0; index < committed; index++) await writer.ingest([fileOf(index)], { now: 1_000 });
    expect(writer.log.size).toBe(before.size);
    await writer.close();
    console.log(`${kills} kills: ${JSON.stringify(outcomes)}`);
  }, 240_000);

  it('gives its lock back, which no other writer could have until then, while readers could read', async () => {
    const script = await buildWriterChild();
    const workspace = path.join(temporaryFolder(), 'workspace');
    await initWorkspace(workspace);
    const holder = await startChild(script, 'hold', workspace);
    const refused = await openWorkspace(workspace).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FolderLockedError);
    expect((refused as FolderLockedError).pid).toBe(holder.pid);
    expect((refused as FolderLockedError).message).toContain(`is being written by process ${holder.pid} on `);
    const reader = await openWorkspace(workspace, { readOnly: true });
    expect(reader.log.size).toBe(0);
    await reader.close();
    const gone = once(holder, 'exit');
    holder.kill('SIGKILL');
    await gone;
    await (await openWorkspace(workspace)).close();
  }, 60_000);
});
