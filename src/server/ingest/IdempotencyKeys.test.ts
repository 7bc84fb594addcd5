import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../commitment/sha256.js';
import { inWorkspace, workspaceLayout } from '../../store/workspace/layout.js';
import { millisecondsPerDay } from '../../time/instant.js';
import { IdempotencyKeys } from './IdempotencyKeys.js';

describe('answers to requests with a key', () => {
  let workspace: string;
  let now: number;
  beforeEach(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'asof-keys-'));
    now = Date.parse('2024-02-01T00:00:00Z');
  });
  afterEach(() => rmSync(workspace, { recursive: true }));
  const kept = () => readdirSync(inWorkspace(workspace, workspaceLayout.idempotency)).sort();
  const fileOf = (key: string) => path.basename(workspaceLayout.idempotentAnswer(sha256Hex(key)));

  it('are given again for a week, also by another server, and are forgotten after it', async () => {
    const keys = new IdempotencyKeys(workspace, () => now);
    const ask = (key: string, by = keys) => by.once(key, 'request', async () => `${key} at ${now}`);
    const first = await ask('a');
    now += 7 * millisecondsPerDay;
    await ask('b');
    expect(await ask('a')).toEqual({ answer: first.answer, replayed: true });
    expect(kept()).toEqual([fileOf('a'), fileOf('b')].sort());
    now += millisecondsPerDay;
    expect(await ask('b', new IdempotencyKeys(workspace, () => now))).toMatchObject({ replayed: true });
    expect(kept()).toEqual([fileOf('b')]);
    expect(await ask('a')).toEqual({ answer: `a at ${now}`, replayed: false });
  });

  it('are not looked through for every request', async () => {
    const keys = new IdempotencyKeys(workspace, () => now);
    const ask = (key: string) => keys.once(key, 'request', async () => key);
    await ask('a');
    now += 7 * millisecondsPerDay - 1;
    await ask('b');
    now += 2;
    expect(await ask('a')).toMatchObject({ replayed: true });
    now += millisecondsPerDay / 24;
    expect(await ask('a')).toMatchObject({ replayed: false });
  });
});
