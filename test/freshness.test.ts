import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildCorpus, snapshotSize } from '../src/corpus/corpus.js';
import { writeTemporaryFiles } from '../src/corpus/testing/temporaryFiles.js';
import { openMinilm } from '../src/embedding/minilm/openMinilm.js';
import {
  evaluateFreshness,
  type FreshnessEvaluationOptions,
} from '../src/evaluation/freshnessEvaluation/evaluateFreshness.js';
import { type FreshnessDataOptions, readFreshnessData } from '../src/evaluation/freshnessEvaluation/freshnessData.js';
import { SnapshotRanker } from '../src/evaluation/freshnessEvaluation/SnapshotRanker.js';
import { RandomSource } from '../src/random/RandomSource.js';
import { english } from '../src/retrieval/analysis/english.js';
import { freshnessMethods } from '../src/retrieval/freshness/options.js';
import { rankFreshness } from '../src/retrieval/freshness/rankFreshness.js';
import { temporalIntent } from '../src/retrieval/intent/temporalIntent.js';
import { millisecondsPerDay as day } from '../src/time/instant.js';

const data = fileURLToPath(new URL('../../shared/data/', import.meta.url));
const present = existsSync(data);
if (!present) console.log(`note: ${data} is absent; tests on real data are skipped`);

async function readData(options: Partial<FreshnessDataOptions> & { documents: string[] }, queries: readonly object[]) {
  const folder = writeTemporaryFiles({
    'queries.jsonl': queries.map((query) => `${JSON.stringify(query)}\n`).join(''),
  });
  return readFreshnessData({ queries: path.join(folder, 'queries.jsonl'), scratchFolder: folder, ...options });
}

const evaluation: FreshnessEvaluationOptions = {
  cutoff: 10,
  similarity: 'semantic',
  readsIntent: true,
  methods: freshnessMethods,
  alphas: [],
  halfLives: [],
  sweeps: [],
};

describe.runIf(present)("the paper's freshness test on the synthetic stream (section 5.4)", () => {
  it('fused finds the newest at every alpha up to 0.95; cosine, whose texts are all alike, by chance', async () => {
    const queries = [
      { text: 'latest okta mfa denied authentication failures', product: 'okta' },
      { text: 'latest snowflake select data access', product: 'snowflake' },
      { text: 'latest qualys openssl vulnerability findings', product: 'qualys' },
    ].map((query) => ({ ...query, id: query.product, asOf: '2025-06-24' }));
    const stream = await readData(
      {
        documents: [`${data}synthetic-stream/events.jsonl`],
        mapping: { preset: 'logs' },
        labelField: 'product',
        queryLabelField: 'product',
      },
      queries,
    );
    const embedder = await openMinilm();
    const ranker = new SnapshotRanker(stream.corpus, english, embedder);
    const alphas = [0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 1];
    const found = await evaluateFreshness(stream, ranker, {
      ...evaluation,
      alphas,
      halfLives: [14 * day],
      sweeps: ['fused'],
    });
    await ranker.close();
    await embedder.close();

    const means = Object.fromEntries(found.methods.map(({ method, means }) => [method, means]));
    expect(means.fused!.latest.mean).toBe(1);
    expect(means.coverage!.latest.mean).toBe(1);
    // Equal texts have equal cosines: the newest of a hundred or more is among the first ten by chance alone.
    expect(means.similarity!.expectedLatest.mean).toBeLessThan(0.2);
    for (const { asOfCorrectness } of Object.values(means)) expect(asOfCorrectness.mean).toBe(1);
    const byAlpha = found.sweeps[0]!.latest;
    // At alpha 0 nothing but age counts, and the newest of all events need not be relevant.
    for (const [at, alpha] of alphas.entries()) if (alpha > 0 && alpha <= 0.95) expect(byAlpha[at]).toBe(1);
    expect(byAlpha.at(-1)).toBe(means.similarity!.latest.mean);
  });
});

describe.runIf(present)('the default on CVE descriptions of 2019', () => {
  const asOf = '2019-10-01';
  const products = ['google:chrome', 'wireshark:wireshark', 'jenkins:jenkins', 'magento:magento', 'gitlab:gitlab'];
  const wordings = ['@', 'latest @ vulnerabilities', 'recent security issues in @', 'any new problems affecting @'];
  const queries = products.flatMap((product) =>
    wordings.map((wording) => {
      const text = wording.replace('@', product.slice(product.indexOf(':') + 1));
      return { id: text, text, asOf, product };
    }),
  );
  const options = {
    documents: [`${data}nvd/nvd-2019.jsonl.gz`],
    mapping: { preset: 'nvd' },
    labelField: 'products',
    queryLabelField: 'product',
  };

  it('finds the newest and stays on the subject, however the question is put', async () => {
    const cves = await readData(options, queries);
    const ranker = new SnapshotRanker(cves.corpus, english);
    const found = await evaluateFreshness(cves, ranker, { ...evaluation, similarity: 'lexical' });
    const { latestSet, precision, asOfCorrectness } = found.methods.find(({ method }) => method === 'coverage')!.means;
    expect(latestSet.mean).toBeGreaterThanOrEqual(0.8);
    expect(precision.mean).toBeGreaterThanOrEqual(0.6);
    expect(asOfCorrectness.mean).toBe(1);
  });

  it('gives the same answers when everything after t is deleted (case 6)', async () => {
    const { corpus } = await readData(options, queries.slice(0, 1));
    const whole = new SnapshotRanker(corpus, english);
    const random = new RandomSource(5, 'test/freshness');
    for (let round = 0; round < 3; round++) {
      const t = corpus.availableAt[random.below(corpus.size)]!;
      const size = snapshotSize(corpus, t);
      const past = buildCorpus(
        corpus.ids.slice(0, size).map((id, row) => ({
          id,
          type: 'cve',
          text: corpus.texts[row]!,
          eventAt: corpus.eventAt[row]!,
          availableAt: corpus.availableAt[row]!,
        })),
      );
      const cut = new SnapshotRanker(past, english);
      for (const { text } of queries) {
        const intent = temporalIntent(text, t);
        for (const halfLife of [undefined, 'adaptive' as const]) {
          const [a, b] = [whole, cut].map((ranker) => rankFreshness(ranker.byTerms(intent), { halfLife, depth: 20 }));
          expect(b).toEqual(a);
        }
        const [a, b] = await Promise.all(
          [whole, cut].map(async (ranker) =>
            rankFreshness(await ranker.bySimilarity(intent, 'lexical'), { method: 'fused', depth: 20 }),
          ),
        );
        expect(b).toEqual(a);
      }
    }
  });
});
