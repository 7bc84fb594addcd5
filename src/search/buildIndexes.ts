import { writeFile } from 'node:fs/promises';
import type { Embedder } from '../embedding/Embedder.js';
import { type VectorRows, writeVectorFile } from '../embedding/vectorFile/writeVectorFile.js';
import type { Analyzer } from '../retrieval/analysis/Analyzer.js';
import type { InvertedIndex } from '../retrieval/bm25/InvertedIndex.js';
import { InvertedIndexBuilder } from '../retrieval/bm25/InvertedIndexBuilder.js';
import { writeIndexFile } from '../retrieval/bm25/indexFile.js';
import type { DerivedRequest } from '../store/workspace/derivedFiles.js';
import type { SegmentRows } from '../store/workspace/segmentRows.js';
import type { Workspace } from '../store/workspace/Workspace.js';
import { derivedNames } from './derivedNames.js';
import { type EmbedderRecord, encodeEmbedderRecord, readEmbedderRecord } from './embedderRecord.js';

export interface BuildOptions {
  /** An index of words is made by each. */
  readonly analyzers: readonly Analyzer[];
  /** What embeds the texts, and the record of it; no vectors are made without. */
  readonly embedding?: { readonly embedder: Embedder; readonly record: EmbedderRecord } | undefined;
  /** Told how many texts are embedded, of those that have to be. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What `buildIndexes` made. */
export interface BuildReport {
  /** Segments whose texts were indexed. */
  readonly indexed: number;
  /** Texts embedded, and those of them that are empty and so have no vector. */
  readonly embedded: number;
  readonly empty: number;
}

/** The index of a segment's texts by an analyzer. */
export async function indexSegment(segment: SegmentRows, analyzer: Analyzer): Promise<InvertedIndex> {
  const builder = new InvertedIndexBuilder(analyzer);
  for await (const texts of segment.texts()) for (const text of texts) builder.add(text);
  return builder.finish();
}

/**
 * Writes the files that search needs and segments lack, all in one commit: a workspace never holds vectors of two
 * embedders, and an interruption leaves it as it was.
 */
export async function buildIndexes(workspace: Workspace, options: BuildOptions): Promise<BuildReport> {
  const { analyzers, embedding } = options;
  const segments = await workspace.segments();
  const requests: DerivedRequest[] = [];
  for (const segment of segments) {
    for (const analyzer of analyzers) {
      const name = derivedNames.lexical(analyzer);
      if (segment.derived.has(name)) continue;
      const write = async (path: string) => writeIndexFile(path, await indexSegment(segment, analyzer));
      requests.push({ segment: segment.id, name, write });
    }
  }
  const report = { indexed: new Set(requests.map(({ segment }) => segment)).size, embedded: 0, empty: 0 };
  if (embedding !== undefined) requests.push(...(await vectorRequests(segments, embedding, options, report)));
  if (requests.length > 0) await workspace.addDerivedFiles(requests);
  return report;
}

/** Vectors of the segments that have none of this embedder's, and the record of it beside them. */
async function vectorRequests(
  segments: readonly SegmentRows[],
  { embedder, record }: NonNullable<BuildOptions['embedding']>,
  { onProgress, signal }: BuildOptions,
  report: { embedded: number; empty: number },
): Promise<DerivedRequest[]> {
  const missing: SegmentRows[] = [];
  for (const segment of segments) if (!(await isEmbeddedBy(segment, record))) missing.push(segment);
  const total = missing.reduce((sum, { size }) => sum + size, 0);
  const { dimension, hash: embedderHash } = record;
  async function* vectorsOf(segment: SegmentRows): AsyncGenerator<VectorRows> {
    for await (const texts of segment.texts()) {
      const batch = await embedder.embed(texts, { signal });
      report.embedded += texts.length;
      for (const flag of batch.present) if (flag === 0) report.empty++;
      onProgress?.(report.embedded, total);
      yield batch;
    }
  }
  return missing.flatMap((segment) => [
    {
      segment: segment.id,
      name: derivedNames.vectors,
      write: async (path) => {
        await writeVectorFile(path, { dimension, embedderHash }, vectorsOf(segment));
      },
    },
    {
      segment: segment.id,
      name: derivedNames.embedder,
      write: (path) => writeFile(path, encodeEmbedderRecord(record)),
    },
  ]);
}

async function isEmbeddedBy(segment: SegmentRows, { hash }: EmbedderRecord): Promise<boolean> {
  const file = segment.derived.get(derivedNames.embedder);
  if (file === undefined || !segment.derived.has(derivedNames.vectors)) return false;
  return (await readEmbedderRecord(file.path)).hash === hash;
}
