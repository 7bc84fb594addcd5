import { Type } from 'typebox';
import type { ServerContext } from '../context.js';
import type { ApiServer } from '../typeProvider.js';

/** `/healthz`: the process answers, and what it serves. */
export function healthRoutes(app: ApiServer, { version, workspace, runs }: ServerContext): void {
  app.get(
    '/healthz',
    {
      schema: {
        summary: 'Whether the server answers',
        tags: ['server'],
        response: {
          200: Type.Object({
            status: Type.Literal('ok'),
            version: Type.String(),
            workspace: Type.Boolean({ description: 'Whether a workspace is served' }),
            runs: Type.Integer({ minimum: 0 }),
          }),
        },
      },
    },
    async () => ({
      status: 'ok' as const,
      version,
      workspace: workspace !== undefined,
      runs: (await runs.names()).length,
    }),
  );
}
