import { compareCodeUnits } from '../corpus/corpus.js';
import { VectorFile } from '../embedding/vectorFile/VectorFile.js';
import type { Analyzer } from '../retrieval/analysis/Analyzer.js';
import type { InvertedIndex } from '../retrieval/bm25/InvertedIndex.js';
import { readIndexFile } from '../retrieval/bm25/indexFile.js';
import { DenseIndex } from '../retrieval/dense/DenseIndex.js';
import type { SegmentRows } from '../store/workspace/segmentRows.js';
import { indexSegment } from './buildIndexes.js';
import { derivedNames } from './derivedNames.js';
import { type EmbedderRecord, readEmbedderRecord } from './embedderRecord.js';

/** The indexes of segments in memory, each loaded when it is first asked for. Segments never change, so neither do they. */
export class SegmentIndexes {
  /** By segment, then by analyzer. */
  readonly #lexical = new Map<number, Map<string, Promise<InvertedIndex>>>();
  readonly #dense = new Map<number, { sha256: string; index: Promise<DenseIndex> }>();

  /** The index of a segment's words: out of its file, or built in memory where there is none yet. */
  lexical(segment: SegmentRows, analyzer: Analyzer): Promise<InvertedIndex> {
    const own = this.#lexical.get(segment.id) ?? new Map<string, Promise<InvertedIndex>>();
    this.#lexical.set(segment.id, own);
    let index = own.get(analyzer.id);
    if (index === undefined) {
      const file = segment.derived.get(derivedNames.lexical(analyzer));
      index = file === undefined ? indexSegment(segment, analyzer) : readIndexFile(file.path, file.sha256, analyzer);
      own.set(analyzer.id, index);
    }
    return index;
  }

  /** The vectors of a segment's rows; undefined where it has none. */
  async dense(segment: SegmentRows): Promise<DenseIndex | undefined> {
    const file = segment.derived.get(derivedNames.vectors);
    if (file === undefined) return undefined;
    let entry = this.#dense.get(segment.id);
    if (entry?.sha256 !== file.sha256) {
      await entry?.index.then((index) => index.close());
      entry = { sha256: file.sha256, index: loadDense(segment, file.path) };
      this.#dense.set(segment.id, entry);
    }
    return entry.index;
  }

  /** Frees what belongs to segments that are no more. */
  async keepOnly(segments: readonly SegmentRows[]): Promise<void> {
    const ids = new Set(segments.map(({ id }) => id));
    for (const id of this.#lexical.keys()) if (!ids.has(id)) this.#lexical.delete(id);
    for (const [id, { index }] of this.#dense) {
      if (ids.has(id)) continue;
      this.#dense.delete(id);
      await (await index).close();
    }
  }

  close(): Promise<void> {
    return this.keepOnly([]);
  }
}

/** What made the vectors of a workspace; undefined where no segment has any. */
export async function embedderOf(segments: readonly SegmentRows[]): Promise<EmbedderRecord | undefined> {
  for (const { derived } of segments) {
    const file = derived.get(derivedNames.embedder);
    if (file !== undefined) return readEmbedderRecord(file.path);
  }
  return undefined;
}

/** [ids] rank of each id in code-unit order; equal ids, which are never in one snapshot, have consecutive ranks. */
export function idOrderOf(ids: readonly string[]): Uint32Array {
  const byId = Uint32Array.from(ids.keys()).sort((a, b) => compareCodeUnits(ids[a]!, ids[b]!) || a - b);
  const order = new Uint32Array(ids.length);
  for (let rank = 0; rank < byId.length; rank++) order[byId[rank]!] = rank;
  return order;
}

async function loadDense(segment: SegmentRows, path: string): Promise<DenseIndex> {
  const file = await VectorFile.open(path);
  try {
    const { dimension } = file;
    const [matrix, present] = [await file.readPrefix(), file.present()];
    return await DenseIndex.create({ matrix, dimension, present, idOrder: idOrderOf(segment.ids) });
  } finally {
    await file.close();
  }
}
