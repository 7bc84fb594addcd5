/**
 * A retriever for LlamaIndex.TS (`@llamaindex/core`, an optional peer).
 *
 * @module asof/llamaindex
 */

import type { QueryBundle } from '@llamaindex/core/query-engine';
import { BaseRetriever } from '@llamaindex/core/retriever';
import { type NodeWithScore, TextNode } from '@llamaindex/core/schema';
import { extractText } from '@llamaindex/core/utils';
import { type AsOfRetrieverOptions, metadataOf, searchSource } from './source.js';

export type { AsOfMetadata, AsOfRetrieverOptions, AsOfSource } from './source.js';

/** A LlamaIndex.TS retriever that finds only what was available as of t, with the statistics of t. */
export class AsOfRetriever extends BaseRetriever {
  readonly #options: AsOfRetrieverOptions;

  constructor(options: AsOfRetrieverOptions) {
    super();
    this.#options = options;
  }

  /** Hits of a query as scored nodes, best first. `retrieve` and query engines call it. */
  override async _retrieve(params: QueryBundle): Promise<NodeWithScore[]> {
    const answer = await searchSource(extractText(params.query), this.#options);
    return answer.hits.map((hit) => ({
      node: new TextNode({ id_: hit.id, text: hit.text, metadata: metadataOf(hit, answer) }),
      score: hit.score,
    }));
  }
}
