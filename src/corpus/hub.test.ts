import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sha256Hex } from '../commitment/sha256.js';
import { loadDataset } from './dataset.js';
import { fetchToCache } from './hub.js';
import { jsonLines, writeTemporaryFiles } from './testing/temporaryFiles.js';

/** Starts a server on this machine, which the end of the test stops; returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const cacheOf = () => ({ cacheFolder: writeTemporaryFiles({}) });
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('/'));

describe('fetchToCache', () => {
  it('downloads once, records address, size and hash, and answers from the cache after that', async () => {
    let calls = 0;
    const origin = await serve((_request, response) => {
      calls++;
      response.end('content');
    });
    const options = cacheOf();
    const url = `${origin}/folder/data.jsonl?download=true`;
    const first = await fetchToCache(url, options);
    expect(readFileSync(first.path, 'utf8')).toBe('content');
    expect(first.path).toMatch(/[/\\]data\.jsonl$/);
    expect(first.sha256).toBe(sha256Hex('content'));
    expect(JSON.parse(readFileSync(join(first.path, '..', 'record.json'), 'utf8'))).toEqual({
      url,
      bytes: 7,
      sha256: sha256Hex('content'),
    });
    expect(await fetchToCache(url, options)).toEqual(first);
    expect(calls).toBe(1);
  });

  it('stores a body as it is served, compressed files compressed', async () => {
    const body = gzipSync('content');
    const origin = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.end(body);
    });
    const { path } = await fetchToCache(`${origin}/data.gz`, cacheOf());
    expect(readFileSync(path)).toEqual(body);
  });

  it.each<[string, RequestListener, RegExp]>([
    [
      'answers 404',
      (_, response) => response.writeHead(404).end('no'),
      /is missing: the server answered 404; download it elsewhere and place it at .*data\.jsonl/,
    ],
    ['answers 500', (_, response) => response.writeHead(500).end(), /the server answered 500/],
    [
      'breaks off in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('only this', () => response.destroy());
      },
      /is missing: (?:other side closed|terminated|.*closed|.*aborted|.*hang up|only 9 of 100 bytes).*place it at/i,
    ],
    [
      'breaks off in the middle of chunks',
      (_, response) => {
        response.write('only this', () => response.destroy());
      },
      /is missing: .*place it at/,
    ],
    ['stalls before its answer', () => {}, /is missing: nothing arrived for 0\.1 s; download it elsewhere/],
    [
      'stalls in the middle of its answer',
      (_, response) => {
        response.write('some');
      },
      /is missing: nothing arrived for 0\.1 s/,
    ],
  ])('says what to place where when the server %s, and leaves nothing behind', async (what, listener, message) => {
    const origin = await serve(listener);
    const options = { ...cacheOf(), timeoutMilliseconds: what.startsWith('stalls') ? 100 : 30_000 };
    await expect(fetchToCache(`${origin}/data.jsonl`, options)).rejects.toThrow(message);
    expect(filesIn(options.cacheFolder)).toEqual([]);
  });

  it('says what to place where when there is no network, and takes what is placed there', async () => {
    const options = cacheOf();
    // A name under .invalid never resolves (RFC 2606).
    const error = await fetchToCache('https://data.invalid/set/data.jsonl', options).catch((caught: Error) => caught);
    expect(String(error)).toMatch(
      /https:\/\/data\.invalid\/set\/data\.jsonl is missing: .*place it at .*data\.jsonl, or pass/,
    );
    const place = /place it at (.*), or pass/.exec(String(error))![1]!;
    writeFileSync(place, 'by hand');
    expect(await fetchToCache('https://data.invalid/set/data.jsonl', options)).toEqual({
      path: place,
      sha256: undefined,
    });
  });

  it('says so when nobody listens', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(fetchToCache(`http://127.0.0.1:${port}/x`, cacheOf())).rejects.toThrow(/is missing: .*ECONNREFUSED/);
  });

  it.each(['http://example.org/data.jsonl', 'https://'])('refuses %s', async (url) => {
    await expect(fetchToCache(url, cacheOf())).rejects.toThrow(/a local path or an https address/);
  });
});

describe('loadDataset over the network', () => {
  const bodies: Record<string, string> = {
    '/a/assets.jsonl': jsonLines({ id: 'a', text: 'one' }),
    '/a/requests.jsonl': jsonLines({ id: 'q', text: 'two', gold: ['a'] }),
  };

  it('reads files by their addresses, and notices a cached one that has changed', async () => {
    const origin = await serve((request, response) => response.end(bodies[request.url!]));
    const hub = cacheOf();
    const options = { assets: [`${origin}/a/assets.jsonl`], requests: [`${origin}/a/requests.jsonl`], hub };
    const dataset = await loadDataset(options);
    expect(dataset.requests.ids).toEqual(['q']);
    expect(dataset.inputs[0]).toMatchObject({
      path: `${origin}/a/assets.jsonl`,
      sha256: sha256Hex(bodies['/a/assets.jsonl']!),
    });

    const { path } = await fetchToCache(`${origin}/a/assets.jsonl`, hub);
    writeFileSync(path, jsonLines({ id: 'a', text: 'changed' }));
    await expect(loadDataset(options)).rejects.toThrow(/changed since its download/);
  });
});
