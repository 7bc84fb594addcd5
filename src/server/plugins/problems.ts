import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { RequestRefusedError } from '../../errors/RequestRefusedError.js';
import { problemOf, sendProblem } from '../problem.js';

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Makes every error of the server, and every address that it does not have, a problem.
 * @param hasPages whether a browser that asks for a page that is not there gets the dashboard, which reads the address
 */
export function answerProblems(app: FastifyInstance, hasPages: boolean): void {
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request: FastifyRequest, reply) => {
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
    if (hasPages && isPage && !request.url.startsWith('/v1/')) return reply.sendFile('index.html');
    throw notFound(request);
  });
  // Before a body is read: of what type it is does not matter where nothing takes it.
  app.addHook('onRequest', async (request) => {
    if (request.is404 && request.method !== 'GET') throw notFound(request);
  });
}

/** Answers an error, also one from before there was a route (`frameworkErrors`). */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error);
  if (problem.status >= 500) request.log.error({ err: error as FastifyError }, problem.code);
  else request.log.info({ code: problem.code, detail: problem.detail }, 'refused');
  return sendProblem(reply, problem);
}

/**
 * Refuses methods that an address does not have, naming those that it has.
 * @returns to be called when all routes are added; what comes before this call is not seen
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const own = known.get(url) ?? new Set();
    for (const name of [method].flat()) own.add(name);
    known.set(url, own);
  });
  const refuse = (scope: FastifyInstance) => {
    for (const [url, own] of [...known]) {
      // The dashboard and the pages of documentation are files.
      if (!url.startsWith('/v1/') && (url.includes('*') || url.startsWith('/docs'))) continue;
      const allow = [...own].sort().join(', ');
      scope.route({
        url,
        method: methods.filter((method) => !own.has(method)),
        schema: { hide: true } as object,
        onRequest: async (request, reply) => {
          reply.header('allow', allow);
          const message = `${request.method} ${url}: expected ${allow}`;
          throw new RequestRefusedError({ code: 'ASOF_METHOD_NOT_ALLOWED', status: 405, message });
        },
        handler: async () => undefined,
      });
    }
  };
  // Plugins add their routes when they are loaded: this one is loaded last.
  return () => void app.register(async (scope) => refuse(scope));
}

function notFound({ method, url }: FastifyRequest): RequestRefusedError {
  const message = `${method} ${url}: nothing is here; see /docs`;
  return new RequestRefusedError({ code: 'ASOF_NOT_FOUND', status: 404, message });
}
