import { canonicalJson } from '../commitment/canonicalJson.js';
import { MerkleLog } from '../commitment/merkleLog.js';
import { newSha256, sha256, sha256Hex } from '../commitment/sha256.js';
import { littleEndianBytes } from '../commitment/typedArrayBytes.js';
import type { Corpus } from '../corpus/corpus.js';
import type { RequestDependencies } from '../corpus/requestDependencies.js';
import type { EventLog } from '../memory/eventLog.js';
import { type RankedBlock, rankedRows, rankedScores } from '../retrieval/ranking.js';

/**
 * What the commitments of a run are taken over. Every function works on what a run directory holds, so that the audit
 * recomputes the same hashes from artefacts that the replay computed from inputs.
 */

/** The columns of a corpus that its commitment binds; `textHashes` stand for the texts. */
export interface CommittedAssets {
  readonly ids: readonly string[];
  readonly typeNames: readonly string[];
  readonly types: Uint16Array;
  readonly availableAt: Float64Array;
  readonly eventAt: Float64Array;
  /** SHA-256 (hexadecimal) of each asset's text. */
  readonly textHashes: readonly string[];
}

export function committedAssets(corpus: Corpus): CommittedAssets {
  const { ids, typeNames, types, availableAt, eventAt, texts } = corpus;
  return { ids, typeNames, types, availableAt, eventAt, textHashes: texts.map((text) => sha256Hex(text)) };
}

/** Entry of the asset log at a corpus row: canonical JSON, of which the Merkle leaf is taken. */
export function assetEntry(assets: CommittedAssets, row: number): string {
  return canonicalJson({
    id: assets.ids[row],
    type: assets.typeNames[assets.types[row]!],
    availableAt: finiteOrNull(assets.availableAt[row]!),
    eventAt: finiteOrNull(assets.eventAt[row]!),
    text: assets.textHashes[row],
  });
}

/** Merkle tree of the asset log, one leaf an asset, in availability order: the snapshot D_t is a prefix of it. */
export function assetMerkleLog(assets: CommittedAssets): MerkleLog {
  const log = new MerkleLog();
  for (let row = 0; row < assets.ids.length; row++) log.append(assetEntry(assets, row));
  return log;
}

/** Hash of the type vector: the asset types by name, row by row. */
export function typesHash(assets: Pick<CommittedAssets, 'typeNames' | 'types'>): string {
  return newSha256().update(canonicalJson(assets.typeNames)).update(littleEndianBytes(assets.types)).digest('hex');
}

/** The columns of a request set that its hash binds. */
export interface CommittedRequests {
  readonly ids: readonly string[];
  readonly textHashes: readonly string[];
  readonly observedAt: Float64Array;
  readonly feedbackAt: Float64Array;
  readonly dependsOn: RequestDependencies;
}

/** Hash of the requests and, apart from them, of their products. */
export function requestsHash(requests: CommittedRequests): string {
  const hash = newSha256();
  for (let request = 0; request < requests.ids.length; request++) {
    hash.update(
      canonicalJson([
        requests.ids[request],
        requests.textHashes[request],
        finiteOrNull(requests.observedAt[request]!),
        finiteOrNull(requests.feedbackAt[request]!),
        dependencyIds(requests.dependsOn, request, requests.ids),
      ]),
    );
  }
  return hash.digest('hex');
}

/** @param offsets [requests + 1] and @param rows as in `Products` */
export function productsHash(offsets: Uint32Array, rows: Uint32Array): string {
  return newSha256().update(littleEndianBytes(offsets)).update(littleEndianBytes(rows)).digest('hex');
}

/** Hash of one request's base list: rows, then scores, little-endian. */
export function baseListHash(base: RankedBlock, request: number): string {
  return newSha256()
    .update(littleEndianBytes(rankedRows(base, request)))
    .update(littleEndianBytes(rankedScores(base, request)))
    .digest('hex');
}

/** Hash of the index as rankings show it (PIT Discovery Table 3, "same embeddings and base ranks"). */
export function indexHash(retrieverHash: string, baseListHashes: readonly string[]): string {
  const hash = newSha256().update(`${retrieverHash}\n`);
  for (const list of baseListHashes) hash.update(`${list}\n`);
  return hash.digest('hex');
}

/** What the entries of an event log are made from, besides the log itself; all by request index. */
export interface EventContents {
  readonly requestIds: readonly string[];
  readonly vectorHashes: readonly string[];
  readonly baseListHashes: readonly string[];
}

/** Entry of the event log at a position: canonical JSON, of which the Merkle leaf is taken. */
export function eventEntry(log: EventLog, contents: EventContents, position: number): string {
  const request = log.requestAt[position]!;
  const dependsOn = dependencyIds(log.dependsOn, request, contents.requestIds);
  return canonicalJson({
    position,
    request: contents.requestIds[request],
    query: contents.vectorHashes[request],
    trace: contents.baseListHashes[request],
    depth: log.traceDepth,
    observedAt: log.observedAt[position],
    feedbackAt: log.feedbackAt[position],
    dependsOn: dependsOn.length > 0 ? dependsOn : undefined,
    recipe: log.recipe,
  });
}

/** Merkle tree of the event log, one leaf an event, in stream order: the memory before a request is a prefix of it. */
export function eventMerkleLog(log: EventLog, contents: EventContents): MerkleLog {
  const tree = new MerkleLog();
  for (let position = 0; position < log.size; position++) tree.append(eventEntry(log, contents, position));
  return tree;
}

/** Bytes of the hashes that are kept as bytes. */
export const hashBytes = 32;

/** SHA-256 of what a condition selected: positions, similarities and dependency times of the entries, in order. */
export function selectionHash(
  positions: Uint32Array,
  similarities: Float64Array,
  newestDependencyAt: Float64Array,
): Buffer {
  const bytes = Buffer.allocUnsafe(positions.byteLength + similarities.byteLength + newestDependencyAt.byteLength);
  bytes.set(littleEndianBytes(positions));
  bytes.set(littleEndianBytes(similarities), positions.byteLength);
  bytes.set(littleEndianBytes(newestDependencyAt), positions.byteLength + similarities.byteLength);
  return sha256(bytes);
}

/** SHA-256 of a ranking: corpus rows, best first, as 32-bit little-endian integers. */
export function rankingHash(rows: Uint32Array): Buffer {
  return sha256(littleEndianBytes(rows));
}

function dependencyIds({ offsets, requests }: RequestDependencies, request: number, ids: readonly string[]): string[] {
  return Array.from(requests.subarray(offsets[request]!, offsets[request + 1]!), (dependency) => ids[dependency]!);
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
