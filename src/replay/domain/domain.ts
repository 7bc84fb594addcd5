import type { Points } from '../../clustering/types.js';
import type { MerkleLog } from '../../commitment/merkleLog.js';
import { snapshotSize } from '../../corpus/corpus.js';
import type { Dataset } from '../../corpus/dataset.js';
import type { Products } from '../../corpus/products.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { vectorHashes } from '../../memory/vectorSimilarity.js';
import type { RankedBlock } from '../../retrieval/ranking.js';
import type { TextVectors } from '../../retrieval/vectors.js';
import {
  assetMerkleLog,
  baseListHash,
  type CommittedAssets,
  type CommittedRequests,
  indexHash,
  productsHash,
  requestsHash,
  typesHash,
} from '../commitments.js';
import type { Experiment } from '../experiment/experiment.js';
import { describeMechanism } from '../mechanisms/createMechanism.js';
import { type DomainModels, domainModels, type ModelContents } from './models.js';

/** A base retriever over a domain: its lists, fixed before any condition is replayed. */
export interface RetrieverLists {
  readonly label: string;
  readonly hash: string;
  /** Content of the corpus statistics that it was fitted with; null where it has none, or takes them at the anchor. */
  readonly statistics: string | null;
  /** Lists by request index. */
  readonly base: RankedBlock;
}

/** The parts of a domain that rows are computed from. A run folder keeps all of them. */
export interface DomainParts {
  readonly name: string;
  readonly assets: CommittedAssets & { readonly idOrder: Uint32Array };
  readonly requests: CommittedRequests;
  readonly products: Products;
  /** [requests] rows of the snapshot at each request. */
  readonly visibleRows: Uint32Array;
  readonly similarity: ModelContents['similarity'] & { readonly vectors: TextVectors };
  readonly embedder: ModelContents['embedder'];
  readonly retrievers: readonly RetrieverLists[];
}

export interface CommittedRetriever extends RetrieverLists {
  readonly listHashes: readonly string[];
  readonly indexHash: string;
}

/** A domain with its commitments: everything that its streams share. */
export interface ReplayDomain extends DomainParts {
  readonly retrievers: readonly CommittedRetriever[];
  /** The asset log; a snapshot is a prefix of it. */
  readonly assetTree: MerkleLog;
  readonly typesHash: string;
  readonly requestsHash: string;
  readonly productsHash: string;
  /** SHA-256 of the vector of each request. */
  readonly vectorHashes: readonly string[];
  readonly models: DomainModels;
}

/** A domain as it comes from its inputs. */
export interface PreparedDomain extends ReplayDomain {
  readonly dataset: Dataset;
  /** The requests as points, which semantic streams cluster. */
  readonly points: () => Points;
}

/** Commits to the parts of a domain: hashes, trees and the versions of its models. */
export function commitDomain(parts: DomainParts, experiment: Experiment): ReplayDomain {
  const { assets, requests, products, visibleRows, similarity, embedder } = parts;
  const assetTree = assetMerkleLog(assets);
  const retrievers = parts.retrievers.map((retriever) => {
    const listHashes = requests.ids.map((_, request) => baseListHash(retriever.base, request));
    return { ...retriever, listHashes, indexHash: indexHash(retriever.hash, listHashes) };
  });
  return {
    ...parts,
    retrievers,
    assetTree,
    typesHash: typesHash(assets),
    requestsHash: requestsHash(requests),
    productsHash: productsHash(products.offsets, products.rows),
    vectorHashes: vectorHashes(similarity.vectors),
    models: domainModels(
      experiment,
      { embedder, similarity, retrievers },
      experiment.mechanisms.map((spec) => describeMechanism(spec)),
      { tree: assetTree, availableAt: assets.availableAt, visibleRows },
    ),
  };
}

/**
 * Rows of the snapshot at each request: the whole corpus under the paper's frozen reading; D_t at the request's own time
 * under the as-of reading.
 * @param source name of the domain for messages
 * @throws InvalidInputError when a request has no time that the corpus could be read as of
 */
export function snapshotsAt(
  assets: Pick<CommittedAssets, 'availableAt'>,
  requests: Pick<CommittedRequests, 'ids' | 'observedAt'>,
  reading: Experiment['corpus'],
  source: string,
): Uint32Array {
  const { availableAt } = assets;
  const size = availableAt.length;
  return Uint32Array.from(requests.ids, (id, request) => {
    if (reading === 'frozen') return size;
    const observedAt = requests.observedAt[request]!;
    if (Number.isNaN(observedAt)) {
      throw new InvalidInputError({
        location: { file: source, field: `request ${id}: observedAt` },
        expected: 'an observation time for every request where the corpus is read as of it',
      });
    }
    return snapshotSize({ size, availableAt }, observedAt);
  });
}
