import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProofVerdict, verifyProofs } from '../src/audit/contract/verifyProofs.js';
import type { PrefixProofs } from '../src/replay/historicalState.js';
import type { Report } from '../src/report/report.js';
import { createServer } from '../src/server/createServer.js';
import { type ServerForTest, serverForTest } from '../src/server/testing/serverForTest.js';
import { RunReader } from '../src/store/runs/RunReader.js';
import { openWorkspace } from '../src/store/workspace/openWorkspace.js';
import { runSmall, writeSmallDataset } from './support/smallRun.js';

const day = (number: number) => `2024-01-${String(number).padStart(2, '0')}T00:00:00Z`;
const now = Date.parse(day(20));
const asset = (id: string, at: number, text = `text of ${id}`) => ({
  id,
  text,
  eventAt: day(at),
  availableAt: day(at),
});

/** Allows records from before what the log has answered already. */
const late = { query: '?backfill=true' };

interface Rows {
  total: number;
  columns: string[];
  rows: unknown[][];
}

describe('the HTTP API over a workspace', () => {
  let server: ServerForTest;
  beforeAll(async () => {
    server = await serverForTest({
      now: () => now,
      limits: { ingestBytes: 10_000, bodyBytes: 2000, pageRows: 50, waitingIngests: 1 },
    });
  });
  afterAll(() => server.close());

  it('takes records in, and answers as of any time with the state that answered', async () => {
    const answer = await server.ingest([asset('a', 1), asset('b', 2), asset('a', 5, 'changed')]);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ report: { read: 3, added: 2, versions: 1, committed: true } });
    const early = await server.json<{ state: unknown }>('/v1/assets/a?asOf=2024-01-03');
    expect(early).toMatchObject({ id: 'a', asOf: day(3), version: { text: 'text of a' }, state: { size: 2 } });
    expect(await server.json('/v1/assets/a')).toMatchObject({ asOf: day(20), version: { text: 'changed' } });
    expect(await server.json('/v1/assets/a?asOf=2023-12-31')).toMatchObject({ version: null, state: { size: 0 } });
    // Later facts change nothing about it.
    expect((await server.ingest([asset('c', 9)])).status).toBe(400);
    expect((await server.ingest([asset('c', 9)], late)).status).toBe(200);
    expect(await server.json('/v1/assets/a?asOf=2024-01-03')).toEqual(early);
  });

  it('searches as of a time, with every option, and says why each hit is where it is', async () => {
    interface Answer {
      hits: { id: string; explanation: { age: number; decay: number } }[];
    }
    const early = await server.json<Answer>('/v1/search?q=text&asOf=2024-01-03');
    expect(early).toMatchObject({ asOf: day(3), documents: 2, state: { corpus: { size: 2 } } });
    expect(early.hits.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(early.hits.map(({ explanation }) => explanation.age)).toEqual([86_400_000, 2 * 86_400_000]);
    const old = await server.json<Answer>(
      '/v1/search?q=text&asOf=2024-01-03&mode=lexical&freshness=fused&alpha=0&halfLife=1d',
    );
    expect(old.hits.map(({ explanation }) => explanation.decay)).toEqual([0.5, 0.25]);
    const between = await server.json<Answer>('/v1/search?q=text&asOf=2024-01-03&from=2024-01-01&to=2024-01-02');
    expect(between.hits.map(({ id }) => id)).toEqual(['a']);
    expect(await server.json('/v1/search?q=text&asOf=2023-01-01')).toMatchObject({ documents: 0, hits: [] });
    expect(await server.json('/v1/search/modes')).toEqual({ modes: ['fresh', 'lexical'], embedder: null });
    for (const query of ['q=', 'q=a&mode=semantic', 'q=a&alpha=2', 'q=a&halfLife=-1d', 'q=a&asof=2024-01-01']) {
      expect([query, (await server.fetch(`/v1/search?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('lists versions, and as of a time only what was known by then', async () => {
    const all = await server.json('/v1/assets/a/versions');
    expect(all).toMatchObject({ versions: [{ endsAt: day(5), endedBy: 'version' }, { endsAt: null }] });
    const known = await server.json<{ versions: unknown[] }>('/v1/assets/a/versions?asOf=2024-01-03');
    expect(known.versions).toMatchObject([{ text: 'text of a', endsAt: null, endedBy: null }]);
    const absent = await server.fetch('/v1/assets/zzz/versions');
    expect(absent.status).toBe(404);
    expect(await absent.json()).toMatchObject({ code: 'ASOF_MISSING_RESOURCE' });
  });

  it('counts what it holds, over time, and as of a time', async () => {
    expect(await server.json('/v1/status')).toMatchObject({ assets: 3, versions: 4, current: 3 });
    expect(await server.json('/v1/status?asOf=2024-01-01')).toMatchObject({ current: 1 });
    const timeline = await server.json<{ bins: { versions: number }[] }>('/v1/timeline?bins=8');
    expect(timeline).toMatchObject({ first: day(1), last: day(9), newest: day(9) });
    expect(timeline.bins.map(({ versions }) => versions).reduce((a, b) => a + b)).toBe(4);
  });

  it('answers errors as problems with the code of the library, and changes nothing', async () => {
    const before = await server.json('/v1/status');
    const wrong = await server.ingest([asset('d', 10), { id: 'e', text: 'no time' }]);
    expect(wrong.status).toBe(422);
    expect(wrong.headers.get('content-type')).toContain('application/problem+json');
    expect(await wrong.json()).toMatchObject({
      type: 'urn:asof:error:ASOF_INVALID_INPUT',
      code: 'ASOF_INVALID_INPUT',
      status: 422,
      location: { line: 2 },
    });
    for (const [address, status, code] of [
      ['/v1/status?asOf=yesterday', 400, 'ASOF_INVALID_ARGUMENT'],
      ['/v1/status?as_of=2024-01-01', 400, 'ASOF_INVALID_ARGUMENT'],
      ['/v1/nothing', 404, 'ASOF_NOT_FOUND'],
      ['/v1/runs/none', 404, 'ASOF_MISSING_RESOURCE'],
      ['/v1/events?limit=51', 400, 'ASOF_INVALID_ARGUMENT'],
    ] as const) {
      const answer = await server.fetch(address);
      expect([address, answer.status]).toEqual([address, status]);
      expect(await answer.json()).toMatchObject({ code, status });
    }
    expect(await server.json('/v1/status')).toEqual(before);
  });

  it('refuses a body that is too large, with or without its length said ahead, and one of another type', async () => {
    const large = [asset('x', 11, 'x'.repeat(11_000))];
    const said = await server.ingest(large);
    expect(said.status).toBe(413);
    expect(await said.json()).toMatchObject({ code: 'ASOF_BODY_TOO_LARGE' });
    const status = await new Promise<number>((resolve, reject) => {
      const url = new URL('/v1/ingest', server.url);
      const request = httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } });
      request.on('response', (answer) => resolve(answer.resume().statusCode!));
      request.on('error', reject);
      // In chunks, without a length.
      for (let i = 0; i < 11; i++) request.write('x'.repeat(1000));
      request.end();
    });
    expect(status).toBe(413);
    const typed = await server.fetch('/v1/ingest', { method: 'POST', body: 'text' });
    expect(typed.status).toBe(415);
    expect((await server.post('/v1/ingest', asset('x', 11))).status).toBe(415);
    const long = await server.post('/v1/events', { events: [{ id: 'x'.repeat(500), data: 'y'.repeat(2000) }] });
    expect(long.status).toBe(413);
  });

  it('does nothing twice for one idempotency key', async () => {
    const keyed = { ...late, headers: { 'idempotency-key': 'key 1' } };
    const first = await server.ingest([asset('f', 12)], keyed);
    const again = await server.ingest([asset('f', 12)], keyed);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await again.json()).toEqual(await first.json());
    const other = await server.ingest([asset('g', 12)], keyed);
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({ code: 'ASOF_IDEMPOTENCY_CONFLICT' });
  });

  it('makes ingests wait for one another, and refuses more than may wait', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => server.ingest([asset(`w${i}`, 13)], late)));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const { versions } = await server.json<{ versions: number }>('/v1/status');
    expect(versions).toBe(5 + statuses.filter((status) => status === 200).length);
  });

  it('sees what another process commits, and tells a writer that waits who is writing', async () => {
    const writer = await openWorkspace(server.workspace);
    const refused = await server.ingest([asset('h', 14)]);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await refused.json()).toMatchObject({ code: 'ASOF_FOLDER_LOCKED' });
    const file = path.join(server.workspace, 'more.jsonl');
    await writeFile(file, `${JSON.stringify(asset('other', 14))}\n`);
    await writer.ingest([file], { now, backfill: true });
    await writer.close();
    expect(await server.json('/v1/assets/other')).toMatchObject({ version: { text: 'text of other' } });
  });

  it('withdraws assets as of a time', async () => {
    const refused = await server.post('/v1/withdrawals', { ids: ['b'], at: '2024-01-15' });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(await refused.json())).toContain('?backfill=true');
    const answer = await server.post('/v1/withdrawals?backfill=true', { ids: ['b'], at: '2024-01-15' });
    expect(await answer.json()).toMatchObject({ withdrawn: 1 });
    expect(await server.json('/v1/assets/b?asOf=2024-01-14')).toMatchObject({ version: { text: 'text of b' } });
    expect(await server.json('/v1/assets/b?asOf=2024-01-15')).toMatchObject({ version: null });
    expect((await server.post('/v1/withdrawals', { ids: ['b'] })).status).toBe(400);
  });

  it('appends events, gives those before a time, and audits answers against them', async () => {
    const events = [
      { id: 'e1', observedAt: day(1), kind: 'note', data: { text: 'first' } },
      { id: 'e2', observedAt: day(2), dependsOn: ['e1'] },
      { id: 'e3', observedAt: day(3) },
    ];
    expect(await (await server.post('/v1/events', { events })).json()).toMatchObject({ log: { size: 3 } });
    const before = await server.json('/v1/events?before=2024-01-03');
    expect(before).toMatchObject({
      total: 2,
      events: [{ id: 'e1', data: { text: 'first' } }, { id: 'e2' }],
      memory: { size: 2 },
    });
    const early = await server.post('/v1/events', { events: [{ id: 'e0', observedAt: day(1) }] });
    expect(early.status).toBe(400);

    const answers = [
      { id: 'past', askedAt: day(3), used: ['e1', 'e2'] },
      { id: 'future', askedAt: day(3), used: ['e3'] },
    ];
    const audit = await (await server.post('/v1/audits', { answers })).json();
    expect(audit).toMatchObject({
      status: 'violation',
      answers: { pass: 1, violation: 1 },
      findings: [{ id: 'future' }],
    });
  });

  it('describes itself: OpenAPI 3.1 with every route, a page of documentation, liveness and metrics', async () => {
    const api = await server.json<{ openapi: string; paths: Record<string, unknown> }>('/openapi.json');
    expect(api.openapi).toBe('3.1.0');
    expect(Object.keys(api.paths)).toEqual(
      expect.arrayContaining(['/v1/ingest', '/v1/assets/{id}', '/v1/runs/{run}/rows']),
    );
    expect((await server.fetch('/docs')).headers.get('content-type')).toContain('text/html');
    expect(await server.json('/healthz')).toMatchObject({ status: 'ok', workspace: true });
    const metrics = await (await server.fetch('/metrics')).text();
    expect(metrics).toMatch(/asof_ingested_records_total [1-9]/);
    expect(metrics).toContain('route="/v1/assets/:id"');
  });

  it('lets no page of another site ask, and answers to no name but that of loopback', async () => {
    const foreign = await server.fetch('/v1/events', { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(new URL('/v1/status', server.url), { headers: { host: 'evil.example' } });
      request.on('response', (answer) => resolve(answer.resume().statusCode!));
      request.on('error', reject).end();
    });
    expect(status).toBe(403);
    const plain = await server.fetch('/v1/status', { headers: { origin: 'https://evil.example' } });
    expect(plain.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('asks for the token where one is set, but for liveness', async () => {
    const guarded = await serverForTest({ token: 'secret', origins: ['https://friend.example'] });
    try {
      expect((await guarded.fetch('/healthz')).status).toBe(200);
      for (const authorization of ['', 'Bearer wrong', 'secret']) {
        const answer = await guarded.fetch('/v1/status', { headers: { authorization } });
        expect(answer.status).toBe(401);
        expect(await answer.json()).toMatchObject({ code: 'ASOF_UNAUTHORIZED' });
      }
      const headers = { authorization: 'Bearer secret', origin: 'https://friend.example' };
      const answer = await guarded.fetch('/v1/status', { headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://friend.example');
      expect((await guarded.fetch('/metrics')).status).toBe(401);
    } finally {
      await guarded.close();
    }
  });

  it('answers a request that is at work when it is told to end', async () => {
    const ending = await serverForTest({ now: () => now });
    const records = Array.from({ length: 2000 }, (_, i) => asset(`a${i}`, 1));
    const answer = ending.ingest(records);
    // Until it has arrived.
    while (!/asof_waiting_ingests 1/.test(await (await ending.fetch('/metrics')).text()));
    await ending.close();
    expect((await answer).status).toBe(200);
  });
});

describe('the HTTP API over replay runs', () => {
  let folder: string;
  let server: ServerForTest;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'asof-runs-'));
    await writeSmallDataset(path.join(folder, 'data'));
    await runSmall(path.join(folder, 'data'), path.join(folder, 'runs', 'one'));
    server = await serverForTest({ runs: [path.join(folder, 'runs')] });
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const shard = 'domain=small&stream=random&seed=1&retriever=bm25&mechanism=trace';

  it('lists runs and gives their report and gate', async () => {
    expect(await server.json('/v1/runs')).toMatchObject({
      runs: [{ name: 'one', title: 'small', domains: ['small'], contract: 'holds', audit: null, fault: null }],
    });
    const run = await server.json<{ report: Report; cellNames: string[] }>('/v1/runs/one');
    expect(run.cellNames).toEqual(['trace', 'feedback (oracle)']);
    expect(run).toMatchObject({ report: { format: 'asof-report/1' }, gate: { format: 'asof-gate/1' } });
    const effects = JSON.parse(await readFile(path.join(folder, 'runs', 'one', 'effects.json'), 'utf8'));
    expect(run.report.cells.map(({ effects: cell }) => cell.contrasts)).toEqual(
      effects.cells.map((cell: { contrasts: unknown }) => cell.contrasts),
    );
    expect((await server.fetch('/v1/runs/one/report')).headers.get('content-type')).toContain('text/html');
  });

  it('gives rows filtered, sorted and by page', async () => {
    const all = await server.json<Rows>('/v1/runs/one/rows?limit=5');
    expect(all.rows).toHaveLength(5);
    const pit = await server.json<Rows>(
      `/v1/runs/one/rows?${shard}&condition=PIT&condition=Future&sort=-tvr&limit=500`,
    );
    expect(pit.total).toBe(2 * 16);
    const tvr = pit.rows.map((row) => row[pit.columns.indexOf('tvr')] as number);
    expect(tvr).toEqual(tvr.toSorted((a, b) => b - a));
    expect(new Set(pit.rows.map((row) => row[pit.columns.indexOf('condition')]))).toEqual(new Set(['PIT', 'Future']));
    const paged = [];
    for (let offset = 0; offset < pit.total; offset += 7) {
      const address = `/v1/runs/one/rows?${shard}&condition=PIT&condition=Future&sort=-tvr&limit=7&offset=${offset}`;
      paged.push(...(await server.json<Rows>(address)).rows);
    }
    expect(paged).toEqual(pit.rows);
    const chosen = await server.json<Rows>('/v1/runs/one/rows?columns=condition,selected_positions&limit=1');
    expect(chosen.columns).toEqual(['condition', 'selected_positions']);
    for (const query of ['columns=drop', 'sort=%22;--', 'limit=1001', 'conditon=PIT']) {
      expect((await server.fetch(`/v1/runs/one/rows?${query}`)).status).toBe(400);
    }
    const quoted = await server.json<Rows>(`/v1/runs/one/rows?condition=${encodeURIComponent("' OR 1=1 --")}`);
    expect(quoted.total).toBe(0);
  });

  it('shows one anchor: the base list, and what each memory selected, future entries marked', async () => {
    const rows = await server.json<Rows>(`/v1/runs/one/rows?${shard}&condition=Future&sort=-future_slots&limit=1`);
    const position = rows.rows[0]![rows.columns.indexOf('anchor_position')];
    interface View {
      condition: string;
      futureSlots: number;
      temporalViolationRate: number;
      selected: { position: number; isFuture: boolean }[];
      ranking: { id: string; baseRank: number | null }[];
    }
    const anchor = await server.json<{ base: { id: string; baseRank: number }[]; views: View[] }>(
      `/v1/runs/one/anchors/${position}?${shard}&depth=10`,
    );
    expect(anchor.base.map(({ baseRank }) => baseRank)).toEqual(anchor.base.map((_, i) => i + 1));
    const view = (name: string) => anchor.views.find(({ condition }) => condition === name)!;
    expect(view('PIT').selected.some(({ isFuture }) => isFuture)).toBe(false);
    const future = view('Future');
    expect(future.selected.filter(({ isFuture }) => isFuture)).toHaveLength(future.futureSlots);
    expect(future.futureSlots).toBeGreaterThan(0);
    expect(future.selected.every((event) => event.isFuture === event.position > Number(position))).toBe(true);
    expect(view('Stateless').ranking.map(({ id }) => id)).toEqual(anchor.base.map(({ id }) => id));
    expect((await server.fetch(`/v1/runs/one/anchors/100000?${shard}`)).status).toBe(404);
  });

  it('gives the recorded audit, makes a new one beside the answers, and gives out the files of a run and no others', async () => {
    expect(await server.json('/v1/runs/one/audit')).toMatchObject({ recorded: { state: 'holds' }, job: null });
    const started = await server.fetch('/v1/runs/one/audit', { method: 'POST' });
    expect(started.status).toBe(202);
    interface Audit {
      job: { state: string; error: string | null; facts: { state: string; comparisons: number } | null };
      recorded: { comparisons: number };
    }
    let audit = await server.json<Audit>('/v1/runs/one/audit');
    while (audit.job.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 100));
      audit = await server.json<Audit>('/v1/runs/one/audit');
    }
    expect(audit.job).toMatchObject({ state: 'done', error: null, facts: { state: 'holds' } });
    expect(audit.job.facts!.comparisons).toBeGreaterThan(1000);
    expect(await server.json('/v1/runs')).toMatchObject({ runs: [{ audit: { state: 'done', verdict: 'holds' } }] });

    interface Certificate {
      manifestHash: string;
      artefacts: { path: string; bytes: number }[];
    }
    const certificate = await server.json<Certificate>('/v1/runs/one/certificate');
    for (const { path: file, bytes } of certificate.artefacts) {
      const answer = await server.fetch(`/v1/runs/one/files/${file}`);
      expect((await answer.arrayBuffer()).byteLength).toBe(bytes);
    }
    expect((await server.json<{ hash: string }>('/v1/runs/one/files/manifest.json')).hash).toBe(
      certificate.manifestHash,
    );
    const proofs = await server.json<ProofVerdict>('/v1/runs/one/proofs');
    expect(proofs).toMatchObject({ holds: true, files: { altered: [] }, consistency: { failed: 0, first: [] } });
    expect(proofs.files.listed).toBe(certificate.artefacts.length);
    expect(proofs.consistency.verified).toBeGreaterThanOrEqual(2 * 16);

    for (const name of ['..%2F..%2Fdata%2Fassets.jsonl', '%2e%2e/one/manifest.json', 'attestation.dsse.json', '']) {
      expect((await server.fetch(`/v1/runs/one/files/${name}`)).status).toBe(404);
    }
  });

  it('takes no proof that does not show what a row names, and none that is not there', async () => {
    const run = await RunReader.open(path.join(folder, 'runs', 'one'));
    const source = { manifest: run.manifest, digests: () => run.digests(), rows: run.rows.bind(run) };
    const { consistency } = await verifyProofs({ ...source, proofs: (of) => run.proofs(of) });
    const none = await verifyProofs({ ...source, proofs: async () => ({ rows: 0, proofs: new Map() }) });
    expect(none).toMatchObject({ holds: false, consistency: { failed: consistency.verified } });
    const other = (hash: string) => (hash.startsWith('0') ? '1' : '0') + hash.slice(1);
    const forged = await verifyProofs({
      ...source,
      proofs: async (of) => {
        const { rows, proofs } = await run.proofs(of);
        const memory = ({ snapshot, memory: path }: PrefixProofs) => ({ snapshot, memory: path.map(other) });
        return { rows, proofs: new Map(Array.from(proofs, ([key, stored]) => [key, memory(stored)])) };
      },
    });
    expect(forged.holds).toBe(false);
    expect(forged.consistency.first.every(({ log }) => log === 'memory')).toBe(true);
  });

  it('says of a run that was changed after it was made that it was changed', async () => {
    const effects = path.join(folder, 'runs', 'one', 'effects.json');
    const text = await readFile(effects, 'utf8');
    const other = await createServer({ version: '0', runs: [path.join(folder, 'runs')], now: () => 0 });
    await writeFile(effects, text.replace('"format"', ' "format"'));
    try {
      const answer = await other.inject({ url: '/v1/runs/one', headers: { host: 'localhost' } });
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toMatchObject({ code: 'ASOF_CONTRACT_VIOLATION' });
      const proofs = await other.inject({ url: '/v1/runs/one/proofs', headers: { host: 'localhost' } });
      expect(proofs.json()).toMatchObject({
        holds: false,
        files: { altered: ['effects.json'] },
        consistency: { failed: 0 },
      });
      const status = await other.inject({ url: '/v1/status', headers: { host: 'localhost' } });
      expect(status.json()).toMatchObject({ code: 'ASOF_MISSING_RESOURCE', status: 404 });
    } finally {
      await writeFile(effects, text);
      await other.close();
    }
  });
});
