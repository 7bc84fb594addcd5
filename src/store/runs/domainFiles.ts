import {
  type DomainArtefacts,
  proofKey,
  type StoredProofs,
  type StoredStream,
} from '../../audit/contract/artefacts.js';
import { type Column, compressedShape, stridedShape } from '../../columnar/columns.js';
import { type ColumnRequest, readParquet } from '../../columnar/readParquet.js';
import { writeParquet } from '../../columnar/writeParquet.js';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import type { PreparedDomain, RetrieverLists } from '../../replay/domain/domain.js';
import type { PrefixProofs } from '../../replay/historicalState.js';
import type { RowBatch } from '../../replay/rows/rowBatch.js';
import type { PlannedStream } from '../../replay/runSink.js';
import { newRankedBlock, type RankedBlock } from '../../retrieval/ranking.js';
import type { TextVectors } from '../../retrieval/vectors.js';
import { runFileFormat } from './layout.js';

/** Assets of a domain by row: what the corpus commitment and the type vector are taken over. Texts stay outside. */
export async function writeAssets(file: string, { assets }: PreparedDomain): Promise<void> {
  await writeParquet(
    file,
    assets.ids.length,
    [
      { name: 'id', type: 'string', values: assets.ids },
      { name: 'type', type: 'string', values: Array.from(assets.types, (type) => assets.typeNames[type]!) },
      { name: 'available_at', type: 'instant', values: assets.availableAt },
      { name: 'event_at', type: 'instant', values: assets.eventAt },
      { name: 'text_sha256', type: 'string', values: assets.textHashes },
    ],
    runFileFormat,
  );
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
    // No time in the file: always available.
    availableAt: table.available_at.map((at) => (Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at)),
    eventAt: table.event_at,
    textHashes: table.text_sha256 as string[],
    idOrder,
  };
}

/** Requests of a domain by index, with their products and vectors; `redact` leaves the texts out. */
export async function writeRequests(file: string, domain: PreparedDomain, redact: boolean): Promise<void> {
  const { requests, products } = domain;
  const { texts } = domain.dataset.requests;
  await writeParquet(
    file,
    texts.length,
    [
      { name: 'id', type: 'string', values: requests.ids },
      { name: 'text', type: 'string', values: redact ? texts.map(() => null) : texts },
      { name: 'text_sha256', type: 'string', values: requests.textHashes },
      { name: 'observed_at', type: 'instant', values: requests.observedAt },
      { name: 'feedback_at', type: 'instant', values: requests.feedbackAt },
      {
        name: 'depends_on',
        type: 'list<int32>',
        ...compressedShape(requests.dependsOn.offsets),
        values: requests.dependsOn.requests,
      },
      { name: 'corpus_rows', type: 'int32', values: domain.visibleRows },
      { name: 'product', type: 'list<int32>', ...compressedShape(products.offsets), values: products.rows },
      ...vectorColumns(domain.similarity.vectors, texts.length),
    ],
    runFileFormat,
  );
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
  text: 'string',
  text_sha256: 'string',
  observed_at: 'instant',
  feedback_at: 'instant',
  depends_on: 'list<int32>',
  corpus_rows: 'int32',
  product: 'list<int32>',
} as const satisfies ColumnRequest;

export async function readRequests(
  file: string,
  vectorKind: TextVectors['kind'],
): Promise<Pick<DomainArtefacts, 'requests' | 'texts' | 'products' | 'snapshots' | 'vectors'>> {
  const table = await readParquet(file, requestColumns);
  return {
    requests: {
      ids: table.id as string[],
      textHashes: table.text_sha256 as string[],
      observedAt: table.observed_at,
      feedbackAt: table.feedback_at,
      dependsOn: { offsets: table.depends_on.offsets, requests: Uint32Array.from(table.depends_on.values) },
    },
    texts: table.text,
    products: { offsets: table.product.offsets, rows: Uint32Array.from(table.product.values) },
    snapshots: Uint32Array.from(table.corpus_rows),
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
export async function writeBase(file: string, { base }: RetrieverLists): Promise<void> {
  const shape = stridedShape(base.lengths, base.depth);
  await writeParquet(
    file,
    base.lengths.length,
    [
      { name: 'ranked', type: 'list<int32>', ...shape, values: base.rows },
      { name: 'scores', type: 'list<float64>', ...shape, values: base.scores },
    ],
    runFileFormat,
  );
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
  await writeParquet(
    file,
    log.size,
    [
      { name: 'request', type: 'int32', values: log.requestAt },
      { name: 'observed_at', type: 'instant', values: log.observedAt },
      { name: 'feedback_at', type: 'instant', values: log.feedbackAt },
    ],
    runFileFormat,
  );
}

export async function readStream(file: string): Promise<StoredStream> {
  const table = await readParquet(file, { request: 'int32', observed_at: 'instant', feedback_at: 'instant' });
  return {
    requestAt: Uint32Array.from(table.request),
    observedAt: table.observed_at,
    feedbackAt: table.feedback_at,
  };
}

/**
 * Proofs of the anchors of a stream, retriever by retriever: that the snapshot and the memory that its rows name are
 * prefixes of the asset log and of the retriever's event log.
 */
export async function writeProofs(
  file: string,
  { plan }: PlannedStream,
  batches: readonly Pick<RowBatch, 'key' | 'states'>[],
): Promise<void> {
  const byRetriever = new Map(batches.map(({ key, states }) => [key.retriever, states]));
  const states = [...byRetriever.values()].flat();
  await writeParquet(
    file,
    states.length,
    [
      { name: 'retriever', type: 'string', values: [...byRetriever].flatMap(([name, each]) => each.map(() => name)) },
      {
        name: 'anchor_position',
        type: 'int32',
        values: Uint32Array.from(states, (_, i) => plan.anchors[i % plan.anchors.length]!.position),
      },
      hashLists(
        'memory_proof',
        states.map(({ proofs }) => proofs.memory),
      ),
      hashLists(
        'snapshot_proof',
        states.map(({ proofs }) => proofs.snapshot),
      ),
    ],
    runFileFormat,
  );
}

function hashLists(name: string, lists: readonly (readonly string[])[]): Column {
  const dictionary = lists.flat();
  const lengths = Uint32Array.from(lists, (list) => list.length);
  let end = 0;
  const offsets = lengths.map((length) => {
    end += length;
    return end - length;
  });
  return { name, type: 'list<string>', offsets, lengths, values: Uint32Array.from(dictionary.keys()), dictionary };
}

export async function readProofs(file: string): Promise<StoredProofs> {
  const table = await readParquet(file, {
    retriever: 'string',
    anchor_position: 'int32',
    memory_proof: 'list<string>',
    snapshot_proof: 'list<string>',
  });
  const listAt = ({ offsets, values }: { offsets: Uint32Array; values: readonly (string | null)[] }, row: number) =>
    values.slice(offsets[row]!, offsets[row + 1]!) as string[];
  const proofs = new Map<string, PrefixProofs>();
  for (let row = 0; row < table.rows; row++) {
    const key = proofKey(table.retriever[row]!, table.anchor_position[row]!);
    proofs.set(key, { memory: listAt(table.memory_proof, row), snapshot: listAt(table.snapshot_proof, row) });
  }
  return { rows: table.rows, proofs };
}
