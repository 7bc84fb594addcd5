import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../commitment/sha256.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { RemoteServiceError } from '../../errors/RemoteServiceError.js';
import { describeEmbedder } from '../testing/embedderContract.js';
import { EndpointEmbedder, type EndpointOptions } from './EndpointEmbedder.js';

interface SeenRequest {
  path: string;
  authorization: string | undefined;
  body: { model: string; input: string[] };
}

type Handler = (seen: SeenRequest, response: ServerResponse) => void;

const dimension = 5;
const key = 'sk-secret-4711';
let server: Server;
let url: string;
let seen: SeenRequest[] = [];
/** Handlers for the next requests; afterwards requests are answered well. */
let script: Handler[] = [];

function vectorOf(text: string): number[] {
  return [...sha256(text).subarray(0, dimension)].map((byte) => byte - 127.5);
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

const answerWell: Handler = ({ body }, response) => {
  const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  // Order is not promised by the API: the index is.
  send(response, 200, { object: 'list', model: body.model, data: data.reverse() });
};

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const entry = { path: request.url!, authorization: request.headers.authorization, body: JSON.parse(text) };
      seen.push(entry);
      (script.shift() ?? answerWell)(entry, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
  script = [];
});

function options(more: Partial<EndpointOptions> = {}): EndpointOptions & { waits: number[] } {
  const waits: number[] = [];
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  return { url, model: 'small', dimension, environment: {}, wait, waits, ...more };
}

describeEmbedder('EndpointEmbedder', () => EndpointEmbedder.open(options()));

