import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerLimits } from '../limits.js';
import { describe, type Problem, problemType } from '../problem.js';

/**
 * The server beneath the framework: it answers with problems as well where a request does not get as far as that, since it is
 * not HTTP, its headers are too long, or it does not arrive in time.
 */
export function httpServer({ arrivalTime }: Pick<ServerLimits, 'arrivalTime'>) {
  return (handler: RequestListener): Server => {
    const server = createServer(
      {
        requestTimeout: arrivalTime,
        headersTimeout: Math.min(60_000, arrivalTime),
        connectionsCheckingInterval: Math.min(30_000, arrivalTime),
        // The guard answers for a missing one.
        requireHostHeader: false,
      },
      handler,
    );
    server.keepAliveTimeout = 72_000;
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // Whoever has gone is told nothing; nor may anything follow an answer that has begun on this connection.
      const hasAnswer = (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true;
      if (error.code !== 'ECONNRESET' && socket.writable && !hasAnswer) write(socket, problemOfCode(error));
      socket.destroy();
    });
    server.on('checkExpectation', (request, response) => {
      const problem = describe(
        417,
        'ASOF_EXPECTATION',
        `Expect: ${request.headers.expect}: only 100-continue is known`,
      );
      const body = Buffer.from(JSON.stringify(problem));
      const headers = { 'content-type': problemType, 'content-length': body.length, connection: 'close' };
      response.writeHead(problem.status, { ...headers, 'x-content-type-options': 'nosniff' }).end(body);
    });
    return server;
  };
}

/** @param error of Node's parser, which has a reason, or of its clock */
function problemOfCode({ code, reason }: NodeJS.ErrnoException & { reason?: string }): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return describe(408, 'ASOF_TIMEOUT', 'the request took too long to arrive');
    case 'HPE_HEADER_OVERFLOW':
      return describe(431, 'ASOF_HEADERS_TOO_LARGE', 'address and headers are longer than 16 KiB');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return describe(413, 'ASOF_BODY_TOO_LARGE', 'the extensions of chunks are too long');
    default:
      return describe(
        400,
        'ASOF_MALFORMED_REQUEST',
        `expected a request of HTTP/1.1: ${reason ?? 'it cannot be read'}`,
      );
  }
}

function write(socket: Duplex, problem: Problem): void {
  const body = JSON.stringify(problem);
  socket.write(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: ${problemType}\r\nX-Content-Type-Options: nosniff\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
