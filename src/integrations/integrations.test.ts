import { RunnableLambda } from '@langchain/core/runnables';
import { describe, expect, it, vi } from 'vitest';
import { searchableForTest } from '../search/testing/searchableForTest.js';
import { AsOfRetriever as LangChainRetriever } from './langchain.js';
import { AsOfRetriever as LlamaIndexRetriever } from './llamaindex.js';

// Every change of a workspace is flushed to disk.
vi.setConfig({ testTimeout: 60_000 });

async function source() {
  const { workspace, ingest } = await searchableForTest();
  await ingest([
    { id: 'a', text: 'cat', availableAt: 10 },
    { id: 'b', text: 'cat dog', availableAt: 20 },
  ]);
  return workspace;
}

describe('the LangChain.js retriever', () => {
  it('gives documents as of t to a chain, with clocks, scores and state beside them', async () => {
    const workspace = await source();
    const retriever = new LangChainRetriever({ source: workspace, asOf: 19, mode: 'lexical', tags: ['test'] });
    const answer = await workspace.search('cat', { asOf: 19, mode: 'lexical' });
    const documents = await retriever.invoke('cat');
    expect(documents).toMatchObject([
      {
        id: 'a',
        pageContent: 'cat',
        metadata: {
          asOf: '1970-01-01T00:00:00.019Z',
          availableAt: '1970-01-01T00:00:00.010Z',
          score: answer.hits[0]!.score,
          corpusRoot: answer.state.corpus.root,
          modelHash: answer.state.model.hash,
        },
      },
    ]);
    const chain = retriever.pipe(RunnableLambda.from((found: { id?: string }[]) => found.map(({ id }) => id)));
    expect(await chain.invoke('cat')).toEqual(['a']);
  });

  it('asks its clock with every query', async () => {
    let now = 9;
    const retriever = new LangChainRetriever({ source: await source(), asOf: () => now, limit: 1 });
    expect(await retriever.invoke('dog')).toEqual([]);
    now = 20;
    expect(await retriever.invoke('dog')).toMatchObject([{ id: 'b' }]);
    expect(await retriever.batch(['dog', 'emu'])).toMatchObject([[{ id: 'b' }], []]);
  });
});

describe('the LlamaIndex.TS retriever', () => {
  it('gives scored nodes as of t', async () => {
    const workspace = await source();
    const retriever = new LlamaIndexRetriever({ source: workspace, asOf: 25, mode: 'semantic' });
    const nodes = await retriever.retrieve('cat dog');
    const { hits } = await workspace.search('cat dog', { asOf: 25, mode: 'semantic' });
    expect(nodes.map(({ node, score }) => [node.id_, score])).toEqual(hits.map(({ id, score }) => [id, score]));
    expect(nodes[0]!.node.metadata).toMatchObject({ id: 'b', eventAt: '1970-01-01T00:00:00.020Z' });
    expect(await new LlamaIndexRetriever({ source: workspace, asOf: 5 }).retrieve({ query: 'cat' })).toEqual([]);
  });
});
