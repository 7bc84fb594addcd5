/**
 * Exact top-200 by cosine over 50,000 vectors of 384 numbers, in blocks of 100 queries, beside NumPy (OpenBLAS product
 * and argpartition), usearch (exact), hnswlib (brute force) and LanceDB (flat).
 *
 *     npm run bench -- bench/exact-search.ts [--json] [--rounds 9] [--threads 1]
 *
 * The contestants take turns within one run; the figures that count are the ratios. LanceDB takes one query at a time and
 * gets ten of the hundred; its time is scaled up. Each peer's lists are compared with asof's.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DenseIndex } from '#asof/retrieval/dense/DenseIndex.js';
import { rankedRows } from '#asof/retrieval/ranking.js';
import { PythonPeer, preparePython } from './peers/pythonPeer.js';
import { formatSummary, type PeerSpent, Rounds, spentByPeer, timed } from './support/measure.js';
import { topicalVectors } from './support/vectors.js';

const size = 50_000;
const dimension = 384;
const depth = 200;
const queries = 100;
const lanceQueries = 10;
const peerNames = ['numpy', 'usearch', 'hnswlib', 'lancedb'];

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '9' },
    threads: { type: 'string', default: '1' },
  },
});
const rounds = Number(flags.rounds);
const threads = Number(flags.threads);

const rows = topicalVectors(size, dimension, 1);
const block = topicalVectors(queries, dimension, 2);
const index = await DenseIndex.create(
  {
    matrix: Float32Array.from(rows),
    dimension,
    present: new Uint8Array(size).fill(1),
    idOrder: Uint32Array.from({ length: size }, (_, row) => row),
  },
  { threads },
);
const searchAsof = () => timed(() => index.search(block, { depth }));

const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
const python = preparePython('requirements-vectors.txt');
const peer = python === null ? null : new PythonPeer(python, 'vector_search.py', threads);
const times = new Rounds();
const agreement = new Map<string, number>();
let versions: unknown = null;
try {
  if (peer !== null) {
    writeFileSync(join(folder, 'rows.f32'), rows);
    writeFileSync(join(folder, 'queries.f32'), block);
    const paths = {
      rows: join(folder, 'rows.f32'),
      queries: join(folder, 'queries.f32'),
      folder: join(folder, 'lance'),
    };
    versions = await peer.ask({ ...paths, dimension, threads });
  }
  const { result: ranking } = await searchAsof();
  for (let round = 0; round < rounds; round++) {
    times.add('asof', (await searchAsof()).spent);
    if (peer === null) continue;
    for (const name of peerNames) {
      const count = name === 'lancedb' ? lanceQueries : queries;
      const answer = await peer.ask<PeerSpent & { ids: number[][] }>({ peer: name, depth, queries: count });
      times.add(name, spentByPeer(answer, queries / count));
      if (round === 0) agreement.set(name, sharedShare(answer.ids, ranking));
    }
  }
} finally {
  peer?.close();
  await index.close();
  rmSync(folder, { recursive: true, force: true });
}

const summary = times.summary('asof').map((row) => ({
  ...row,
  queriesPerSecond: (queries / row.milliseconds) * 1000,
  sharedWithAsof: agreement.get(row.name) ?? 1,
}));
if (flags.json) {
  console.log(
    JSON.stringify({ node: process.version, versions, size, dimension, depth, threads, rounds, summary }, null, 2),
  );
} else {
  console.log(
    `Node ${process.version}, ${threads} thread(s), medians of ${rounds} rounds; peers ${JSON.stringify(versions)}`,
  );
  for (const row of summary) {
    console.log(`${formatSummary(row)}; shares ${(row.sharedWithAsof * 100).toFixed(2)}% of asof's lists`);
  }
}

/** Share of asof's lists that another's lists hold too. */
function sharedShare(ids: readonly number[][], ranking: Awaited<ReturnType<DenseIndex['search']>>): number {
  let shared = 0;
  for (const [query, list] of ids.entries()) {
    const own = new Set(rankedRows(ranking, query));
    shared += list.filter((id) => own.has(id)).length;
  }
  return shared / (ids.length * depth);
}
