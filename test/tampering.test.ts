import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditFolder, violated } from './support/forgeRun.js';
import { runSmall, writeSmallDataset } from './support/smallRun.js';
import { damages, type Tampering, tamperings } from './support/tamperings.js';

interface CheckResult {
  readonly accepted: boolean;
  readonly violated: readonly string[];
}
const checker = pathToFileURL(path.resolve('checker/lib/checkRun.js')).href;
const { checkRun } = (await import(checker)) as { checkRun: (folder: string) => Promise<CheckResult> };

let root: string;
const runOf = (of: Tampering['of']) => path.join(root, `${of}-run`);
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'asof-tampering-'));
  const design = { seeds: [1], horizons: [3], anchorsPerWindow: 2 };
  await writeSmallDataset(path.join(root, 'data'), { requests: 60 });
  await writeSmallDataset(path.join(root, 'timed'), { requests: 40, clocks: true, firstRequestHour: 40 });
  await runSmall(path.join(root, 'data'), runOf('plain'), design);
  await runSmall(path.join(root, 'data'), runOf('lines'), design, { jsonl: true });
  await runSmall(path.join(root, 'timed'), runOf('timed'), {
    ...{ ...design, streams: ['natural'], corpus: 'as-of', naturalMinimum: 15 },
  });
});
afterAll(() => rm(root, { recursive: true, force: true }));

let copies = 0;
async function copyOf(of: Tampering['of']): Promise<string> {
  const folder = path.join(root, `copy-${copies++}`);
  await cp(runOf(of), folder, { recursive: true });
  return folder;
}

describe('a good run', () => {
  it.each(['plain', 'lines', 'timed'] as const)(
    'is accepted by the audit and by the independent checker (%s)',
    async (of) => {
      expect(violated(await auditFolder(runOf(of)))).toEqual([]);
      expect(await checkRun(runOf(of))).toMatchObject({ accepted: true, violated: [] });
    },
  );
});

describe('a run tampered with is rejected by the audit and by the independent checker, for the same reason', () => {
  it('covers at least 40 kinds of tampering, each once', () => {
    expect(new Set(tamperings.map(({ name }) => name)).size).toBe(tamperings.length);
    expect(tamperings.length).toBeGreaterThanOrEqual(40);
  });

  it.concurrent.each(tamperings)('$reason: $name', async ({ of, reason, apply }) => {
    const folder = await copyOf(of);
    await apply(folder);
    const audit = violated(await auditFolder(folder));
    const check = await checkRun(folder);
    expect({ audit, check: check.violated }).toEqual({
      audit: expect.arrayContaining([reason]),
      check: expect.arrayContaining([reason]),
    });
    expect(check.accepted).toBe(false);
    await rm(folder, { recursive: true });
  });
});

describe('a damaged run', () => {
  it.each(damages)('gets no verdict, and both say which file it is: $name', async ({ name, apply }) => {
    const folder = await copyOf('plain');
    await apply(folder);
    const file = name.includes('manifest') ? /manifest\.json/ : /rows\.parquet/;
    await expect(auditFolder(folder)).rejects.toThrow(file);
    await expect(checkRun(folder)).rejects.toThrow(file);
  });
});
