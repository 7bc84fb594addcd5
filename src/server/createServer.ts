import { existsSync } from 'node:fs';
import cors from '@fastify/cors';
import fastifyStatic from '@fastify/static';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import type { Embedder } from '../embedding/Embedder.js';
import { RequestRefusedError } from '../errors/RequestRefusedError.js';
import type { Instant } from '../time/instant.js';
import type { ServedWorkspace, ServerContext } from './context.js';
import { IdempotencyKeys } from './ingest/IdempotencyKeys.js';
import { IngestQueue } from './ingest/IngestQueue.js';
import { defaultLimits, type ServerLimits } from './limits.js';
import { guard } from './plugins/guard.js';
import { httpServer } from './plugins/httpServer.js';
import { ServerMetrics } from './plugins/metrics.js';
import { answerError, answerProblems, refuseOtherMethods } from './plugins/problems.js';
import { auditRoutes } from './routes/audits.js';
import { eventRoutes } from './routes/events.js';
import { healthRoutes } from './routes/health.js';
import { ingestRoutes } from './routes/ingest.js';
import { rowRoutes } from './routes/rows.js';
import { runRoutes } from './routes/runs.js';
import { searchRoutes } from './routes/search.js';
import { topicRoutes } from './routes/topics.js';
import { workspaceRoutes } from './routes/workspace.js';
import { RunAudits } from './runs/RunAudits.js';
import { RunLibrary } from './runs/RunLibrary.js';
import { SharedWorkspace } from './SharedWorkspace.js';
import { TopicService } from './topics/TopicService.js';
import type { ApiServer } from './typeProvider.js';

export interface ServerOptions {
  readonly version: string;
  /** Folder of a workspace; none is served when absent. */
  readonly workspace?: string | undefined;
  /** Folders of runs, or of folders of runs. */
  readonly runs?: readonly string[] | undefined;
  /** Folder of the built dashboard; none is served when absent. */
  readonly dashboard?: string | undefined;
  /** Requests must carry it, when given. Without one the server answers only to loopback names. */
  readonly token?: string | undefined;
  /** Origins of other sites whose pages may ask; none by default. */
  readonly origins?: readonly string[] | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
  /** What embeds texts for topics; by default the workspace's own embedder, else all-MiniLM-L6-v2. */
  readonly embedder?: Embedder | undefined;
  readonly logger?: FastifyBaseLogger | undefined;
  /** The one clock. */
  readonly now: () => Instant;
}

/** Of every answer; pages of this server may load nothing from anywhere else. */
const securityHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * The HTTP server over a workspace and runs, not listening yet. `close` ends it: requests at work are answered, the last
 * ingest is finished, files are closed.
 */
export async function createServer(options: ServerOptions): Promise<ApiServer> {
  const limits = { ...defaultLimits, ...options.limits };
  const metrics = new ServerMetrics();
  const runs = await RunLibrary.open(options.runs ?? []);
  const workspace =
    options.workspace === undefined ? undefined : await serve(options.workspace, options, limits, metrics);
  const dashboard = options.dashboard !== undefined && existsSync(options.dashboard) ? options.dashboard : undefined;
  const audits = new RunAudits(options.now);
  const context: ServerContext = {
    version: options.version,
    workspace,
    runs,
    audits,
    limits,
    metrics,
    now: options.now,
  };

  const app: ApiServer = Fastify({
    ...(options.logger === undefined ? { logger: false } : { loggerInstance: options.logger }),
    bodyLimit: limits.bodyBytes,
    serverFactory: httpServer(limits),
    // The server answers for itself.
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) =>
      answerError(error, request as never, reply.headers(securityHeaders) as never),
    // Refused below, as a problem.
    return503OnClosing: false,
    handlerTimeout: limits.answerTime,
    forceCloseConnections: 'idle',
    // As long as a request line may be: an id is what it is.
    routerOptions: { maxParamLength: 16_384 },
    // Numbers and lists arrive as texts in queries; nothing else is made to fit, and nothing unknown passes.
    ajv: { customOptions: { coerceTypes: 'array', removeAdditional: false, allErrors: false } },
  });
  // Only JSON, and records where they belong: a text that a foreign form could send is none of them.
  app.removeContentTypeParser('text/plain');
  answerProblems(app as never, dashboard !== undefined);
  const refuseOthers = refuseOtherMethods(app as never);
  guard(app as never, { token: options.token, origins: options.origins ?? [] });
  if (options.origins !== undefined && options.origins.length > 0) {
    await app.register(cors, {
      origin: [...options.origins],
      allowedHeaders: ['authorization', 'content-type', 'idempotency-key'],
    });
  }
  // A connection that is kept alive would keep the server up: those at work when it ends are closed with their answer.
  let isEnding = false;
  app.addHook('preClose', async () => {
    isEnding = true;
  });
  app.addHook('onRequest', async () => {
    if (!isEnding) return;
    throw new RequestRefusedError({ code: 'ASOF_ENDING', status: 503, message: 'the server is ending' });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isEnding) reply.header('connection', 'close');
    reply.headers(securityHeaders);
  });
  metrics.register(app as never);
  await describeApi(app, options);

  for (const register of [
    healthRoutes,
    workspaceRoutes,
    searchRoutes,
    topicRoutes,
    ingestRoutes,
    eventRoutes,
    runRoutes,
    rowRoutes,
    auditRoutes,
  ]) {
    register(app, context);
  }
  if (dashboard !== undefined) await serveDashboard(app, dashboard);
  refuseOthers();
  app.addHook('onClose', async () => {
    await workspace?.queue.close();
    await workspace?.topics.close();
    await workspace?.shared.close();
    await audits.close();
    await runs.close();
  });
  return app;
}

async function serve(
  folder: string,
  { embedder, now }: ServerOptions,
  limits: ServerLimits,
  metrics: ServerMetrics,
): Promise<ServedWorkspace> {
  return {
    shared: await SharedWorkspace.open(folder),
    queue: new IngestQueue(folder, limits.waitingIngests, (places) => metrics.waitingIngests.set(places)),
    keys: new IdempotencyKeys(folder, now),
    topics: new TopicService(embedder),
  };
}

async function describeApi(app: ApiServer, { version, token }: ServerOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'asof',
        version,
        description:
          'Time-honest retrieval: what could this system have returned at time t? Every answer names the state that it was computed from.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'search', description: 'As of any time' },
        { name: 'topics', description: 'Topics and trends as they were known' },
        { name: 'workspace', description: 'A collection, as of any time' },
        { name: 'events', description: 'Memory: the log of interaction events' },
        { name: 'runs', description: 'Replays' },
        { name: 'audit', description: 'Contract checks and certificates' },
        { name: 'server', description: 'The server itself' },
      ],
      ...(token !== undefined && {
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
        security: [{ token: [] }],
      }),
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  await app.register(swaggerUi, { routePrefix: '/docs' });
}

async function serveDashboard(app: ApiServer, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: ['index.html'],
    // Files carry their digest in their names, but for the page itself.
    setHeaders: (reply, file) =>
      reply.header('cache-control', file.endsWith('.html') ? 'no-cache' : 'public, max-age=31536000, immutable'),
  });
}
