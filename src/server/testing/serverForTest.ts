import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { initWorkspace } from '../../store/workspace/initWorkspace.js';
import { createServer, type ServerOptions } from '../createServer.js';

export interface ServerForTest {
  /** Address of the server, on a free port of loopback. */
  readonly url: string;
  readonly workspace: string;
  fetch(address: string, init?: RequestInit): Promise<Response>;
  /** The JSON of an answer; fails the test when it is an error. */
  json<T = unknown>(address: string, init?: RequestInit): Promise<T>;
  post(address: string, body: unknown): Promise<Response>;
  ingest(records: readonly object[], options?: { query?: string; headers?: Record<string, string> }): Promise<Response>;
  close(): Promise<void>;
}

/** A real server on a free port, with a new workspace. */
export async function serverForTest(options: Partial<ServerOptions> = {}): Promise<ServerForTest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'asof-server-'));
  const workspace = options.workspace ?? path.join(folder, 'workspace');
  if (options.workspace === undefined) await initWorkspace(workspace);
  const app = await createServer({ version: '0.0.0-test', now: () => 0, ...options, workspace });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = (address: string, init?: RequestInit) => fetch(`${url}${address}`, init);
  return {
    url,
    workspace,
    fetch: ask,
    async json(address, init) {
      const answer = await ask(address, init);
      const body = await answer.json();
      if (!answer.ok) throw new Error(`${address}: ${answer.status} ${JSON.stringify(body)}`);
      return body as never;
    },
    post: (address, body) =>
      ask(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    ingest: (records, { query = '', headers = {} } = {}) =>
      ask(`/v1/ingest${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', ...headers },
        body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      }),
    async close() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
