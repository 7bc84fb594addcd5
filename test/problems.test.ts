import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../src/server/problem.js';
import { type ServerForTest, serverForTest } from '../src/server/testing/serverForTest.js';

const now = Date.parse('2024-01-20T00:00:00Z');

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: Problem;
}

describe('every error of the server is a problem, over real sockets', () => {
  let server: ServerForTest;
  let dashboard: string;
  beforeAll(async () => {
    dashboard = await mkdtemp(path.join(tmpdir(), 'asof-pages-'));
    await writeFile(path.join(dashboard, 'index.html'), '<title>page</title>');
    server = await serverForTest({ now: () => now, dashboard, limits: { arrivalTime: 400, bodyBytes: 2000 } });
  });
  afterAll(async () => {
    await server.close();
    await rm(dashboard, { recursive: true });
  });

  /** Sends the very bytes, and reads until the server closes. */
  const raw = (text: string) =>
    new Promise<RawAnswer>((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => {
        const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
        const [first = '', ...lines] = head.split('\r\n');
        const headers = lines.map((line) => [
          line.split(':')[0]!.toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]);
        resolve({
          status: Number(first.split(' ')[1]),
          headers: Object.fromEntries(headers),
          problem: JSON.parse(body),
        });
      });
    });
  const request = (line: string, ...headers: string[]) =>
    [line, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
  const post = (address: string, type: string, body: string) =>
    request(`POST ${address} HTTP/1.1`, `Content-Type: ${type}`, `Content-Length: ${body.length}`) + body;

  const faults: readonly (readonly [name: string, text: string, status: number, code: string])[] = [
    ['a malformed address', request('GET /v1/assets/%E0%A4%A HTTP/1.1'), 400, 'ASOF_MALFORMED_REQUEST'],
    [
      'an asset of a long name',
      request(`GET /v1/assets/${'x'.repeat(3000)}/versions HTTP/1.1`),
      404,
      'ASOF_MISSING_RESOURCE',
    ],
    ['long headers', request('GET /healthz HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`), 431, 'ASOF_HEADERS_TOO_LARGE'],
    ['what is not HTTP', 'hello\r\n\r\n', 400, 'ASOF_MALFORMED_REQUEST'],
    ['an unknown method', request('BREW /healthz HTTP/1.1'), 400, 'ASOF_MALFORMED_REQUEST'],
    [
      'two lengths',
      request('POST /v1/events HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2'),
      400,
      'ASOF_MALFORMED_REQUEST',
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'ASOF_MALFORMED_REQUEST'],
    [
      'an expectation',
      request('POST /v1/events HTTP/1.1', 'Expect: tea', 'Content-Length: 0'),
      417,
      'ASOF_EXPECTATION',
    ],
    [
      'a body that does not arrive',
      request('POST /v1/events HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 9'),
      408,
      'ASOF_TIMEOUT',
    ],
    ['headers that do not end', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n', 408, 'ASOF_TIMEOUT'],
    ['malformed JSON', post('/v1/events', 'application/json', '{"events":'), 400, 'ASOF_MALFORMED_REQUEST'],
    ['an empty body', post('/v1/events', 'application/json', ''), 400, 'ASOF_MALFORMED_REQUEST'],
    [
      'a body that sets a prototype',
      post('/v1/events', 'application/json', '{"__proto__":{}}'),
      400,
      'ASOF_MALFORMED_REQUEST',
    ],
    ['a body out of its schema', post('/v1/events', 'application/json', '{"events":[]}'), 400, 'ASOF_INVALID_ARGUMENT'],
    ['another media type', post('/v1/events', 'text/plain', 'text'), 415, 'ASOF_UNSUPPORTED_MEDIA_TYPE'],
    ['a malformed media type', post('/v1/events', ';', '{}'), 415, 'ASOF_UNSUPPORTED_MEDIA_TYPE'],
    [
      'a body of records of another type',
      post('/v1/ingest', 'application/json', '{}'),
      415,
      'ASOF_UNSUPPORTED_MEDIA_TYPE',
    ],
    ['an unknown address', request('GET /v1/nothing HTTP/1.1'), 404, 'ASOF_NOT_FOUND'],
    ['an unknown address of any type', post('/v1/nothing', 'text/plain', 'text'), 404, 'ASOF_NOT_FOUND'],
    ['a path out of the pages', request('GET /../../etc/passwd HTTP/1.1'), 404, 'ASOF_NOT_FOUND'],
    ['a path out of the pages, quoted', request('GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1'), 404, 'ASOF_NOT_FOUND'],
    ['an unknown parameter', request('GET /v1/status?as_of=2024-01-01 HTTP/1.1'), 400, 'ASOF_INVALID_ARGUMENT'],
  ];
  it.each(faults)('%s', async (_name, text, status, code) => {
    const answer = await raw(text);
    expect(answer).toMatchObject({
      status,
      headers: {
        'content-type': expect.stringContaining('application/problem+json'),
        'x-content-type-options': 'nosniff',
      },
      problem: { type: `urn:asof:error:${code}`, status, code },
    });
    expect(answer.problem.detail).not.toMatch(/FST_|Error:|\bundefined\b/);
  });

  it('a method that an address does not have, naming those that it has', async () => {
    for (const [line, allow] of [
      ['PUT /v1/search', 'GET, HEAD'],
      ['DELETE /v1/assets/x', 'GET, HEAD'],
      ['GET /v1/ingest', 'POST'],
      ['PATCH /v1/events', 'GET, HEAD, POST'],
      ['POST /healthz', 'GET, HEAD'],
      ['OPTIONS /v1/status', 'GET, HEAD'],
    ]) {
      const answer = await raw(request(`${line} HTTP/1.1`, 'Content-Type: text/plain', 'Content-Length: 0'));
      expect([line, answer.status, answer.headers.allow, answer.problem.code]).toEqual([
        line,
        405,
        allow,
        'ASOF_METHOD_NOT_ALLOWED',
      ]);
    }
    expect(JSON.stringify(await server.json('/openapi.json'))).not.toContain('"put"');
  });

  it('an answer that takes too long', async () => {
    const slow = await serverForTest({ now: () => now, limits: { answerTime: 1 } });
    try {
      const answer = await slow.fetch('/v1/status');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await answer.json()).toMatchObject({ code: 'ASOF_TIMEOUT', status: 503 });
    } finally {
      await slow.close();
    }
  });

  it('speaks of parameters and the body, not of the options of a command line', async () => {
    const record = (id: string, at: string) => ({ id, text: 'text', eventAt: at, availableAt: at });
    await server.ingest([record('a', '2024-01-10T00:00:00Z')]);
    const detail = async (answer: Promise<Response>) => ((await (await answer).json()) as Problem).detail;
    const late = await detail(
      server.ingest([record('b', '2024-01-21T00:00:00Z'), record('c', '2024-01-02T00:00:00Z')]),
    );
    expect(late).toContain('body line 2: availability of c');
    expect(late).toContain('or ?backfill=true:');
    const untimed = await server.ingest([{ id: 'd', text: 'text' }]);
    const problem = (await untimed.json()) as Problem;
    expect(problem.detail).toMatch(/^body line 1: eventAt: .* or \?eventAt=available$/);
    expect(problem.location).toMatchObject({ file: 'body', line: 1, field: 'eventAt' });
    expect(await detail(server.fetch('/v1/search?q=a&mode=semantic'))).toContain(
      'asof index --embed, where the server runs',
    );
    expect(await detail(server.fetch('/v1/search?q=a&mode=lexical&freshness=coverage'))).toMatch(/^freshness: /);
    expect(await detail(server.fetch('/v1/search?q=a&halfLife=soon'))).toMatch(/^halfLife: /);
    expect(await detail(server.fetch('/v1/topics?lateness=soon'))).toMatch(/^lateness: /);
    expect(await detail(server.fetch('/v1/status?as_of=2024-01-01'))).toBe(
      'parameter as_of: is not known here; see /docs',
    );
    expect(await detail(server.fetch('/v1/timeline?bins=no'))).toBe('parameter bins: must be integer; see /docs');
  });
});
