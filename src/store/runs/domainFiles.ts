import type { DomainArtefacts } from '../../audit/contract/artefacts.js';
import { type Column, compressedShape, stridedShape } from '../../columnar/columns.js';
import { type ColumnRequest, readParquet } from '../../columnar/readParquet.js';
import { writeParquet } from '../../columnar/writeParquet.js';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import type { EventLog } from '../../memory/eventLog.js';
import type { PlannedStream, PreparedDomain, PreparedRetriever } from '../../replay/runSink.js';
import { newRankedBlock, type RankedBlock } from '../../retrieval/ranking.js';
import type { TextVectors } from '../../retrieval/vectors.js';

/** Assets of a domain by row: what the corpus commitment and the type vector are taken over. Texts stay outside. */
export async function writeAssets(file: string, { assets }: PreparedDomain): Promise<void> {
  await writeParquet(file, assets.ids.length, [
    { name: 'id', type: 'string', values: assets.ids },
    { name: 'type', type: 'string', values: Array.from(assets.types, (type) => assets.typeNames[type]!) },
    { name: 'available_at', type: 'instant', values: assets.availableAt },
    { name: 'event_at', type: 'instant', values: assets.eventAt },
    { name: 'text_sha256', type: 'string', values: assets.textHashes },
  ]);
}

export async function readAssets(file: string): Promise<DomainArtefacts['assets']> {
  const table = await readParquet(file, {
    id: 'string',
    type: 'string',
    available_at: 'instant',
    event_at: 'instant',
    text_sha256: 'string',
  });
  const ids = table.id as string[];
  const names = table.type as string[];
  const typeNames = [...new Set(names)].sort(compareCodeUnits);
  const typeCode = new Map(typeNames.map((name, code) => [name, code]));
  const idOrder = new Uint32Array(ids.length);
  const sorted = [...ids.keys()].sort((a, b) => compareCodeUnits(ids[a]!, ids[b]!));
  for (const [rank, row] of sorted.entries()) idOrder[row] = rank;
  return {
    ids,
    typeNames,
    types: Uint16Array.from(names, (name) => typeCode.get(name)!),
    availableAt: table.available_at,
    eventAt: table.event_at,
    textHashes: table.text_sha256 as string[],
    idOrder,
  };
}

/** Requests of a domain by index, with their products and vectors; `redact` leaves the texts out. */
export async function writeRequests(file: string, domain: PreparedDomain, redact: boolean): Promise<void> {
  const { requests, products } = domain.dataset;
  await writeParquet(file, requests.size, [
    { name: 'id', type: 'string', values: requests.ids },
    { name: 'text', type: 'string', values: redact ? requests.texts.map(() => null) : requests.texts },
    { name: 'text_sha256', type: 'string', values: domain.textHashes },
    { name: 'observed_at', type: 'instant', values: requests.observedAt },
    { name: 'feedback_at', type: 'instant', values: requests.feedbackAt },
    { name: 'corpus_rows', type: 'int32', values: domain.visibleRows },
    { name: 'product', type: 'list<int32>', ...compressedShape(products.offsets), values: products.rows },
    ...vectorColumns(domain.similarity.vectors, requests.size),
  ]);
}

function vectorColumns(vectors: TextVectors, requests: number): Column[] {
  if (vectors.kind === 'sparse') {
    const shape = compressedShape(vectors.offsets);
    return [
      { name: 'vector_terms', type: 'list<int32>', ...shape, values: vectors.terms },
      { name: 'vector_weights', type: 'list<float64>', ...shape, values: vectors.weights },
    ];
  }
  const lengths = new Uint32Array(requests).fill(vectors.dimension);
  const values = Float64Array.from(vectors.values);
  return [{ name: 'vector', type: 'list<float64>', ...stridedShape(lengths, vectors.dimension), values }];
}

const requestColumns = {
  id: 'string',
  text_sha256: 'string',
  observed_at: 'instant',
  feedback_at: 'instant',
  corpus_rows: 'int32',
  product: 'list<int32>',
} as const satisfies ColumnRequest;

/** Requests as read back, before similarity is made of their vectors. */
export interface RequestsFile extends Pick<DomainArtefacts, 'requests' | 'products' | 'visibleRows'> {
  readonly vectors: TextVectors;
}

export async function readRequests(file: string, vectorKind: TextVectors['kind']): Promise<RequestsFile> {
  const table = await readParquet(file, requestColumns);
  return {
    requests: {
      ids: table.id as string[],
      textHashes: table.text_sha256 as string[],
      observedAt: table.observed_at,
      feedbackAt: table.feedback_at,
    },
    products: { offsets: table.product.offsets, rows: Uint32Array.from(table.product.values) },
    visibleRows: Uint32Array.from(table.corpus_rows),
    vectors: await readVectors(file, vectorKind),
  };
}

async function readVectors(file: string, kind: TextVectors['kind']): Promise<TextVectors> {
  if (kind === 'sparse') {
    const table = await readParquet(file, { vector_terms: 'list<int32>', vector_weights: 'list<float64>' });
    const { offsets, values } = table.vector_terms;
    return { kind, offsets, terms: Uint32Array.from(values), weights: table.vector_weights.values };
  }
  const { vector, rows } = await readParquet(file, { vector: 'list<float64>' });
  return { kind, dimension: rows === 0 ? 0 : vector.offsets[1]!, values: Float32Array.from(vector.values) };
}

/** Base lists of a retriever, by request index. */
export async function writeBase(file: string, { base }: PreparedRetriever): Promise<void> {
  const shape = stridedShape(base.lengths, base.depth);
  await writeParquet(file, base.lengths.length, [
    { name: 'ranked', type: 'list<int32>', ...shape, values: base.rows },
    { name: 'scores', type: 'list<float64>', ...shape, values: base.scores },
  ]);
}

/** @param depth of the lists when they were written */
export async function readBase(file: string, depth: number): Promise<RankedBlock> {
  const { rows, ranked, scores } = await readParquet(file, { ranked: 'list<int32>', scores: 'list<float64>' });
  const block = newRankedBlock(rows, depth);
  for (let request = 0; request < rows; request++) {
    const [start, end] = [ranked.offsets[request]!, ranked.offsets[request + 1]!];
    if (end - start > depth || scores.offsets[request + 1]! !== end) {
      throw new ForeignFileError({
        file,
        reason: `list ${request} has ${end - start} rows, expected at most ${depth}, each with a score`,
      });
    }
    block.lengths[request] = end - start;
    block.rows.set(ranked.values.subarray(start, end), request * depth);
    block.scores.set(scores.values.subarray(start, end), request * depth);
  }
  return block;
}

/** A stream by position: which request arrived, and when. */
export async function writeStream(file: string, { log }: PlannedStream): Promise<void> {
  await writeParquet(file, log.size, [
    { name: 'request', type: 'int32', values: log.requestAt },
    { name: 'observed_at', type: 'instant', values: log.observedAt },
    { name: 'feedback_at', type: 'instant', values: log.feedbackAt },
  ]);
}

export async function readStream(
  file: string,
  clockKind: EventLog['clockKind'],
): Promise<Omit<EventLog, 'traceDepth' | 'recipe'>> {
  const table = await readParquet(file, { request: 'int32', observed_at: 'instant', feedback_at: 'instant' });
  const requestAt = Uint32Array.from(table.request);
  const positionOf = new Uint32Array(table.rows);
  for (const [position, request] of requestAt.entries()) positionOf[request] = position;
  return {
    size: table.rows,
    clockKind,
    requestAt,
    positionOf,
    observedAt: table.observed_at,
    feedbackAt: table.feedback_at,
  };
}
