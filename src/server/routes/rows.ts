import { Type } from 'typebox';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { inRun, runLayout } from '../../store/runs/layout.js';
import type { CellValue } from '../../store/runs/RunRows.js';
import { type AnchorDetails, readAnchor } from '../../store/runs/readAnchor.js';
import type { ServerContext } from '../context.js';
import { anyObject, count, exact, problemResponses } from '../schemas/common.js';
import type { ApiServer } from '../typeProvider.js';
import { missing, runParams } from './runs.js';

const textFilters = ['domain', 'stream', 'retriever', 'mechanism', 'condition', 'request_id'] as const;
const numberFilters = ['seed', 'quartile', 'anchor_position'] as const;

/** Columns that rows have when none are asked for: those that fit a line. */
const shortColumns = [
  'domain',
  'stream',
  'seed',
  'retriever',
  'mechanism',
  'condition',
  'anchor_position',
  'quartile',
  'request_id',
  'anchor_clock',
  'slots_filled',
  'future_slots',
  'tvr',
  'list_length',
] as const;

const list = <T extends string>(names: readonly T[], type: 'text' | 'number') =>
  Object.fromEntries(
    names.map((name) => [
      name,
      Type.Optional(
        Type.Array(type === 'text' ? Type.String() : Type.Integer(), { description: `${name}, one of these` }),
      ),
    ]),
  );

const rowsQuery = exact({
  ...(list(textFilters, 'text') as Record<(typeof textFilters)[number], ReturnType<typeof optionalTexts>>),
  ...(list(numberFilters, 'number') as Record<(typeof numberFilters)[number], ReturnType<typeof optionalNumbers>>),
  columns: Type.Optional(
    Type.String({ description: 'Names with commas between, or `all`; those that fit a line by default' }),
  ),
  sort: Type.Optional(
    Type.String({ description: 'Names with commas between; -name descends; the order of the run by default' }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e9 })),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e9, description: 'Rows of the page; 100 by default' })),
});

const optionalTexts = () => Type.Optional(Type.Array(Type.String()));
const optionalNumbers = () => Type.Optional(Type.Array(Type.Integer()));

const shardQuery = {
  domain: Type.String(),
  stream: Type.String(),
  seed: Type.Integer(),
  retriever: Type.String(),
  mechanism: Type.String(),
};

/** Rows of a run, out of Parquet through DuckDB. */
export function rowRoutes(app: ApiServer, { runs, limits }: ServerContext): void {
  app.get(
    '/v1/runs/:run/rows',
    {
      schema: {
        summary: 'Rows of a run: one for each anchor and condition, filtered, sorted, a page at a time',
        tags: ['runs'],
        params: runParams,
        querystring: rowsQuery,
        response: {
          200: Type.Object({
            total: count,
            offset: count,
            columns: Type.Array(Type.String()),
            rows: Type.Array(Type.Array(Type.Unsafe<CellValue>({}))),
          }),
          ...problemResponses,
        },
      },
    },
    async ({ params, query }) => {
      const run = await runs.reader(params.run);
      const { columns, sort, offset = 0, limit: _limit, ...filters } = query;
      const limit = pageOf(query.limit, limits.pageRows);
      const short = [...shortColumns, ...run.manifest.metrics];
      const where = Object.fromEntries(Object.entries(filters).filter(([, values]) => values !== undefined));
      const page = await runs.rows.page(inRun(run.folder, runLayout.rows), {
        where: where as Record<string, (string | number)[]>,
        ...(columns !== 'all' && { columns: columns === undefined ? short : namesOf(columns) }),
        sort: sort === undefined ? [] : namesOf(sort),
        offset,
        limit,
      });
      return { ...page, offset } as { total: number; offset: number; columns: string[]; rows: CellValue[][] };
    },
  );

  app.get(
    '/v1/runs/:run/shards',
    {
      schema: {
        summary: 'The shards of a run: one stream of one domain, as one retriever and mechanism saw it',
        tags: ['runs'],
        params: runParams,
        response: {
          200: Type.Object({
            shards: Type.Array(Type.Object({ ...shardQuery, rows: count })),
            conditions: Type.Array(Type.String(), { description: 'What the rows of each anchor are of' }),
          }),
          ...problemResponses,
        },
      },
    },
    async ({ params }) => {
      const { manifest } = await runs.reader(params.run);
      return {
        conditions: manifest.conditions,
        shards: manifest.domains.flatMap((domain) =>
          domain.shards.map(({ stream, seed, retriever, mechanism, rows }) => ({
            domain: domain.name,
            stream,
            seed,
            retriever,
            mechanism,
            rows,
          })),
        ),
      };
    },
  );

  app.get(
    '/v1/runs/:run/anchors/:position',
    {
      schema: {
        summary: 'One anchor: its base list, and what the memory of each condition selected and made of it',
        tags: ['runs'],
        params: Type.Object({ ...runParams.properties, position: Type.Integer({ minimum: 0 }) }),
        querystring: exact({
          ...shardQuery,
          depth: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1000, description: 'Entries of lists; 20 by default' }),
          ),
        }),
        response: { 200: anyObject<AnchorDetails>('The anchor'), ...problemResponses },
      },
    },
    async ({ params, query }) => {
      const run = await runs.reader(params.run);
      const { depth = 20, ...shard } = query;
      const anchor = await readAnchor(run, runs.rows, { ...shard, position: params.position }, depth);
      if (anchor !== undefined) return anchor;
      throw missing(
        `anchor ${params.position} of ${Object.values(shard).join(' / ')}`,
        'GET /v1/runs/:run/rows lists the anchors',
      );
    },
  );
}

/**
 * Length of a page: what was asked for, 100 by default.
 * @throws InvalidArgumentError for a page longer than the server gives
 */
export function pageOf(limit: number | undefined, most: number): number {
  if (limit === undefined) return Math.min(100, most);
  if (limit <= most) return limit;
  throw new InvalidArgumentError({ argument: 'limit', value: limit, expected: `at most ${most}` });
}

function namesOf(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}
