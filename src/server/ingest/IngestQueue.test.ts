import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initWorkspace } from '../../store/workspace/initWorkspace.js';
import { inWorkspace, workspaceLayout } from '../../store/workspace/layout.js';
import { openWorkspace } from '../../store/workspace/openWorkspace.js';
import { IngestQueue } from './IngestQueue.js';

const now = () => Date.parse('2024-02-01T00:00:00Z');

describe('ingests in a process of their own', { timeout: 60_000 }, () => {
  let folder: string;
  let workspace: string;
  let queue: IngestQueue;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'asof-queue-'));
    workspace = path.join(folder, 'workspace');
    await initWorkspace(workspace);
    queue = new IngestQueue(workspace, 4);
  });
  afterAll(async () => {
    await queue.close();
    await rm(folder, { recursive: true });
  });
  const ingest = (ids: readonly string[]) => {
    const file = path.join(folder, `${ids[0]}.jsonl`);
    const at = '2024-01-01T00:00:00Z';
    writeFileSync(
      file,
      ids.map((id) => `${JSON.stringify({ id, text: id, eventAt: at, availableAt: at })}\n`).join(''),
    );
    return queue.ingest({ file, now, mapping: undefined, onError: 'stop', backfill: true });
  };

  it('leave the log as it was, and let others write, when their process is killed; the next one is started', async () => {
    await ingest(['first']);
    const { pid } = queue;
    const killed = ingest(Array.from({ length: 5000 }, (_, i) => `a${i}`));
    const staging = inWorkspace(workspace, workspaceLayout.staging);
    while ((await readdir(staging).catch(() => [])).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    // The lock is between processes, and this is another one.
    await expect(openWorkspace(workspace)).rejects.toMatchObject({ code: 'ASOF_FOLDER_LOCKED' });
    process.kill(pid!, 'SIGKILL');
    await expect(killed).rejects.toThrow(/ended before its answer, by SIGKILL/);
    const after = await openWorkspace(workspace);
    expect(after.log.size).toBe(1);
    await after.close();
    const { report, log } = await ingest(['second']);
    expect([report.added, log.size]).toEqual([1, 2]);
    expect(queue.pid).not.toBe(pid);
  });

  it('are refused when as many wait as may, behind the one at work', () => {
    const counts: number[] = [];
    const small = new IngestQueue(workspace, 2, (places) => counts.push(places));
    const leave = small.enter();
    small.enter();
    small.enter();
    expect(() => small.enter()).toThrow('an ingest is at work, and 2 more in the queue: ask again later');
    leave();
    small.enter();
    expect(counts).toEqual([1, 2, 3, 2, 3]);
  });

  it('are refused with the error of the process that writes: its code, its place, its words', async () => {
    const writer = await openWorkspace(workspace);
    await expect(ingest(['a'])).rejects.toMatchObject({ code: 'ASOF_FOLDER_LOCKED', exitCode: 2 });
    await writer.close();
    const file = path.join(folder, 'faulty.jsonl');
    await writeFile(file, '{"id": "a"}\n');
    const faulty = queue.ingest({ file, now, mapping: undefined, onError: 'stop', backfill: false });
    await expect(faulty).rejects.toMatchObject({ code: 'ASOF_INVALID_INPUT', location: { file: 'stdin', line: 1 } });
  });

  it('end with the queue, after what was asked for', async () => {
    const asked = ingest(['third']);
    await queue.close();
    expect((await asked).log.size).toBe(3);
    expect(queue.pid).toBeUndefined();
  });
});
