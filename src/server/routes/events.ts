import { Type } from 'typebox';
import { formatInstant } from '../../time/formatInstant.js';
import { type ServerContext, workspaceOf } from '../context.js';
import {
  count,
  exact,
  instantOf,
  instantParameter,
  instantText,
  memoryStateSchema,
  nullable,
  problemResponses,
} from '../schemas/common.js';
import type { ApiServer } from '../typeProvider.js';
import { pageOf } from './rows.js';

const eventParts = {
  id: Type.String({ minLength: 1, maxLength: 512 }),
  kind: Type.String({ minLength: 1, maxLength: 128 }),
  dependsOn: Type.Array(Type.String(), { description: 'Ids of the events that it was made from' }),
  data: Type.Unknown({ description: 'Any JSON value' }),
};

/** The log of interaction events: append, and read as of a time. */
export function eventRoutes(app: ApiServer, context: ServerContext): void {
  app.post(
    '/v1/events',
    {
      schema: {
        summary: 'Append events, in the order of their observation, all of them or none',
        tags: ['events'],
        body: exact({
          events: Type.Array(
            Type.Object({
              id: eventParts.id,
              observedAt: Type.Optional(instantParameter('When it was observed; now by default')),
              kind: Type.Optional(eventParts.kind),
              dependsOn: Type.Optional(eventParts.dependsOn),
              data: Type.Optional(eventParts.data),
            }),
            { minItems: 1, maxItems: 10_000 },
          ),
        }),
        response: {
          200: Type.Object({
            events: Type.Array(
              Type.Object({
                id: Type.String(),
                position: count,
                appended: Type.Boolean({ description: 'False when the log held the very same event already' }),
              }),
            ),
            log: Type.Object({ size: count, root: Type.String() }),
          }),
          ...problemResponses,
        },
      },
    },
    async ({ body }) => {
      const { events } = workspaceOf(context).shared;
      const now = context.now();
      const appended = await events.append(
        body.events.map(({ id, observedAt, kind = 'event', dependsOn = [], data = null }) => ({
          id,
          observedAt: instantOf('observedAt', observedAt) ?? now,
          kind,
          dependsOn,
          data,
        })),
      );
      return { events: appended, log: events.log };
    },
  );

  app.get(
    '/v1/events',
    {
      schema: {
        summary: 'Events observed strictly before a time, in the order of the log, a page at a time',
        tags: ['events'],
        querystring: exact({
          before: Type.Optional(instantParameter('Observed strictly before; everything by default')),
          from: Type.Optional(Type.Integer({ minimum: 0, description: 'First position of the page' })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e9 })),
        }),
        response: {
          200: Type.Object({
            total: count,
            events: Type.Array(Type.Object({ position: count, ...eventParts, observedAt: instantText })),
            /** Null when no time was given: the whole log is its own state. */
            memory: nullable(memoryStateSchema),
            log: Type.Object({ size: count, root: Type.String() }),
          }),
          ...problemResponses,
        },
      },
    },
    async ({ query }) => {
      const { events } = workspaceOf(context).shared;
      await events.refresh();
      const before = instantOf('before', query.before);
      const { from = 0 } = query;
      const limit = pageOf(query.limit, context.limits.pageRows);
      const page = await events.read({ before, from, limit });
      return {
        total: events.countBefore(before),
        events: page.map(({ position, event }) => ({
          position,
          ...event,
          dependsOn: [...event.dependsOn],
          observedAt: formatInstant(event.observedAt),
        })),
        memory: before === undefined ? null : { ...events.stateBefore(before), before: formatInstant(before) },
        log: events.log,
      };
    },
  );
}
