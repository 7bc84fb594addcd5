import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../audit/external/testing/logs.js';
import { MerkleLog } from '../../commitment/merkleLog.js';
import { EventJournal } from './EventJournal.js';
import type { InteractionEvent } from './interactionEvent.js';

const event = (id: string, observedAt: number, changes: Partial<InteractionEvent> = {}): InteractionEvent => ({
  id,
  observedAt,
  kind: 'event',
  dependsOn: [],
  data: null,
  ...changes,
});

describe('EventJournal', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  beforeEach(() => {
    directory = temporaryDirectory();
  });
  afterEach(() => directory.remove());
  const ids = async (journal: EventJournal, before?: number) =>
    (await journal.read({ before, limit: 100 })).map((item) => item.event.id);

  it('is empty before the first event', async () => {
    const journal = await EventJournal.open(directory.path);
    expect(await ids(journal)).toEqual([]);
    expect(journal.newest).toBeUndefined();
    expect(journal.stateBefore(0).size).toBe(0);
  });

  it('gives the events observed strictly before an instant (case 9)', async () => {
    const journal = await EventJournal.open(directory.path);
    await journal.append([event('a', 10), event('b', 20), event('c', 20), event('d', 30)]);
    expect(await ids(journal, 10)).toEqual([]);
    expect(await ids(journal, 20)).toEqual(['a']);
    expect(await ids(journal, 21)).toEqual(['a', 'b', 'c']);
    expect(await journal.read({ from: 1, limit: 2 })).toMatchObject([{ position: 1 }, { position: 2 }]);
  });

  it('names the memory before an instant for ever, whatever comes later', async () => {
    const journal = await EventJournal.open(directory.path);
    await journal.append([event('a', 10, { data: { text: 'ä\u2028' } }), event('b', 20)]);
    const state = journal.stateBefore(20);
    await journal.append([event('c', 20, { dependsOn: ['a'] })]);
    expect(journal.stateBefore(20)).toEqual(state);
    const again = await EventJournal.open(directory.path);
    expect(again.stateBefore(20)).toEqual(state);
    const lines = readFileSync(path.join(directory.path, 'events.jsonl'), 'utf8').split('\n');
    const tree = new MerkleLog();
    tree.append(lines[0]!);
    expect(state).toEqual({ before: 20, size: 1, root: tree.root().toString('hex') });
  });

  it('refuses what would break the order, changes an event, or depends on nothing, and keeps nothing of the batch', async () => {
    const journal = await EventJournal.open(directory.path);
    await journal.append([event('a', 10)]);
    await expect(journal.append([event('b', 20), event('c', 9)])).rejects.toThrow(
      /observedAt of c: .*order of observation/,
    );
    await expect(journal.append([event('a', 11)])).rejects.toThrow(/id: got "a", expected an id of no other event/);
    await expect(journal.append([event('b', 20, { dependsOn: ['z'] })])).rejects.toThrow(/dependsOn of b: got "z"/);
    await expect(journal.append([event('', 20)])).rejects.toThrow(/id: got ""/);
    await expect(journal.append([event('n', 20, { data: Number.NaN })])).rejects.toThrow(/finite/);
    expect(await ids(journal)).toEqual(['a']);
  });

  it('takes the very same event again as no change', async () => {
    const journal = await EventJournal.open(directory.path);
    await journal.append([event('a', 10)]);
    await journal.append([event('b', 20)]);
    const results = await journal.append([event('a', 10), event('c', 30), event('c', 30)]);
    expect(results).toEqual([
      { id: 'a', position: 0, appended: false },
      { id: 'c', position: 2, appended: true },
      { id: 'c', position: 2, appended: false },
    ]);
    expect(journal.size).toBe(3);
  });

  it('serves appends of two journals at once, each seeing what the other wrote', async () => {
    const journals = await Promise.all([EventJournal.open(directory.path), EventJournal.open(directory.path)]);
    await Promise.all(Array.from({ length: 10 }, (_, i) => journals[i % 2]!.append([event(`e${i}`, 100)])));
    await Promise.all(journals.map((journal) => journal.refresh()));
    expect(journals.map(({ size }) => size)).toEqual([10, 10]);
    expect(journals[0]!.stateBefore(101)).toEqual(journals[1]!.stateBefore(101));
  });

  it('drops what a writer that died left of a line, and refuses a foreign line by its number', async () => {
    const journal = await EventJournal.open(directory.path);
    await journal.append([event('a', 10)]);
    appendFileSync(journal.file, '{"id":"torn"');
    const again = await EventJournal.open(directory.path);
    expect(again.size).toBe(1);
    await again.append([event('b', 20)]);
    expect(await ids(await EventJournal.open(directory.path))).toEqual(['a', 'b']);
    appendFileSync(journal.file, '{"id":"foreign"}\n');
    await expect(EventJournal.open(directory.path)).rejects.toThrow(/events\.jsonl:3/);
  });
});
