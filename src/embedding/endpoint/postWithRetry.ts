import { setTimeout as sleep } from 'node:timers/promises';
import { RemoteServiceError } from '../../errors/RemoteServiceError.js';
import { parseHttpDate } from '../../time/httpDate.js';

export interface RetryOptions {
  /** Further attempts after the first. */
  readonly retries: number;
  /** Bound on one attempt, answer included. */
  readonly timeoutMilliseconds: number;
  /** Waits between attempts; replaced in tests. */
  readonly wait?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

export interface JsonRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal?: AbortSignal | undefined;
}

const firstDelay = 500;
const longestDelay = 30_000;
/** A service that asks for a longer pause is reported at once rather than waited for. */
const longestRequestedDelay = 120_000;
const longestExcerpt = 300;

/**
 * Posts JSON and returns the JSON answer. Tries again after 408, 429, any 5xx, a broken connection or a timeout: after
 * the pause that the service asks for (`Retry-After`, in seconds or as a date), else 0.5 s doubled each time up to 30 s.
 * Redirects are refused, so that a key goes nowhere else.
 * @throws RemoteServiceError with the service's own words; the signal's reason when aborted
 */
export async function postWithRetry(request: JsonRequest, options: RetryOptions): Promise<unknown> {
  const wait = options.wait ?? ((milliseconds, signal) => sleep(milliseconds, undefined, { signal }));
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptPost(request, options.timeoutMilliseconds);
    if ('json' in outcome) return outcome.json;
    const delay = outcome.retryAfter ?? Math.min(longestDelay, firstDelay * 2 ** attempt);
    if (!outcome.retryable || attempt >= options.retries || delay > longestRequestedDelay) {
      const attempts = attempt === 0 ? '' : ` (after ${attempt + 1} attempts)`;
      const pause = delay > longestRequestedDelay ? `; it asks for a pause of ${delay / 1000} s` : '';
      const { reason, status, cause } = outcome;
      throw new RemoteServiceError({ url: request.url, reason: `${reason}${pause}${attempts}`, status, cause });
    }
    await wait(delay, request.signal);
    request.signal?.throwIfAborted();
  }
}

interface Failure {
  readonly reason: string;
  readonly retryable: boolean;
  readonly retryAfter?: number | undefined;
  readonly status?: number;
  readonly cause?: unknown;
}

async function attemptPost(request: JsonRequest, timeoutMilliseconds: number): Promise<{ json: unknown } | Failure> {
  request.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  let response: Response;
  let text: string;
  try {
    response = await fetch(request.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...request.headers },
      body: JSON.stringify(request.body),
      redirect: 'error',
      signal,
    });
    text = await response.text();
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (timeout.aborted) return { reason: `no answer within ${timeoutMilliseconds / 1000} s`, retryable: true, cause };
    return { reason: `no connection (${innermostMessage(cause)})`, retryable: true, cause };
  }
  const { status } = response;
  if (!response.ok) {
    return {
      reason: `HTTP ${status}: ${excerptOf(text, request.headers)}`,
      retryable: status === 408 || status === 429 || status >= 500,
      retryAfter: retryAfterOf(response.headers),
      status,
    };
  }
  try {
    return { json: JSON.parse(text) };
  } catch (cause) {
    return { reason: `answer is not JSON: ${excerptOf(text, request.headers)}`, retryable: false, status, cause };
  }
}

/** `Retry-After` (RFC 9110 section 10.2.3) in milliseconds. A date counts from the answer's own `Date`. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = parseHttpDate(value);
  const now = parseHttpDate(headers.get('date') ?? '');
  return until === undefined || now === undefined ? undefined : Math.max(0, until - now);
}

/** What the service said, on one line, without anything secret that it may have repeated. */
function excerptOf(text: string, headers: Readonly<Record<string, string>>): string {
  let excerpt = text.replace(/\s+/g, ' ').trim();
  for (const secret of Object.values(headers)) {
    for (const part of [secret, secret.replace(/^Bearer /, '')]) excerpt = excerpt.replaceAll(part, '***');
  }
  return excerpt.length > longestExcerpt ? `${excerpt.slice(0, longestExcerpt)}…` : excerpt;
}

/** `fetch` wraps what happened ("fetch failed") around its cause ("connect ECONNREFUSED ..."). */
function innermostMessage(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message || (inner as NodeJS.ErrnoException).code || inner.name;
}
