import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type RefusalCode, RequestRefusedError } from '../../errors/RequestRefusedError.js';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback(host: string): boolean {
  return loopbackNames.has(host) || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Addresses that hold no data: liveness, and the dashboard's own files. */
function isOpen(url: string): boolean {
  const path = url.split('?')[0]!;
  return path === '/healthz' || !(path.startsWith('/v1/') || path === '/metrics');
}

/**
 * Who may ask. With a token: whoever sends it. Without one the server listens on loopback only, and answers only requests
 * that name it as such: a page of another site that had its own name resolved to 127.0.0.1 is refused. In either case a
 * browser's request that comes from another origin changes nothing, unless that origin was allowed.
 */
export function guard(app: FastifyInstance, options: { token: string | undefined; origins: readonly string[] }): void {
  const { token, origins } = options;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  app.addHook('onRequest', async (request) => {
    const { origin, host, authorization = '' } = request.headers;
    if (host === undefined) throw refused(400, 'ASOF_MALFORMED_REQUEST', 'expected the header Host');
    if (origin !== undefined && request.method !== 'GET' && !origins.includes(origin)) {
      if (!URL.canParse(origin) || new URL(origin).host !== host) {
        throw refused(403, 'ASOF_FORBIDDEN_ORIGIN', `requests from pages of ${origin} are not allowed`);
      }
    }
    if (expected === undefined) {
      const name = host.replace(/:\d+$/, '');
      if (!isLoopback(name)) {
        throw refused(403, 'ASOF_FORBIDDEN_ORIGIN', `got the host ${name}, expected localhost: no token is set`);
      }
      return;
    }
    if (isOpen(request.url) || timingSafeEqual(digest(authorization), expected)) return;
    throw refused(401, 'ASOF_UNAUTHORIZED', 'expected the header Authorization: Bearer with the token of the server');
  });
}

function refused(status: number, code: RefusalCode, message: string) {
  return new RequestRefusedError({ status, code, message });
}
