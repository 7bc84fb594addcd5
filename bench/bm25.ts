/**
 * BM25 top-200 over HybridQA (56,173 assets), one thread each, beside bm25s and Lucene, all given the same terms.
 *
 *     npm run bench -- bench/bm25.ts [--json] [--rounds 5] [--queries 9000]
 *
 * The requests of the data set are repeated in a mixed order up to the number of queries. The contestants take turns within
 * one run; the figures that count are the ratios. Also compared: asof with Lucene's lengths against Lucene's scores, and
 * asof with exact lengths against bm25s, for the ten best of 500 queries.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadDataset } from '#asof/corpus/dataset.js';
import { plain } from '#asof/retrieval/analysis/plain.js';
import { whitespace } from '#asof/retrieval/analysis/whitespace.js';
import { Bm25Retriever } from '#asof/retrieval/bm25/Bm25Retriever.js';
import { IndexSnapshot } from '#asof/retrieval/bm25/IndexSnapshot.js';
import { buildInvertedIndex } from '#asof/retrieval/bm25/InvertedIndexBuilder.js';
import { luceneLength } from '#asof/retrieval/bm25/luceneLength.js';
import type { JsonPeer } from './peers/JsonPeer.js';
import { startLucene } from './peers/lucenePeer.js';
import { PythonPeer, preparePython } from './peers/pythonPeer.js';
import { compareHeads, type Head } from './support/compareHeads.js';
import { formatSummary, type PeerSpent, Rounds, spentByPeer, timed } from './support/measure.js';

const depth = 200;
const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    queries: { type: 'string', default: '9000' },
  },
});
const rounds = Number(flags.rounds);
const queryCount = Number(flags.queries);

const folderOfData = fileURLToPath(new URL('../../shared/data/hybridqa', import.meta.url));
const { corpus, requests } = await loadDataset({ path: folderOfData });
const documents = corpus.texts.map((text) => plain.tokenize(text).join(' '));
const texts = requests.texts.map((text) => plain.tokenize(text).join(' '));
const queries = Array.from({ length: queryCount }, (_, query) => texts[(query * 1009) % texts.length]!);

const { spent: indexing, result: index } = await timed(async () => buildInvertedIndex(documents, whitespace));
const retriever = new Bm25Retriever(new IndexSnapshot(index), corpus.idOrder);
const rankAsof = () => timed(async () => retriever.rankBlock(queries, depth));

type Answer = PeerSpent & { heads: Head[] };
const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
const paths = { documents: join(folder, 'documents.txt'), queries: join(folder, 'queries.txt') };
const peers: JsonPeer[] = [];
const asked = new Map<string, () => Promise<Answer>>();
const versions: Record<string, string> = { node: process.version };
const indexSeconds: Record<string, number> = { asof: indexing.milliseconds / 1000 };
let lengthsDiffer: number | null = null;
const times = new Rounds();
const heads = new Map<string, Head[]>();
try {
  writeFileSync(paths.documents, documents.map((text) => `${text}\n`).join(''));
  writeFileSync(paths.queries, queries.map((text) => `${text}\n`).join(''));
  const python = preparePython('requirements-bm25.txt');
  if (python !== null) {
    const peer = new PythonPeer(python, 'bm25s_search.py');
    peers.push(peer);
    const setup = await peer.ask<{ versions: Record<string, string>; indexSeconds: number }>(paths);
    Object.assign(versions, setup.versions);
    indexSeconds.bm25s = setup.indexSeconds;
    for (const name of ['bm25s-numba', 'bm25s-numpy']) {
      asked.set(name, () => peer.ask<Answer>({ peer: name, depth, queries: queryCount }));
    }
  }
  const lucene = startLucene(paths.documents, paths.queries, join(folder, 'lucene'));
  if (lucene !== null) {
    peers.push(lucene);
    const setup = await lucene.answer<{
      versions: Record<string, string>;
      indexSeconds: number;
      lengths: number[];
    }>();
    Object.assign(versions, setup.versions);
    indexSeconds.lucene = setup.indexSeconds;
    lengthsDiffer = setup.lengths.filter((held, length) => held !== luceneLength(length)).length;
    asked.set('lucene', () => lucene.ask<Answer>(`${depth} ${queryCount}`));
    // Let the machine compile what it finds hot, before the rounds that count.
    await lucene.ask<Answer>(`${depth} ${Math.min(2000, queryCount)}`);
  }
  retriever.rankBlock(queries.slice(0, 500), depth);
  for (let round = 0; round < rounds; round++) {
    times.add('asof', (await rankAsof()).spent);
    for (const [name, ask] of asked) {
      const answer = await ask();
      times.add(name, spentByPeer(answer));
      heads.set(name, answer.heads);
    }
  }
} finally {
  for (const peer of peers) peer.close();
  rmSync(folder, { recursive: true, force: true });
}

const agreement = [...heads].map(([name, theirs]) => {
  const lengths = name === 'lucene' ? ('lucene' as const) : ('exact' as const);
  const like = new Bm25Retriever(new IndexSnapshot(index), corpus.idOrder, { lengths });
  return { name, lengths, ...compareHeads(like.rankBlock(queries.slice(0, theirs.length), depth), theirs) };
});
const summary = times.summary('asof').map((row) => ({
  ...row,
  queriesPerSecond: (queryCount / row.milliseconds) * 1000,
}));
if (flags.json) {
  const postings = index.postings.length / 2;
  const job = { documents: corpus.size, postings, queries: queryCount, depth, rounds };
  console.log(JSON.stringify({ ...job, versions, indexSeconds, lengthsDiffer, summary, agreement }, null, 2));
} else {
  console.log(`${queryCount} queries, medians of ${rounds} rounds; ${JSON.stringify(versions)}`);
  for (const row of summary) console.log(`${formatSummary(row)}; ${row.queriesPerSecond.toFixed(0)} queries/s`);
  console.log(`index, s: ${JSON.stringify(indexSeconds)}`);
  for (const row of agreement) console.log(JSON.stringify(row));
  if (lengthsDiffer !== null) console.log(`lengths below 3,000 that Lucene holds otherwise: ${lengthsDiffer}`);
}
