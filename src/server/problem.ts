import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply } from 'fastify';
import { AsofError } from '../errors/AsofError.js';
import { locationOf } from '../errors/CarriedError.js';
import type { InputLocation } from '../errors/inputLocation.js';
import { RequestRefusedError } from '../errors/RequestRefusedError.js';
import { say } from '../errors/wording.js';
import { bodyPlace, httpWords } from './words.js';

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
  readonly location?: InputLocation;
}

export const problemType = 'application/problem+json';

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

/** The framework's own errors, in the words of this API; `detail` where the framework's says too little. */
const refusals: Readonly<Record<string, { status: number; code: string; detail?: string }>> = {
  FST_ERR_VALIDATION: { status: 400, code: 'ASOF_INVALID_ARGUMENT' },
  FST_ERR_BAD_URL: {
    status: 400,
    code: 'ASOF_MALFORMED_REQUEST',
    detail: 'expected an address in UTF-8, each % followed by the two digits of a byte',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, code: 'ASOF_MALFORMED_REQUEST', detail: 'expected a body of JSON' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, code: 'ASOF_MALFORMED_REQUEST', detail: 'expected a body of JSON' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, code: 'ASOF_MALFORMED_REQUEST' },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: 'ASOF_BODY_TOO_LARGE' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, code: 'ASOF_UNSUPPORTED_MEDIA_TYPE' },
  FST_ERR_HANDLER_TIMEOUT: {
    status: 503,
    code: 'ASOF_TIMEOUT',
    detail: 'the answer took longer than the server allows',
  },
};

export function problemOf(error: unknown): Problem {
  if (AsofError.isInstance(error)) {
    const status = error instanceof RequestRefusedError ? error.status : (statusOfCode[error.code] ?? 500);
    const problem = describe(status, error.code, say(error.wording ?? error.message, httpWords));
    const location = locationOf(error);
    return location === undefined ? problem : { ...problem, location: bodyPlace(location) };
  }
  const { code, message = '', statusCode = 500, validation, validationContext } = error as Partial<FastifyError>;
  if (validation !== undefined) {
    return describe(400, 'ASOF_INVALID_ARGUMENT', invalidPart(validation, validationContext) ?? message);
  }
  const refusal = refusals[code ?? ''];
  if (refusal !== undefined) {
    const { status, code: ours, detail } = refusal;
    return describe(status, ours, detail === undefined ? message : `${detail}: ${message}`);
  }
  // Of the files of the dashboard: a path that leads out of them is one that is not there.
  if (statusCode === 403) return describe(404, 'ASOF_NOT_FOUND', 'nothing is here; see /docs');
  if (statusCode >= 400 && statusCode < 500) return describe(statusCode, 'ASOF_MALFORMED_REQUEST', message);
  // What went wrong inside is for the log, not for the client.
  return describe(500, 'ASOF_INTERNAL', 'a fault of the server; its log says where');
}

export function describe(status: number, code: string, detail: string): Problem {
  return { type: `urn:asof:error:${code}`, title: STATUS_CODES[status] ?? 'Error', status, detail, code };
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.status === 503 || problem.status === 429) reply.header('retry-after', '1');
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(problem.status).type(problemType).serializer(JSON.stringify).send(problem);
}

/** What in a request is not as its schema says, by the name that the client gave it. */
function invalidPart(
  validation: NonNullable<FastifyError['validation']>,
  context: FastifyError['validationContext'],
): string | undefined {
  const [first] = validation;
  if (first === undefined) return undefined;
  const part = { querystring: 'parameter', params: 'address', headers: 'header', body: 'body' }[context ?? 'body'];
  const extra = (first.params as { additionalProperty?: string }).additionalProperty;
  const path = [...first.instancePath.split('/').slice(1), ...(extra === undefined ? [] : [extra])].join('.');
  const fault = extra === undefined ? (first.message ?? 'is not as its schema says') : 'is not known here';
  return `${part}${path === '' ? '' : ` ${path}`}: ${fault}; see /docs`;
}
