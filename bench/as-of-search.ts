/**
 * As-of search beside date-filtered search in other engines, on the same documents and queries in one run: queries a
 * second, p50, p99, recall@10 of approximate search, and whether the statistics that a ranking used are those of t.
 *
 *   npm run bench -- bench/as-of-search.ts [--documents 20000] [--queries 100]
 *
 * Documents are CVEs of ../shared/data/nvd; queries and their t are those of freshness-queries.jsonl. Vectors are sums of
 * random directions of words, so that no model's speed is measured. For the statistics, each engine searches the documents of
 * three t a second time, in an index of those documents alone: a ranking by the statistics of t is the same, scores included.
 */
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { openInMemory } from '#asof/columnar/duckdb.js';
import { openWorkspace, type SearchableWorkspace } from '#asof/search/SearchableWorkspace.js';
import type { SearchOptions } from '#asof/search/settings.js';
import { initWorkspace } from '#asof/store/workspace/initWorkspace.js';
import { parseInstant } from '#asof/time/parseInstant.js';
import { PythonPeer, preparePython } from './peers/pythonPeer.js';
import { WordDirections } from './support/WordDirections.js';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '20000' },
    queries: { type: 'string', default: '100' },
    python: { type: 'string' },
  },
});
const dimension = 384;
const now = Date.UTC(2030, 0, 1);

interface Document {
  id: string;
  text: string;
  published: number;
}
interface Query {
  text: string;
  asOf: number;
  vector: number[];
}
type Answers = { answers: [string, number][][]; seconds: number[] };
type Engine = (queries: readonly Query[], upTo?: number) => Promise<Answers>;

