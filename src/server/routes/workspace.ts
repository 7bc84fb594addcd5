import { Type } from 'typebox';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { statusJson } from '../../store/workspace/statusJson.js';
import { datedVersionJson, versionJson } from '../../store/workspace/versionJson.js';
import { formatInstant } from '../../time/formatInstant.js';
import { type ServerContext, workspaceOf } from '../context.js';
import {
  anyObject,
  count,
  exact,
  instantOf,
  instantParameter,
  instantText,
  nullable,
  problemResponses,
  stateSchema,
} from '../schemas/common.js';
import type { ApiServer } from '../typeProvider.js';

const versionSchema = Type.Object({
  type: Type.String(),
  title: nullable(Type.String()),
  text: Type.String(),
  entities: Type.Array(Type.String()),
  fields: Type.Unknown({ description: 'Further fields of the record, as they were' }),
  eventAt: instantText,
  availableAt: instantText,
  materializedAt: instantText,
  contentHash: Type.String(),
});

const datedVersionSchema = Type.Object({
  ...versionSchema.properties,
  endsAt: nullable(instantText),
  endedBy: nullable(Type.Union([Type.Literal('version'), Type.Literal('withdrawal')])),
});

const timelineBins = { default: 120, most: 1000 };

/** What the workspace holds, and its assets as of any time. */
export function workspaceRoutes(app: ApiServer, context: ServerContext): void {
  const asOfQuery = exact({ asOf: Type.Optional(instantParameter('Answer as of this time; now by default')) });

  app.get(
    '/v1/status',
    {
      schema: {
        summary: 'What the workspace holds, in figures, and the log that was read',
        tags: ['workspace'],
        querystring: asOfQuery,
        response: { 200: anyObject<ReturnType<typeof statusJson>>('Status'), ...problemResponses },
      },
    },
    async ({ query }) => {
      const asOf = instantOf('asOf', query.asOf) ?? context.now();
      return workspaceOf(context).shared.use(async (workspace) => {
        const status = await workspace.storage.status(asOf);
        context.metrics.logSize.set(status.log.size);
        return statusJson(status);
      });
    },
  );

  app.get(
    '/v1/timeline',
    {
      schema: {
        summary: 'How many versions became available, or say they happened, by equal spans of time',
        tags: ['workspace'],
        querystring: exact({
          bins: Type.Optional(Type.Integer({ minimum: 1, maximum: timelineBins.most, default: timelineBins.default })),
          by: Type.Optional(
            Type.Enum(['availableAt', 'eventAt'], { description: 'Which clock; availability by default' }),
          ),
        }),
        response: {
          200: Type.Object({
            first: nullable(instantText),
            last: nullable(instantText),
            newest: nullable(instantText),
            bins: Type.Array(Type.Object({ from: instantText, to: instantText, versions: count })),
          }),
          ...problemResponses,
        },
      },
    },
    async ({ query }) => {
      const bins = query.bins ?? timelineBins.default;
      return workspaceOf(context).shared.use(async (workspace) => {
        const instants = (await workspace.storage.segments()).map((segment) => segment[query.by ?? 'availableAt']);
        return timelineOf(instants, bins, workspace.storage.state.newest);
      });
    },
  );

  app.get(
    '/v1/assets/:id',
    {
      schema: {
        summary: 'What an asset said as of a time, with the state that answered',
        tags: ['workspace'],
        params: Type.Object({ id: Type.String() }),
        querystring: asOfQuery,
        response: {
          200: Type.Object({
            id: Type.String(),
            asOf: instantText,
            version: nullable(versionSchema),
            state: stateSchema,
          }),
          ...problemResponses,
        },
      },
    },
    async ({ params, query }) => {
      const asOf = instantOf('asOf', query.asOf) ?? context.now();
      return workspaceOf(context).shared.use(async (workspace) => {
        const shown = await workspace.show(params.id, asOf);
        const version = shown.version === undefined ? null : versionJson(shown.version);
        return {
          id: params.id,
          asOf: formatInstant(asOf),
          version,
          state: { ...shown.state, asOf: formatInstant(asOf) },
        };
      });
    },
  );

  app.get(
    '/v1/assets/:id/versions',
    {
      schema: {
        summary: 'Every version of an asset, with the interval in which it was current',
        tags: ['workspace'],
        params: Type.Object({ id: Type.String() }),
        querystring: exact({
          asOf: Type.Optional(instantParameter('Only what was known by then; everything by default')),
        }),
        response: {
          200: Type.Object({ id: Type.String(), versions: Type.Array(datedVersionSchema) }),
          ...problemResponses,
        },
      },
    },
    async ({ params, query }) => {
      const asOf = instantOf('asOf', query.asOf);
      return workspaceOf(context).shared.use(async (workspace) => {
        const all = await workspace.storage.versions(params.id);
        if (all.length === 0) {
          throw new MissingResourceError({
            resource: `asset ${JSON.stringify(params.id)}`,
            remedy: 'it was never here',
          });
        }
        const known = all.filter(({ availableAt }) => asOf === undefined || availableAt <= asOf);
        const versions = known.map((version) =>
          // As of then, nothing was known of what ended later.
          asOf !== undefined && version.endsAt !== undefined && version.endsAt > asOf
            ? { ...version, endsAt: undefined, endedBy: undefined }
            : version,
        );
        return { id: params.id, versions: versions.map(datedVersionJson) };
      });
    },
  );

  app.post(
    '/v1/withdrawals',
    {
      schema: {
        summary: 'End the availability of assets, all of them or none',
        tags: ['workspace'],
        body: exact({
          ids: Type.Array(Type.String(), { minItems: 1, maxItems: 10_000 }),
          at: Type.Optional(instantParameter('First instant at which they are gone; now by default')),
        }),
        querystring: exact({
          backfill: Type.Optional(Type.Boolean({ description: 'Allow a time before the newest in the log' })),
        }),
        response: {
          200: Type.Object({ withdrawn: count, log: Type.Object({ size: count, root: Type.String() }) }),
          ...problemResponses,
        },
      },
    },
    async ({ body, query }) => {
      if (new Set(body.ids).size < body.ids.length) {
        throw new InvalidArgumentError({ argument: 'ids', value: body.ids, expected: 'each id once' });
      }
      const at = instantOf('at', body.at);
      const { queue } = workspaceOf(context);
      const leave = queue.enter();
      return queue.withdraw({ ids: body.ids, at, backfill: query.backfill, now: context.now }).finally(leave);
    },
  );
}

/** @param columns instants by segment, in any order */
function timelineOf(columns: readonly Float64Array[], bins: number, newest: number | null) {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const column of columns) {
    for (const instant of column) {
      if (instant < first) first = instant;
      if (instant > last) last = instant;
    }
  }
  if (first > last) return { first: null, last: null, newest: null, bins: [] };
  const width = Math.ceil((last - first + 1) / bins);
  const counts = new Uint32Array(Math.ceil((last - first + 1) / width));
  for (const column of columns) for (const instant of column) counts[Math.floor((instant - first) / width)]!++;
  return {
    first: formatInstant(first),
    last: formatInstant(last),
    newest: newest === null ? null : formatInstant(newest),
    bins: Array.from(counts, (versions, bin) => ({
      from: formatInstant(first + bin * width),
      to: formatInstant(Math.min(last, first + (bin + 1) * width)),
      versions,
    })),
  };
}
