import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kMeans } from '../src/clustering/kMeans.js';
import { CachedEmbedder } from '../src/embedding/cache/CachedEmbedder.js';
import { openMinilm } from '../src/embedding/minilm/openMinilm.js';
import { VectorFile } from '../src/embedding/vectorFile/VectorFile.js';
import { writeVectorFile } from '../src/embedding/vectorFile/writeVectorFile.js';
import { DenseIndex } from '../src/retrieval/dense/DenseIndex.js';
import { plainSearch } from '../src/retrieval/dense/plainSearch.js';
import { rankedRows } from '../src/retrieval/ranking.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const eventsFile = path.join(root, '../shared/data/synthetic-stream/events.jsonl');
const present = existsSync(eventsFile);
if (!present) console.log(`${eventsFile} is absent: tests on the synthetic stream are skipped`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'asof-embedding-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('first use of MiniLM', () => {
  it('by two processes at once leaves one good model, and both embed alike', async () => {
    const cacheFolder = path.join(folder, 'first-use');
    const source = pathToFileURL(path.join(root, 'src/embedding/minilm/openMinilm.ts')).href;
    const program = `
      const { openMinilm } = await import(${JSON.stringify(source)});
      const embedder = await openMinilm({ cacheFolder: ${JSON.stringify(cacheFolder)}, threads: 1 });
      const { vectors } = await embedder.embed(['That is a happy person']);
      console.log(embedder.hash, Buffer.from(vectors.buffer).toString('hex'));`;
    const run = () =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
        cwd: root,
      });
    const [first, second] = await Promise.all([run(), run()]);
    expect(first.stdout).toMatch(/^[0-9a-f]{64} [0-9a-f]{3072}\n$/);
    expect(second.stdout).toBe(first.stdout);
    const files = readdirSync(cacheFolder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe.skipIf(!present)('the synthetic stream of 905 events', () => {
  let texts: string[];
  let file: VectorFile;
  let matrix: Float32Array;
  let embedded: { hits: number; misses: number };

  beforeAll(async () => {
    const lines = readFileSync(eventsFile, 'utf8').trim().split('\n');
    texts = lines.map((line) => {
      const { product, event_type: type, asset_id: asset, msg } = JSON.parse(line) as Record<string, string>;
      return `${product} ${type} ${asset} ${msg}`;
    });
    const embedder = new CachedEmbedder(await openMinilm({ cacheFolder: folder }), path.join(folder, 'vectors'));
    const embeddings = await embedder.embed(texts);
    embedded = embedder.counts;
    const target = path.join(folder, 'events.vectors');
    await writeVectorFile(target, { dimension: 384, embedderHash: embedder.hash }, [embeddings]);
    file = await VectorFile.open(target, { embedderHash: embedder.hash, dimension: embedder.dimension });
    matrix = await file.readPrefix();
    await embedder.close();
  });
  afterAll(() => file.close());

  it('is embedded once a distinct text', () => {
    expect(embedded.misses).toBe(new Set(texts).size);
    expect(file.rows).toBe(905);
  });

  it('has no more clusters than distinct texts, none empty and no two alike (case 30)', async () => {
    const distinct = new Set(texts).size;
    const result = await kMeans({ matrix, count: 905, dimension: 384 }, { k: distinct + 20, seed: 1, restarts: 2 });
    expect(result.clusters).toBe(distinct);
    expect(new Set(result.labels).size).toBe(distinct);
    expect(result.inertia).toBeCloseTo(0, 6);
  });

  it('is searched as of any row as if later rows did not exist, ties by id order (case 21)', async () => {
    const idOrder = Uint32Array.from({ length: 905 }, (_, row) => (row * 611) % 905);
    const rows = { matrix, dimension: 384, present: file.present(), idOrder };
    const queries = matrix.slice(0, 4 * 384);
    const expected = [1, 100, 905].map((size) => plainSearch(rows, queries, { depth: 20, rows: size }));
    const index = await DenseIndex.create({ ...rows, matrix: Float32Array.from(matrix) });
    for (const [i, size] of [1, 100, 905].entries()) {
      const ranking = await index.search(queries, { depth: 20, rows: size });
      expect(ranking).toEqual(expected[i]);
      for (const row of rankedRows(ranking, 0)) expect(row).toBeLessThan(size);
    }
    await index.close();
  });
});
