import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AsofError } from '../errors/AsofError.js';
import { InvalidInputError } from '../errors/InvalidInputError.js';
import { RequestRefusedError } from '../errors/RequestRefusedError.js';

/** Body of every answer that is an error (RFC 9457), as `application/problem+json`. */
export interface Problem {
  /** `urn:asof:error:` and the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** For people: names the place, the value and what was expected. */
  readonly detail: string;
  /** Stable, for machines: the library's own code. */
  readonly code: string;
  /** Where in a body of records the fault is. */
  readonly location?: InvalidInputError['location'];
}

/** Status of the library's errors; the rest are faults of the server. */
const statusOfCode: Readonly<Record<string, number>> = {
  ASOF_INVALID_ARGUMENT: 400,
  ASOF_INVALID_INPUT: 422,
  ASOF_FAULTY_LOG: 422,
  ASOF_MISSING_RESOURCE: 404,
  ASOF_MISSING_ARTEFACT: 404,
  ASOF_EXISTING_FILE: 409,
  ASOF_CONTRACT_VIOLATION: 409,
  ASOF_ALTERED_ARTEFACT: 409,
  ASOF_BAD_SIGNATURE: 409,
  ASOF_WRONG_KEY: 409,
  ASOF_FOLDER_LOCKED: 503,
  ASOF_REMOTE_SERVICE: 502,
};

/** The framework's own errors, in the words of this API. */
const refusals: Readonly<Record<string, { status: number; code: string }>> = {
  FST_ERR_VALIDATION: { status: 400, code: 'ASOF_INVALID_ARGUMENT' },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, code: 'ASOF_INVALID_ARGUMENT' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, code: 'ASOF_INVALID_ARGUMENT' },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: 'ASOF_BODY_TOO_LARGE' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, code: 'ASOF_UNSUPPORTED_MEDIA_TYPE' },
  FST_ERR_HANDLER_TIMEOUT: { status: 503, code: 'ASOF_TIMEOUT' },
};

export function problemOf(error: unknown): Problem {
  if (AsofError.isInstance(error)) {
    const status = error instanceof RequestRefusedError ? error.status : (statusOfCode[error.code] ?? 500);
    const problem = describe(status, error.code, error.message);
    return error instanceof InvalidInputError ? { ...problem, location: error.location } : problem;
  }
  const { code, message = '', statusCode = 500 } = error as Partial<FastifyError>;
  const refusal = refusals[code ?? ''];
  if (refusal !== undefined) return describe(refusal.status, refusal.code, message);
  if (statusCode >= 400 && statusCode < 500) return describe(statusCode, 'ASOF_INVALID_ARGUMENT', message);
  // What went wrong inside is for the log, not for the client.
  return describe(500, 'ASOF_INTERNAL', 'a fault of the server; its log says where');
}

function describe(status: number, code: string, detail: string): Problem {
  return { type: `urn:asof:error:${code}`, title: STATUS_CODES[status] ?? 'Error', status, detail, code };
}

/**
 * Makes every error of the server, and every address that it does not have, an answer of this form.
 * @param hasPages whether a browser that asks for a page that is not there gets the dashboard, which reads the address
 */
export function answerProblems(app: FastifyInstance, hasPages: boolean): void {
  const send = (reply: FastifyReply, problem: Problem) => {
    if (problem.status === 503 || problem.status === 429) reply.header('retry-after', '1');
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
    return reply.code(problem.status).type('application/problem+json').serializer(JSON.stringify).send(problem);
  };
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500) request.log.error({ err: error }, problem.code);
    else request.log.info({ code: problem.code, detail: problem.detail }, 'refused');
    return send(reply, problem);
  });
  app.setNotFoundHandler((request: FastifyRequest, reply) => {
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
    if (hasPages && isPage && !request.url.startsWith('/v1/')) return reply.sendFile('index.html');
    return send(reply, describe(404, 'ASOF_NOT_FOUND', `${request.method} ${request.url}: nothing is here; see /docs`));
  });
}
