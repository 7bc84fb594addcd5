import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { type AsOfMetadata, type AsOfRetrieverOptions, metadataOf, searchSource } from './source.js';

export type { AsOfMetadata, AsOfRetrieverOptions, AsOfSource } from './source.js';

/** A LangChain.js retriever that finds only what was available as of t, with the statistics of t. */
export class AsOfRetriever extends BaseRetriever<AsOfMetadata> {
  override lc_namespace = ['asof', 'retrievers'];
  readonly #options: AsOfRetrieverOptions;

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

  override async _getRelevantDocuments(query: string): Promise<Document<AsOfMetadata>[]> {
    const answer = await searchSource(query, this.#options);
    return answer.hits.map(
      (hit) => new Document({ id: hit.id, pageContent: hit.text, metadata: metadataOf(hit, answer) }),
    );
  }
}
