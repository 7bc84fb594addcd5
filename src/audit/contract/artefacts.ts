import type { Products } from '../../corpus/products.js';
import type { CommittedRequests } from '../../replay/commitments.js';
import type { DomainParts } from '../../replay/domain/domain.js';
import type { PrefixProofs } from '../../replay/historicalState.js';
import type { RowTable } from '../../replay/rows/rowTable.js';
import type { RankedBlock } from '../../retrieval/ranking.js';
import type { TextVectors } from '../../retrieval/vectors.js';
import type { Manifest } from '../manifest.js';

/** A stream as its file holds it. */
export interface StoredStream {
  /** [events] position -> request index; whether it is a permutation is for the audit to find out. */
  readonly requestAt: Uint32Array;
  /** [events] */
  readonly observedAt: Float64Array;
  /** [events] */
  readonly feedbackAt: Float64Array;
}

/** The proofs of a stream as its file holds them. */
export interface StoredProofs {
  /** Rows of the file: as many as there are keys, or some are there twice. */
  readonly rows: number;
  /** By `proofKey`. */
  readonly proofs: ReadonlyMap<string, PrefixProofs>;
}

export function proofKey(retriever: string, anchorPosition: number): string {
  return `${retriever}@${anchorPosition}`;
}

/** What a run folder holds of one domain. */
export interface DomainArtefacts {
  readonly assets: DomainParts['assets'];
  readonly requests: CommittedRequests;
  /** [requests] texts; null where the run is redacted. */
  readonly texts: readonly (string | null)[];
  readonly products: Products;
  /** [requests] rows of the snapshot at each request, as the file has them. */
  readonly snapshots: Uint32Array;
  /** Vectors of requests that similarity is taken between. */
  readonly vectors: TextVectors;
  /** Base lists by retriever label. */
  readonly bases: ReadonlyMap<string, RankedBlock>;
  /** By `streamKey`. */
  readonly streams: ReadonlyMap<string, StoredStream>;
  /** By `streamKey`. */
  readonly proofs: ReadonlyMap<string, StoredProofs>;
}

/** Names that consecutive rows have in common. */
export interface ShardNames {
  readonly run_id: string;
  readonly domain: string;
  readonly stream: string;
  readonly seed: number;
  readonly retriever: string;
  readonly mechanism: string;
}

/** Which rows to read: those of one stream of one domain. */
export type StreamNames = Pick<ShardNames, 'domain' | 'stream' | 'seed'>;

export function streamKey(label: string, seed: number): string {
  return `${label}/${seed}`;
}

/** A run folder as the audit reads it; implemented by `store`. */
export interface RunArtefacts {
  readonly manifest: Manifest;
  /** The files that a run of this manifest consists of, in its order; rows as JSON Lines where they are in the folder. */
  files(): readonly string[];
  /** Digest of each file named in the manifest, recomputed; null where the file is not there. */
  digests(): AsyncIterable<{ readonly path: string; readonly sha256: string | null }>;
  /** Digest of each input that is still in place under the path it was read from; null where it is not. */
  inputDigests(): AsyncIterable<{ readonly domain: string; readonly name: string; readonly sha256: string | null }>;
  domain(name: string): Promise<DomainArtefacts>;
  /** Runs of rows that agree in the shard's names, in file order, with the number of rows of each. */
  shardRuns(): AsyncIterable<ShardNames & { readonly rows: number }>;
  /** Rows of one stream, shard by shard, in file order. */
  rows(of: StreamNames): AsyncIterable<RowTable>;
  /** The stored effects, parsed. */
  effects(): Promise<unknown>;
  effectsCsv(): Promise<string>;
  /** Digest that the rows as JSON Lines have when they are written from the Parquet file now; null in a run without. */
  jsonLinesDigest(): Promise<string | null>;
}