describe('EndpointEmbedder', () => {
  it('posts texts with content to /embeddings and scales what comes back to length 1', async () => {
    const embedder = await EndpointEmbedder.open(options());
    const { vectors, present } = await embedder.embed(['one', ' ', 'two']);
    expect(seen).toEqual([
      {
        path: '/v1/embeddings',
        authorization: undefined,
        body: { model: 'small', input: ['one', 'two'], encoding_format: 'float' },
      },
    ]);
    const norm = Math.hypot(...vectorOf('two'));
    expect([...vectors.slice(10)]).toEqual(vectorOf('two').map((value) => Math.fround(value / norm)));
    expect([...present]).toEqual([1, 0, 1]);
  });

  it('keeps to its limits on texts and characters', async () => {
    const embedder = await EndpointEmbedder.open(options({ textsPerRequest: 3, charactersPerRequest: 10 }));
    await embedder.embed(['a', 'b', 'c', 'd', 'x'.repeat(25), 'eeee', 'ffff', 'ggg']);
    expect(seen.map(({ body }) => body.input.map((text) => text.length))).toEqual([[1, 1, 1], [1], [25], [4, 4], [3]]);
  });

  it('finds the dimension with one request when it is not given', async () => {
    const embedder = await EndpointEmbedder.open(options({ dimension: undefined }));
    expect(embedder.dimension).toBe(dimension);
    expect(seen).toHaveLength(1);
    const told = await EndpointEmbedder.open(options());
    expect(told.hash).toBe(embedder.hash);
  });

  it('says that its hash is no proof, and makes it of URL, model and dimension', async () => {
    const base = await EndpointEmbedder.open(options());
    expect(base.verifiable).toBe(false);
    const others = [{ model: 'large' }, { dimension: 6 }, { url: `${url}v2` }];
    const hashes = await Promise.all(others.map(async (more) => (await EndpointEmbedder.open(options(more))).hash));
    expect(new Set([base.hash, ...hashes]).size).toBe(4);
  });

  it('tries again after 408, 429, 5xx and a broken connection, waiting twice as long each time', async () => {
    script = [
      (_, response) => send(response, 500, 'oops'),
      (_, response) => send(response, 408, 'slow'),
      (_, response) => response.destroy(),
      (_, response) => send(response, 429, 'busy'),
      (_, response) => send(response, 503, 'down'),
    ];
    const setup = options();
    const embedder = await EndpointEmbedder.open(setup);
    await embedder.embed(['one']);
    expect(seen).toHaveLength(6);
    expect(setup.waits).toEqual([500, 1000, 2000, 4000, 8000]);
  });

  it('waits as long as Retry-After says, in seconds or until a date', async () => {
    script = [
      (_, response) => send(response, 429, 'busy', { 'retry-after': '7' }),
      (_, response) =>
        send(response, 503, 'busy', {
          date: 'Fri, 01 Mar 2024 23:59:50 GMT',
          'retry-after': 'Sat, 02 Mar 2024 00:00:01 GMT',
        }),
      (_, response) => send(response, 503, 'busy', { 'retry-after': 'tomorrow' }),
    ];
    const setup = options();
    await (await EndpointEmbedder.open(setup)).embed(['one']);
    expect(setup.waits).toEqual([7000, 11_000, 2000]);
  });

  it('reports a pause that is too long instead of waiting', async () => {
    script = [(_, response) => send(response, 429, 'quota exceeded', { 'retry-after': '3600' })];
    const setup = options();
    const embedding = (await EndpointEmbedder.open(setup)).embed(['one']);
    await expect(embedding).rejects.toThrow(/HTTP 429: quota exceeded; it asks for a pause of 3600 s/);
    expect(setup.waits).toEqual([]);
  });

  it('gives up after its retries, with the last answer', async () => {
    script = Array.from({ length: 3 }, (_, i) => (__, response) => send(response, 502, `attempt ${i}`));
    const embedding = (await EndpointEmbedder.open(options({ retries: 2 }))).embed(['one']);
    await expect(embedding).rejects.toThrow(RemoteServiceError);
    await expect(embedding).rejects.toThrow(/\/v1\/embeddings: HTTP 502: attempt 2 \(after 3 attempts\)/);
  });

  it('does not try again after another 4xx', async () => {
    script = [(_, response) => send(response, 400, { error: { message: 'no such model' } })];
    await expect((await EndpointEmbedder.open(options())).embed(['one'])).rejects.toMatchObject({
      code: 'ASOF_REMOTE_SERVICE',
      status: 400,
      message: expect.stringContaining('no such model'),
    });
    expect(seen).toHaveLength(1);
  });

  it('gives up on an answer that takes too long', async () => {
    const silence: Handler = () => undefined;
    script = [silence, silence];
    const embedder = await EndpointEmbedder.open(options({ timeoutMilliseconds: 50, retries: 1 }));
    await expect(embedder.embed(['one'])).rejects.toThrow(/no answer within 0\.05 s \(after 2 attempts\)/);
  });

  it('stops with the reason of a signal that is aborted during a request or a pause', async () => {
    const reason = new Error('stopped by the user');
    const controller = new AbortController();
    script = [() => controller.abort(reason)];
    const embedder = await EndpointEmbedder.open(options());
    await expect(embedder.embed(['one'], { signal: controller.signal })).rejects.toBe(reason);

    const during = new AbortController();
    script = [(_, response) => send(response, 503, 'busy')];
    const wait = async () => during.abort(reason);
    const pausing = await EndpointEmbedder.open(options({ wait }));
    await expect(pausing.embed(['one'], { signal: during.signal })).rejects.toBe(reason);
    expect(seen).toHaveLength(2);
  });

  it('says that there is no connection', async () => {
    const embedder = await EndpointEmbedder.open(options({ url: 'http://127.0.0.1:1/v1', retries: 0 }));
    await expect(embedder.embed(['one'])).rejects.toThrow(/no connection \(.+\)/);
  });

  it.each<[string, unknown, RegExp]>([
    ['is not JSON', '<html>', /answer is not JSON: <html>/],
    ['has no data', { error: 'x' }, /no list of embeddings, expected 2/],
    ['has too few', { data: [{ index: 0, embedding: [1, 2, 3, 4, 5] }] }, /answer has 1 embeddings, expected 2/],
    ['has an index twice', { data: [0, 0].map((index) => ({ index, embedding: [1, 2, 3, 4, 5] })) }, /index 0/],
    [
      'has another dimension',
      { data: [0, 1].map((index) => ({ index, embedding: [1] })) },
      /has 1 numbers, expected 5/,
    ],
    [
      'has something else',
      { data: [0, 1].map((index) => ({ index, embedding: [1, 2, 'x', 4, 5] })) },
      /not a list of finite/,
    ],
  ])('refuses an answer that %s', async (_, body, message) => {
    script = [(__, response) => send(response, 200, body as string)];
    const embedding = (await EndpointEmbedder.open(options())).embed(['one', 'two']);
    await expect(embedding).rejects.toThrow(RemoteServiceError);
    await expect(embedding).rejects.toThrow(message);
  });

  it('takes the key from the environment, sends it, and shows it nowhere', async () => {
    const environment = { ASOF_EMBEDDING_KEY: key, MINE: 'other-key' };
    await (await EndpointEmbedder.open(options({ environment }))).embed(['one']);
    await (await EndpointEmbedder.open(options({ environment, keyVariable: 'MINE' }))).embed(['one']);
    expect(seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${key}`, 'Bearer other-key']);

    script = [(request, response) => send(response, 401, `bad key ${request.authorization} (${key})`)];
    const embedder = await EndpointEmbedder.open(options({ environment }));
    const error = await embedder.embed(['one']).catch((caught: unknown) => caught);
    expect(String(error)).toMatch(/HTTP 401: bad key \*\*\*/);
    expect(inspect([error, embedder], { depth: 10 })).not.toContain(key);
    expect(embedder.id + embedder.hash).not.toContain(key);
  });

  it('refuses a missing key, a redirect, and a URL that is not one or holds a password', async () => {
    await expect(EndpointEmbedder.open(options({ keyVariable: 'ABSENT' }))).rejects.toThrow(MissingResourceError);
    script = [(_, response) => send(response, 307, '', { location: 'http://127.0.0.1:1/' })];
    await expect((await EndpointEmbedder.open(options({ retries: 0 }))).embed(['one'])).rejects.toThrow(
      /no connection/,
    );
    for (const bad of ['nonsense', 'ftp://host/v1', 'http://me:hunter2@host/v1']) {
      const opening = EndpointEmbedder.open(options({ url: bad }));
      await expect(opening).rejects.toThrow(InvalidArgumentError);
      await expect(opening).rejects.not.toThrow(/hunter2/);
    }
    await expect(EndpointEmbedder.open(options({ textsPerRequest: 0 }))).rejects.toThrow(/textsPerRequest: got 0/);
  });
});
