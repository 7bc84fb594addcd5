import { canonicalJson } from '../../commitment/canonicalJson.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { RemoteServiceError } from '../../errors/RemoteServiceError.js';
import { type Embedder, type Embeddings, type EmbedOptions, newEmbeddings } from '../Embedder.js';
import { scaleRowsToUnitLength } from '../unitRows.js';
import { postWithRetry, type RetryOptions } from './postWithRetry.js';

/** Which endpoint is asked, for which model, and how patiently. */
export interface EndpointOptions {
  /** Base URL of an OpenAI-compatible service, for example `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  /** Numbers in a vector; found with one request where not given. Other lengths in an answer are an error. */
  readonly dimension?: number | undefined;
  /**
   * Environment variable that holds the key. Without one, `ASOF_EMBEDDING_KEY` is sent where it is set. A key is never
   * taken from anywhere else, stored or shown.
   */
  readonly keyVariable?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Texts in one request; 128 by default. */
  readonly textsPerRequest?: number | undefined;
  /** Characters in one request; 100,000 by default. A longer text goes alone. */
  readonly charactersPerRequest?: number | undefined;
  readonly timeoutMilliseconds?: number | undefined;
  readonly retries?: number | undefined;
  /** Waits between attempts, milliseconds; for tests. */
  readonly wait?: RetryOptions['wait'];
}

const defaultKeyVariable = 'ASOF_EMBEDDING_KEY';

/**
 * Embeddings from an OpenAI-compatible HTTP endpoint (`POST <url>/embeddings`). Vectors are scaled to length 1. The hash
 * covers URL, model name and dimension only: it is not proof of the weights (`verifiable` is false).
 */
export class EndpointEmbedder implements Embedder {
  readonly id: string;
  readonly hash: string;
  readonly verifiable = false;
  readonly dimension: number;
  readonly #options: EndpointOptions;
  readonly #endpoint: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(options: EndpointOptions, endpoint: string, headers: Record<string, string>, dimension: number) {
    this.#options = options;
    this.#endpoint = endpoint;
    this.#headers = headers;
    this.dimension = dimension;
    this.id = `${options.model} at ${new URL(endpoint).host}`;
    this.hash = sha256Hex(
      canonicalJson({ kind: 'OpenAI-compatible endpoint 1', endpoint, model: options.model, dimension }),
    );
  }

  /** @throws InvalidArgumentError, MissingResourceError (key), RemoteServiceError (when asked for the dimension) */
  static async open(options: EndpointOptions): Promise<EndpointEmbedder> {
    const endpoint = endpointOf(options.url);
    checkLimit('textsPerRequest', options.textsPerRequest);
    checkLimit('charactersPerRequest', options.charactersPerRequest);
    checkLimit('dimension', options.dimension);
    const headers = keyHeaders(options);
    if (options.dimension !== undefined) return new EndpointEmbedder(options, endpoint, headers, options.dimension);
    const probe = new EndpointEmbedder(options, endpoint, headers, 0);
    const [vector] = await probe.#request(['dimension'], undefined);
    return new EndpointEmbedder(options, endpoint, headers, vector!.length);
  }

  async embed(texts: readonly string[], { signal, onProgress }: EmbedOptions = {}): Promise<Embeddings> {
    signal?.throwIfAborted();
    const result = newEmbeddings(texts.length, this.dimension);
    const filled = [...texts.keys()].filter((row) => texts[row]!.trim() !== '');
    let done = texts.length - filled.length;
    for (const rows of this.#requestsOf(texts, filled)) {
      const vectors = await this.#request(
        rows.map((row) => texts[row]!),
        signal,
      );
      for (const [i, row] of rows.entries()) {
        result.vectors.set(vectors[i]!, row * this.dimension);
        result.present[row] = 1;
      }
      done += rows.length;
      onProgress?.(done, texts.length);
    }
    scaleRowsToUnitLength(result.vectors, this.dimension);
    return result;
  }

  async close(): Promise<void> {}

  /** Splits rows into requests within both limits. */
  *#requestsOf(texts: readonly string[], rows: readonly number[]): Generator<number[]> {
    const { textsPerRequest = 128, charactersPerRequest = 100_000 } = this.#options;
    let request: number[] = [];
    let characters = 0;
    for (const row of rows) {
      const length = texts[row]!.length;
      const full = request.length >= textsPerRequest || characters + length > charactersPerRequest;
      if (full && request.length > 0) {
        yield request;
        request = [];
        characters = 0;
      }
      request.push(row);
      characters += length;
    }
    if (request.length > 0) yield request;
  }

  async #request(input: readonly string[], signal: AbortSignal | undefined): Promise<number[][]> {
    const { model, timeoutMilliseconds = 60_000, retries = 5, wait } = this.#options;
    const answer = await postWithRetry(
      { url: this.#endpoint, headers: this.#headers, body: { model, input, encoding_format: 'float' }, signal },
      { timeoutMilliseconds, retries, wait },
    );
    return this.#readAnswer(answer, input.length);
  }

  #readAnswer(answer: unknown, count: number): number[][] {
    const refuse = (reason: string) => new RemoteServiceError({ url: this.#endpoint, reason });
    const data = (answer as { data?: unknown } | null)?.data;
    if (!Array.isArray(data) || data.length !== count) {
      throw refuse(`answer has ${Array.isArray(data) ? data.length : 'no list of'} embeddings, expected ${count}`);
    }
    const vectors: number[][] = new Array(count);
    for (const [position, item] of data.entries()) {
      const { index = position, embedding } = (item ?? {}) as { index?: number; embedding?: unknown };
      if (!Number.isInteger(index) || index < 0 || index >= count || vectors[index] !== undefined) {
        throw refuse(`answer has an embedding with index ${index}, expected each of 0..${count - 1} once`);
      }
      if (!Array.isArray(embedding) || !embedding.every((value) => Number.isFinite(value))) {
        throw refuse(`embedding ${index} is not a list of finite numbers`);
      }
      if (this.dimension !== 0 && embedding.length !== this.dimension) {
        throw refuse(`embedding ${index} has ${embedding.length} numbers, expected ${this.dimension}`);
      }
      vectors[index] = embedding;
    }
    return vectors;
  }
}

function endpointOf(text: string): string {
  const expected = 'an http or https URL without user name or password';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    // The value is not shown: it may hold a password.
    throw new InvalidArgumentError({ argument: 'url', value: url?.host ?? 'no URL', expected });
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
  return url.href;
}

function keyHeaders(options: EndpointOptions): Record<string, string> {
  const name = options.keyVariable ?? defaultKeyVariable;
  const key = (options.environment ?? process.env)[name];
  if (key !== undefined && key !== '') return { authorization: `Bearer ${key}` };
  if (options.keyVariable === undefined) return {};
  throw new MissingResourceError({
    resource: `environment variable ${name}`,
    remedy: 'set it to the key of the embedding endpoint',
  });
}

function checkLimit(argument: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return;
  throw new InvalidArgumentError({ argument, value, expected: 'an integer of at least 1' });
}
