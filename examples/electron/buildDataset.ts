import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RandomSource } from '../../src/random/RandomSource.js';
import { changeFamilies, type ReleaseNote, readReleaseNotes } from './releaseNotes.js';

/** Said wherever results on this dataset appear. */
export const simulatedNote =
  'Queries are simulated: 2 to 4 terms sampled from the words of a release note (known-item queries, Azzopardi and de Rijke 2007).';

export interface BuiltDataset {
  readonly folder: string;
  readonly notes: number;
  readonly families: number;
  readonly requests: number;
}

/**
 * Writes a dated collection in asof's own JSON Lines form: every bullet of the Electron release notes is an asset,
 * available from its release's publication on; at every note of a change after the change's first, a request is issued at
 * that instant for the notes of the change.
 */
export async function buildElectronDataset(folder: string, seed: number): Promise<BuiltDataset> {
  const notes = readReleaseNotes();
  const families = changeFamilies(notes);
  const assets = notes.map((note) => ({
    id: note.id,
    type: 'text',
    title: note.release,
    text: note.text,
    eventAt: note.publishedAt,
    availableAt: note.publishedAt,
  }));
  const random = new RandomSource(seed, 'electron/known-item-queries');
  const requests = families.flatMap((family) =>
    family.slice(1).flatMap((note) => {
      const text = knownItemQuery(note, random);
      return text === ''
        ? []
        : [{ id: `q:${note.id}`, text, gold: family.map(({ id }) => id), observedAt: note.publishedAt }];
    }),
  );
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'assets.jsonl'), jsonLines(assets));
  await writeFile(path.join(folder, 'requests.jsonl'), jsonLines(requests));
  return { folder, notes: notes.length, families: families.length, requests: requests.length };
}

/** 2 to 4 distinct words of three letters or more, in sampled order; all of them where a note has fewer. */
function knownItemQuery(note: ReleaseNote, random: RandomSource): string {
  const words = [...new Set(note.text.toLowerCase().match(/\p{L}[\p{L}\p{N}]{2,}/gu) ?? [])];
  return random.shuffle(words).slice(0, random.between(2, 4)).join(' ');
}

function jsonLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
