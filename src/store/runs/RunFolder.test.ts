import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeFolderLock } from '../folderLock.js';
import { temporaryFolder } from '../workspace/testing/workspaceForTest.js';
import { RunFolder } from './RunFolder.js';

const runId = '0123456789abcdef';

describe('RunFolder.open', () => {
  it('refuses a folder that another writer has, naming it, and leaves what is there', async () => {
    const folder = path.join(temporaryFolder(), 'run');
    const partial = path.join(folder, '.partial');
    mkdirSync(partial, { recursive: true });
    const giveBack = await takeFolderLock(folder, { place: partial });
    writeFileSync(path.join(partial, 'run-id'), runId);
    for (const force of [false, true]) {
      await expect(RunFolder.open({ folder, runId, force })).rejects.toThrow(
        `${folder} is being written by process ${process.pid}`,
      );
    }
    expect(readFileSync(path.join(partial, 'run-id'), 'utf8')).toBe(runId);
    giveBack();
    await RunFolder.open({ folder, runId });
  });

  it('takes up an unfinished run of this process, and gives the folder back when it is finished', async () => {
    const folder = path.join(temporaryFolder(), 'run');
    await RunFolder.open({ folder, runId });
    const run = await RunFolder.open({ folder, runId });
    await run.finish('{}');
    expect(readdirSync(folder)).toEqual(['manifest.json']);
    await expect(RunFolder.open({ folder, runId: 'f'.repeat(16) })).rejects.toThrow(/--force to replace this run/);
    expect(readdirSync(folder)).toEqual(['manifest.json']);
    const next = await RunFolder.open({ folder, runId: 'f'.repeat(16), force: true });
    expect(readdirSync(folder)).toEqual(['.partial']);
    await next.finish('{}');
  });

  it('refuses a folder of other files, and writes nothing there', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'notes.txt'), 'x');
    await expect(RunFolder.open({ folder, runId, force: true })).rejects.toThrow(/it holds other files/);
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });
});
