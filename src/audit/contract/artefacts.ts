import type { Products } from '../../corpus/products.js';
import type { EventLog } from '../../memory/eventLog.js';
import type { CommittedAssets, CommittedRequests } from '../../replay/commitments.js';
import type { RowTable } from '../../replay/rowTable.js';
import type { RankedBlock } from '../../retrieval/ranking.js';
import type { Manifest } from '../manifest.js';

/** Vectors of requests that similarity is taken between, as the event log binds them. */
export interface RequestVectors {
  /** Cosine of two requests' vectors, exactly as the replay computed it. */
  similarity(a: number, b: number): number;
  /** SHA-256 (hexadecimal) of each request's vector, by request index. */
  hashes(): readonly string[];
}

/** What a run folder holds of one domain. */
export interface DomainArtefacts {
  readonly assets: CommittedAssets & { readonly idOrder: Uint32Array };
  readonly requests: CommittedRequests;
  readonly products: Products;
  readonly vectors: RequestVectors;
  /** [requests] rows of the snapshot at each request. */
  readonly visibleRows: Uint32Array;
  /** Base lists by retriever label. */
  readonly bases: ReadonlyMap<string, RankedBlock>;
  /** By `streamKey`. */
  readonly streams: ReadonlyMap<string, Omit<EventLog, 'traceDepth' | 'recipe'>>;
}

export function streamKey(label: string, seed: number): string {
  return `${label}/${seed}`;
}

/** A run folder as the audit reads it; implemented by `store`. */
export interface RunArtefacts {
  readonly manifest: Manifest;
  /** Digest of each file named in the manifest, recomputed; null where the file is not there. */
  digests(): AsyncIterable<{ readonly path: string; readonly sha256: string | null }>;
  /** Digest of each input that is still in place under the path it was read from; null where it is not. */
  inputDigests(): AsyncIterable<{ readonly domain: string; readonly name: string; readonly sha256: string | null }>;
  domain(name: string): Promise<DomainArtefacts>;
  rows(): AsyncIterable<RowTable>;
  /** The stored effects, parsed. */
  effects(): Promise<unknown>;
}
