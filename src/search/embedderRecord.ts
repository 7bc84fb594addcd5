import { readFile } from 'node:fs/promises';
import { canonicalJson } from '../commitment/canonicalJson.js';
import type { Embedder } from '../embedding/Embedder.js';
import { ForeignFileError } from '../errors/ForeignFileError.js';
import type { EmbedderSpec } from '../replay/experiment/experiment.js';

/** Which embedder made the vectors of a workspace. */
export interface EmbedderRecord {
  readonly id: string;
  /** Of the embedder: weights, tokenizer and settings. */
  readonly hash: string;
  readonly dimension: number;
  /** How to open it again; null for one that a program brought with it. */
  readonly spec: EmbedderSpec | null;
}

export function recordOf({ id, hash, dimension }: Embedder, spec: EmbedderSpec | null): EmbedderRecord {
  return { id, hash, dimension, spec };
}

export function encodeEmbedderRecord(record: EmbedderRecord): string {
  return `${canonicalJson({ ...record })}\n`;
}

/** @throws ForeignFileError when it is damaged */
export async function readEmbedderRecord(path: string): Promise<EmbedderRecord> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as EmbedderRecord;
  } catch (cause) {
    throw new ForeignFileError({ file: path, reason: 'not the record of an embedder', cause });
  }
}
