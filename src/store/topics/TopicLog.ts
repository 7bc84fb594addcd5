import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJson } from '../../commitment/canonicalJson.js';
import type { LogCommitment } from '../../commitment/merkleTree.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { readIfPresent, writeFileAtomically } from '../../files/atomicFile.js';
import type { PublishedSlice } from '../../topics/publishedSlice.js';
import { packState, stateHash, unpackState } from '../../topics/state/packState.js';
import type { StateValue } from '../../topics/state/stateValue.js';
import { inWorkspace, workspaceLayout } from '../workspace/layout.js';

/** A way of tracking: labels of different ways never mix. */
export type TopicSettings = Readonly<Record<string, StateValue>>;

/** A published slice in the log. */
export interface TopicLogEntry {
  readonly slice: PublishedSlice;
  /** The asset log that it was computed from. */
  readonly log: LogCommitment;
}

/** A model as it was after a slice. */
export interface KeptModel {
  /** Slices that it has taken in. */
  readonly slices: number;
  readonly state: StateValue;
}

/** Every so many slices the model is kept, half a year of weeks; the last one is kept in any case. */
const keptEvery = 26;

const settingsFile = 'settings.json';
const slicePattern = /^\d{6}\.json$/;
const modelPattern = /^(\d{6})\.model$/;

/**
 * The log of published topics of one way of tracking, in a folder of the workspace: a file for each slice, which names the
 * hash of the one before, and the model after the last one. What is in it is never changed.
 */
export class TopicLog {
  /** Names the way of tracking; start of the SHA-256 of its settings. */
  readonly key: string;
  readonly folder: string;
  readonly entries: readonly TopicLogEntry[];
  /** SHA-256 of the last slice's file, hexadecimal, which covers all before; null for none. */
  readonly head: string | null;

  private constructor(key: string, folder: string, entries: readonly TopicLogEntry[], head: string | null) {
    this.key = key;
    this.folder = folder;
    this.entries = entries;
    this.head = head;
  }

  /** @throws ForeignFileError when a file is damaged, missing or altered */
  static async open(workspace: string, settings: TopicSettings): Promise<TopicLog> {
    const key = sha256Hex(canonicalJson(settings)).slice(0, 16);
    const folder = inWorkspace(workspace, workspaceLayout.topics(key));
    const names = (await readdir(folder).catch(() => [])).filter((name) => slicePattern.test(name)).sort();
    const entries: TopicLogEntry[] = [];
    let head: string | null = null;
    for (const [index, name] of names.entries()) {
      const file = path.join(folder, name);
      const bytes = await readFile(file);
      const { previous, ...entry } = parseEntry(bytes, file);
      if (name !== sliceFile(index) || previous !== head) {
        throw new ForeignFileError({
          file,
          reason: 'does not follow from the published slice before: altered or missing',
        });
      }
      entries.push(entry);
      head = sha256Hex(bytes);
    }
    return new TopicLog(key, folder, entries, head);
  }

  /**
   * Adds slices and the model after them.
   *
   * @returns the log with them
   */
  async append(settings: TopicSettings, added: readonly TopicLogEntry[], model: StateValue): Promise<TopicLog> {
    await writeFileAtomically(path.join(this.folder, settingsFile), `${canonicalJson(settings)}\n`);
    let head = this.head;
    const entries = [...this.entries];
    for (const entry of added) {
      const text = `${canonicalJson({ previous: head, ...entry })}\n`;
      await writeFileAtomically(path.join(this.folder, sliceFile(entries.length)), text);
      head = sha256Hex(text);
      entries.push(entry);
    }
    await this.keepModel({ slices: entries.length, state: model });
    return new TopicLog(this.key, this.folder, entries, head);
  }

  /** Keeps a model, and lets go of those that are neither the last nor one in `keptEvery`. */
  async keepModel({ slices, state }: KeptModel): Promise<void> {
    await writeFileAtomically(path.join(this.folder, modelFile(slices)), packState(state));
    for (const other of await this.#models()) {
      if (other < slices && other % keptEvery !== 0) await rm(path.join(this.folder, modelFile(other)));
    }
  }

  /**
   * The latest model that had taken in no more than some slices; undefined for none. Its hash is that of the log, or it
   * is passed over.
   */
  async modelBefore(slices: number): Promise<KeptModel | undefined> {
    const candidates = (await this.#models()).filter((count) => count <= slices);
    for (const count of candidates.reverse()) {
      const file = path.join(this.folder, modelFile(count));
      const bytes = await readIfPresent(file);
      if (bytes === undefined) continue;
      const state = unpackState(bytes, file);
      if (stateHash(state) === this.entries[count - 1]?.slice.modelHash) return { slices: count, state };
    }
    return undefined;
  }

  async #models(): Promise<number[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.flatMap((name) => Number(modelPattern.exec(name)?.[1] ?? [])).sort((a, b) => a - b);
  }
}

function sliceFile(index: number): string {
  return `${String(index).padStart(6, '0')}.json`;
}

function modelFile(slices: number): string {
  return `${String(slices).padStart(6, '0')}.model`;
}

function parseEntry(bytes: Buffer, file: string): TopicLogEntry & { previous: string | null } {
  try {
    const entry = JSON.parse(bytes.toString('utf8')) as TopicLogEntry & { previous: string | null };
    if (typeof entry.slice.id === 'string' && Number.isInteger(entry.log.size)) return entry;
  } catch (cause) {
    throw new ForeignFileError({ file, reason: 'not a published slice: truncated or of another kind', cause });
  }
  throw new ForeignFileError({ file, reason: 'not a published slice' });
}
