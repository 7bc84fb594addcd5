import { type Static, Type } from 'typebox';
import { freshnessMethods } from '../../retrieval/freshness/options.js';
import { type AnswerJson, answerJson } from '../../search/answerJson.js';
import type { AsOfSearchOptions } from '../../search/SearchableWorkspace.js';
import { searchModes } from '../../search/settings.js';
import { type ServerContext, workspaceOf } from '../context.js';
import { anyObject, durationOf, exact, instantOf, instantParameter, problemResponses } from '../schemas/common.js';
import type { ApiServer } from '../typeProvider.js';
import { pageOf } from './rows.js';

/** Every option of a search, as a query gives it. */
export const searchParameters = {
  q: Type.String({ minLength: 1, maxLength: 4096, description: 'What to look for' }),
  asOf: Type.Optional(instantParameter('Answer as of this time; now by default')),
  mode: Type.Optional(Type.Enum([...searchModes], { description: 'What relevance is; `fresh` by default' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e9, description: 'Hits at most; 10 by default' })),
  from: Type.Optional(instantParameter('Only assets with an event time from here on')),
  to: Type.Optional(instantParameter('Only assets with an event time before this')),
  pool: Type.Optional(Type.Integer({ minimum: 1, description: 'Only the best so many by relevance take part' })),
  fusion: Type.Optional(Type.Enum(['convex', 'rrf'], { description: 'How `hybrid` fuses; convex by default' })),
  semanticWeight: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Weight of cosine in convex fusion' }),
  ),
  freshness: Type.Optional(Type.Enum([...freshnessMethods], { description: 'How age counts beside relevance' })),
  alpha: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Weight of relevance against recency' })),
  halfLife: Type.Optional(Type.String({ description: 'Age at which recency counts half, such as 14d; or `adaptive`' })),
  approximate: Type.Optional(Type.Boolean({ description: 'Look for meaning through graphs; scores stay exact' })),
  interpretTime: Type.Optional(
    Type.Boolean({
      description: 'Whether words such as `latest` or `in 2019` say something about time; true by default',
    }),
  ),
  floor: Type.Optional(Type.Number({ description: 'Candidates of a lower relevance are left out, however fresh' })),
};

const searchQuery = exact(searchParameters);

/** The library's options for a query's parameters. */
export function searchOptionsOf(query: Static<typeof searchQuery>, mostHits: number): Omit<AsOfSearchOptions, 'asOf'> {
  const { mode, from, to, pool, fusion, semanticWeight, freshness: method, alpha, halfLife, floor } = query;
  const span = halfLife === 'adaptive' ? halfLife : durationOf('halfLife', halfLife);
  const hasFreshness = [method, alpha, span, floor].some((value) => value !== undefined);
  return {
    mode,
    limit: query.limit === undefined ? undefined : pageOf(query.limit, mostHits),
    from: instantOf('from', from),
    to: instantOf('to', to),
    pool,
    fusion,
    semanticWeight,
    approximate: query.approximate,
    interpretTime: query.interpretTime,
    ...(hasFreshness && { freshness: { method, alpha, halfLife: span, floor } }),
  };
}

/** Search as of any time. */
export function searchRoutes(app: ApiServer, context: ServerContext): void {
  app.get(
    '/v1/search',
    {
      schema: {
        summary: 'Search the corpus as it was at a time, with the statistics of that time',
        description:
          'Every hit explains itself; the answer names the state of corpus and model that it was computed from.',
        tags: ['search'],
        querystring: searchQuery,
        response: { 200: anyObject<AnswerJson>('The answer'), ...problemResponses },
      },
    },
    async ({ query }) => {
      const options = searchOptionsOf(query, context.limits.pageRows);
      const asOf = instantOf('asOf', query.asOf) ?? context.now();
      const { shared } = workspaceOf(context);
      return shared.use(async (workspace) => answerJson(await workspace.search(query.q, { ...options, asOf })));
    },
  );

  app.get(
    '/v1/search/modes',
    {
      schema: {
        summary: 'Which modes of search this workspace can answer: those with vectors need it to be embedded',
        tags: ['search'],
        response: {
          200: Type.Object({
            modes: Type.Array(Type.Enum([...searchModes])),
            embedder: Type.Union([Type.Object({ id: Type.String(), hash: Type.String() }), Type.Null()]),
          }),
          ...problemResponses,
        },
      },
    },
    async () =>
      workspaceOf(context).shared.use(async (workspace) => {
        const embedder = await workspace.embedder();
        const modes = searchModes.filter((mode) => embedder !== undefined || mode === 'fresh' || mode === 'lexical');
        return { modes, embedder: embedder === undefined ? null : { id: embedder.id, hash: embedder.hash } };
      }),
  );
}