function linesOf(file: string): Record<string, string>[] {
  const bytes = readFileSync(`../shared/data/nvd/${file}`);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
const embedder = new WordDirections();

async function workspaceOf(documents: readonly Document[], name: string): Promise<SearchableWorkspace> {
  const file = join(folder, `${name}.jsonl`);
  await pipeline(
    Readable.from(
      (function* () {
        for (const document of documents) yield `${JSON.stringify(document)}\n`;
      })(),
    ),
    createWriteStream(file),
  );
  const home = join(folder, name);
  await initWorkspace(home);
  const workspace = await openWorkspace(home, { embedder, blockRows: 4096 });
  const mapping = { fields: { eventAt: 'published', availableAt: 'published' }, instants: { epoch: 'ms' as const } };
  await workspace.ingest([file], { now, mapping, embed: true });
  return workspace;
}

async function run(): Promise<void> {
  const all = ['nvd-2019.jsonl.gz', 'cves-2020.jsonl.gz'].flatMap(linesOf).map(({ id, description, published }) => ({
    id: id!,
    text: description!,
    published: parseInstant(published!),
  }));
  const byId = new Map(all.map((document) => [document.id, document]));
  const documents = [...byId.values()].sort((a, b) => b.published - a.published).slice(0, Number(values.documents));
  const asked = linesOf('freshness-queries.jsonl').slice(0, Number(values.queries));
  const queryVectors = await embedder.embed(asked.map(({ text }) => text!));
  const queries = asked.map(
    ({ text, asOf }, i): Query => ({
      text: text!,
      asOf: parseInstant(asOf!),
      vector: [...queryVectors.vectors.subarray(i * dimension, (i + 1) * dimension)],
    }),
  );
  console.info(`${documents.length} documents, ${queries.length} queries`);

  const workspaces = new Map<number | undefined, SearchableWorkspace>();
  const asof =
    (options: SearchOptions): Engine =>
    async (list, upTo) => {
      let workspace = workspaces.get(upTo);
      if (workspace === undefined) {
        const kept = documents.filter(({ published }) => upTo === undefined || published <= upTo);
        workspace = await workspaceOf(kept, `workspace-${upTo}`);
        workspaces.set(upTo, workspace);
      }
      const result: Answers = { answers: [], seconds: [] };
      for (const { text, asOf } of list) {
        const start = performance.now();
        const { hits } = await workspace.search(text, { ...options, asOf, interpretTime: false });
        result.seconds.push((performance.now() - start) / 1000);
        result.answers.push(hits.map(({ id, score }) => [id, score]));
      }
      return result;
    };
  const engines = new Map<string, Engine>([
    ['asof fresh', asof({ mode: 'fresh' })],
    ['asof lexical', asof({ mode: 'lexical' })],
    ['asof semantic, exact', asof({ mode: 'semantic' })],
    ['asof semantic, approximate', asof({ mode: 'semantic', approximate: true })],
    ['asof hybrid', asof({ mode: 'hybrid' })],
  ]);

  const python = values.python ?? preparePython('requirements-search.txt');
  const peer = python === null ? undefined : new PythonPeer(python, 'as_of_search.py', 2);
  const vectors = await embedder.embed(documents.map(({ text }) => text));
  const vectorFile = join(folder, 'vectors.f32');
  writeFileSync(vectorFile, new Uint8Array(vectors.vectors.buffer));
  const documentFile = join(folder, 'documents.jsonl');
  writeFileSync(documentFile, documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  if (peer !== undefined) {
    await peer.ask({ documents: documentFile, vectors: vectorFile, dimension, folder });
    for (const [name, engine] of [
      ['SQLite FTS5, date filter', 'sqlite'],
      ['LanceDB FTS, date filter', 'lance-fts'],
      ['LanceDB vectors, exact, date filter', 'lance-vector'],
      ['LanceDB vectors, IVF-HNSW, date filter', 'lance-ann'],
    ] as const) {
      engines.set(name, (list, upTo) => peer.ask({ engine, queries: list, upTo: upTo ?? null }));
    }
  }
  const { connection, close } = await openInMemory();
  await connection.run(`CREATE TABLE docs (id VARCHAR, published BIGINT, vector FLOAT[${dimension}])`);
  const rows = documents.map(({ id, published }, i) => ({
    id,
    published,
    vector: [...vectors.vectors.subarray(i * dimension, (i + 1) * dimension)],
  }));
  writeFileSync(join(folder, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await connection.run(`INSERT INTO docs SELECT id, published, vector FROM read_json('${join(folder, 'rows.jsonl')}',
    columns = {id: 'VARCHAR', published: 'BIGINT', vector: 'FLOAT[${dimension}]'})`);
  engines.set('DuckDB vectors, exact, date filter', async (list) => {
    const result: Answers = { answers: [], seconds: [] };
    for (const { vector, asOf } of list) {
      const start = performance.now();
      const found = await connection.run(
        `SELECT id, array_cosine_similarity(vector, [${vector.join(',')}]::FLOAT[${dimension}]) AS score FROM docs
         WHERE published <= ${asOf} ORDER BY score DESC LIMIT 10`,
      );
      const answer = (await found.getRows()).map(([id, score]): [string, number] => [id as string, Number(score)]);
      result.seconds.push((performance.now() - start) / 1000);
      result.answers.push(answer);
    }
    return result;
  });

  const results = new Map<string, Answers>();
  for (const [name, engine] of engines) {
    await engine(queries.slice(0, 3));
    results.set(name, await engine(queries));
  }
  console.info('| engine | queries/s | p50 ms | p99 ms |\n| --- | --- | --- | --- |');
  for (const [name, { seconds }] of results) {
    const sorted = [...seconds].sort((a, b) => a - b);
    const at = (share: number) =>
      (1000 * sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!).toFixed(1);
    const rate = seconds.length / seconds.reduce((sum, value) => sum + value, 0);
    console.info(`| ${name} | ${rate.toFixed(1)} | ${at(0.5)} | ${at(0.99)} |`);
  }
  const recall = (name: string, exact: string) => {
    let found = 0;
    let wanted = 0;
    for (const [i, truth] of results.get(exact)!.answers.entries()) {
      const ids = new Set(results.get(name)!.answers[i]!.map(([id]) => id));
      wanted += truth.length;
      for (const [id] of truth) if (ids.has(id)) found++;
    }
    return (found / wanted).toFixed(4);
  };
  console.info(`recall@10, asof approximate: ${recall('asof semantic, approximate', 'asof semantic, exact')}`);
  if (peer !== undefined) {
    console.info(
      `recall@10, LanceDB IVF-HNSW: ${recall('LanceDB vectors, IVF-HNSW, date filter', 'LanceDB vectors, exact, date filter')}`,
    );
  }

  // Are the statistics those of t? The same queries in an index of D_t alone.
  const times = [0.2, 0.5, 0.8].map((share) => queries[Math.floor(share * queries.length)]!.asOf);
  for (const name of ['asof lexical', 'asof fresh', 'SQLite FTS5, date filter', 'LanceDB FTS, date filter']) {
    const engine = engines.get(name);
    if (engine === undefined) continue;
    let scores = 0;
    let lists = 0;
    let count = 0;
    for (const t of times) {
      const list = queries.map((query) => ({ ...query, asOf: t }));
      const [filtered, alone] = [await engine(list), await engine(list, t)];
      for (const [i, answer] of filtered.answers.entries()) {
        const other = alone.answers[i]!;
        count++;
        if (JSON.stringify(answer) !== JSON.stringify(other)) scores++;
        if (JSON.stringify(answer.map(([id]) => id)) !== JSON.stringify(other.map(([id]) => id))) lists++;
      }
    }
    const share = (n: number) => `${((100 * n) / count).toFixed(1)}%`;
    console.info(
      `${name}: against an index of D_t alone, scores differ in ${share(scores)} of answers, lists in ${share(lists)}`,
    );
  }
  peer?.close();
  close();
  for (const workspace of workspaces.values()) await workspace.close();
}

try {
  await run();
} finally {
  rmSync(folder, { recursive: true });
}
