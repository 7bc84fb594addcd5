import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { contentHash } from '../../corpus/ingest/assetContent.js';
import { initWorkspace } from './initWorkspace.js';
import { openWorkspace } from './openWorkspace.js';
import { isCurrent } from './segmentRows.js';
import { ModelLog, type ModelRecord } from './testing/modelLog.js';
import { temporaryFolder } from './testing/workspaceForTest.js';
import type { Workspace } from './Workspace.js';

const instants = fc.integer({ min: 1, max: 9 });
const recordArbitrary: fc.Arbitrary<ModelRecord> = fc.record(
  {
    // An id beyond the basic plane sorts differently by code units and by UTF-8.
    id: fc.constantFrom('a', 'b', '\uffee', '\u{10000}'),
    text: fc.constantFrom('x', 'y', 'z'),
    availableAt: instants,
    withdrawnAt: instants,
  },
  { requiredKeys: ['id', 'text', 'availableAt'] },
);
type Step =
  | { kind: 'ingest'; records: ModelRecord[] }
  | { kind: 'withdraw'; instant: number }
  | { kind: 'compact' }
  | { kind: 'look' }
  | { kind: 'reopen' };
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('ingest'), records: fc.array(recordArbitrary, { maxLength: 8 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw'), instant: instants }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen') }) },
  // What is asked for after a commit is made from what was loaded before it.
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look') }) },
);
const allInstants = Array.from({ length: 12 }, (_, t) => t);

/** Id to text of what is current as of each instant, by the columns that retrieval works on. */
async function currentByInstant(workspace: Workspace): Promise<Map<string, string>[]> {
  const byInstant = allInstants.map(() => new Map<string, string>());
  for (const segment of await workspace.segments()) {
    const versions = await segment.read(Array.from(segment.ids.keys()));
    for (const t of allInstants) {
      for (const [row, { id, text }] of versions.entries()) {
        if (!isCurrent(segment, row, t)) continue;
        expect(byInstant[t]!.has(id)).toBe(false);
        byInstant[t]!.set(id, text);
      }
    }
  }
  return byInstant;
}

function leafOf({ id, instant, text }: { id: string; instant: number; text: string | undefined }): string {
  if (text === undefined) return JSON.stringify(['withdraw', id, instant, null]);
  const content = { type: 'text', title: undefined, text, entities: [], fields: undefined, eventAt: undefined };
  return JSON.stringify(['put', id, instant, contentHash(content)]);
}

it('gives at every instant what the plain rules give, through any history of commits, merges and restarts', async () => {
  const folder = temporaryFolder();
  let runs = 0;
  const check = async (steps: readonly Step[]) => {
    const home = path.join(folder, String(runs++));
    await initWorkspace(home);
    let workspace = await openWorkspace(home);
    const model = new ModelLog();
    const seen: { endsAt: Float64Array; asHandedOut: Float64Array }[] = [];
    const look = async () => {
      expect(await currentByInstant(workspace)).toEqual(allInstants.map((t) => model.currentAsOf(t)));
      for (const t of allInstants) {
        expect((await workspace.stateAt(t)).root).toBe(model.stateRoot(t, leafOf));
      }
      const { segments, idOrder } = await workspace.content();
      const ids = segments.flatMap((segment) => segment.ids);
      const byRank: string[] = [];
      for (const [row, rank] of idOrder.entries()) byRank[rank] = ids[row]!;
      expect(byRank).toEqual([...ids].sort(compareCodeUnits));
      for (const { endsAt } of segments) seen.push({ endsAt, asHandedOut: endsAt.slice() });
    };
    const pins: { size: number; root: string; current: Map<string, string>[] }[] = [];
    try {
      for (const [index, step] of steps.entries()) {
        if (step.kind === 'ingest') {
          const file = path.join(folder, `records-${index}.jsonl`);
          writeFileSync(file, step.records.map((record) => JSON.stringify(record)).join('\n'));
          const mapping = {
            fields: { availableAt: 'availableAt' },
            instants: { epoch: 'ms' as const },
            missingEventAt: 'available' as const,
          };
          const before = workspace.log.size;
          const { totals } = await workspace.ingest([file], { now: 100, mapping, backfill: true });
          model.ingest(step.records);
          expect(totals.read).toBe(totals.added + totals.versions + totals.unchanged + totals.replaced);
          expect(workspace.log.size - before).toBe(totals.added + totals.versions + totals.withdrawn);
        } else if (step.kind === 'withdraw') {
          const [id] = model.currentAsOf(step.instant).keys();
          if (id === undefined) continue;
          await workspace.withdraw([id], { now: 100, at: step.instant, backfill: true });
          model.withdraw(id, step.instant);
        } else if (step.kind === 'compact') {
          await workspace.compact({ limit: 1 });
        } else if (step.kind === 'look') {
          await look();
        } else {
          await workspace.close();
          workspace = await openWorkspace(home);
        }
        expect(workspace.log.size).toBe(model.operations.length);
        pins.push({ ...workspace.log, current: allInstants.map((t) => model.currentAsOf(t)) });
      }
      await workspace.verify();
      await look();
      for (const { endsAt, asHandedOut } of seen) expect(endsAt).toEqual(asHandedOut);
      const pin = pins[Math.floor(pins.length / 2)];
      if (pin !== undefined) {
        const pinned = await openWorkspace(home, { readOnly: true, log: pin });
        expect(pinned.log).toEqual({ size: pin.size, root: pin.root });
        expect(await currentByInstant(pinned)).toEqual(pin.current);
        await pinned.close();
      }
    } finally {
      await workspace.close();
      rmSync(home, { recursive: true });
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 10 }), check), { numRuns: 12 });
}, 300_000);
