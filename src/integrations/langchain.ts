/**
 * A retriever for LangChain.js (`@langchain/core`, an optional peer).
 *
 * @module asof/langchain
 */

import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { type AsOfMetadata, type AsOfRetrieverOptions, metadataOf, searchSource } from './source.js';

export type { AsOfMetadata, AsOfRetrieverOptions, AsOfSource } from './source.js';

/** A LangChain.js retriever that finds only what was available as of t, with the statistics of t. */
export class AsOfRetriever extends BaseRetriever<AsOfMetadata> {
  override lc_namespace = ['asof', 'retrievers'];
  readonly #options: AsOfRetrieverOptions;

  /** Name of the class, for traces. */
  static override lc_name(): string {
    return 'AsOfRetriever';
  }

  constructor(options: AsOfRetrieverOptions & BaseRetrieverInput) {
    const { callbacks, tags, metadata, verbose, ...search } = options;
    super({
      ...(callbacks !== undefined && { callbacks }),
      ...(tags !== undefined && { tags }),
      ...(metadata !== undefined && { metadata }),
      ...(verbose !== undefined && { verbose }),
    });
    this.#options = search;
  }

  /** Hits of a query as documents, best first. `invoke` and chains call it. */
  override async _getRelevantDocuments(query: string): Promise<Document<AsOfMetadata>[]> {
    const answer = await searchSource(query, this.#options);
    return answer.hits.map(
      (hit) => new Document({ id: hit.id, pageContent: hit.text, metadata: metadataOf(hit, answer) }),
    );
  }
}
