import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { assetText } from '../src/corpus/asset.js';
import { type Dataset, loadDataset, loadDatasetRecords } from '../src/corpus/dataset.js';
import { noneDropped } from '../src/corpus/dropped.js';
import { productOf } from '../src/corpus/products.js';
import { sliceOf } from '../src/time/calendar.js';
import { formatInstant } from '../src/time/formatInstant.js';
import { type InstantParser, instantParser } from '../src/time/parseInstant.js';

const data = fileURLToPath(new URL('../../shared/data/', import.meta.url));
const present = existsSync(data);
if (!present) console.log(`note: ${data} is absent; tests on real data are skipped`);

/** The records of a JSONL file by a reader that shares nothing with the one under test. */
function plainRecords(path: string): Record<string, unknown>[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function goldOf({ corpus, requests, products }: Dataset): Map<string, string[]> {
  return new Map(
    requests.ids.map((id, request) => [id, Array.from(productOf(products, request), (row) => corpus.ids[row]!).sort()]),
  );
}

describe.runIf(present)('readers on real data', () => {
  it.each([
    ['evidence', 'requests.jsonl'],
    ['page', 'requests.page.jsonl'],
  ] as const)('TAT-QA: the original file with gold %s gives what %s holds', async (gold, reference) => {
    const original = await loadDataset({ path: `${data}tatqa/tatqa_dataset_dev.json.gz`, gold });
    const converted = await loadDataset({
      assets: [`${data}tatqa/assets.jsonl`],
      requests: [`${data}tatqa/${reference}`],
    });
    expect(original.format).toBe('tatqa');
    expect(converted.format).toBe('asof');
    expect(original.corpus.size).toBe(1_634);
    expect(original.requests.size).toBe(1_668);
    const { rowOf: _, ...columns } = original.corpus;
    expect(converted.corpus).toEqual(expect.objectContaining(columns));
    expect(converted.requests).toEqual(original.requests);
    expect(converted.products).toEqual(original.products);
    expect(goldOf(original)).toEqual(
      new Map(plainRecords(`${data}tatqa/${reference}`).map(({ id, gold }) => [id, [...(gold as string[])].sort()])),
    );
  });

  it('TAT-QA: tables and groups of the original are those of assets.jsonl', async () => {
    const { assets, requests } = await loadDatasetRecords({ path: `${data}tatqa/tatqa_dataset_dev.json.gz` });
    const byId = new Map(plainRecords(`${data}tatqa/assets.jsonl`).map((record) => [record.id, record]));
    for (const asset of assets) expect(asset).toEqual(byId.get(asset.id));
    const requestsById = new Map(plainRecords(`${data}tatqa/requests.jsonl`).map((record) => [record.id, record]));
    for (const request of requests) expect(request).toEqual(requestsById.get(request.id));
  });

  it('TAT-QA: a folder in two formats needs a choice', async () => {
    await expect(loadDataset({ path: `${data}tatqa` })).rejects.toThrow(/asof .*; tatqa /);
  });

  it.each([
    ['hybridqa', '.gz', 56_173, 2_436],
    ['convfinqa', '', 654, 1_490],
    ['tatqa', '', 1_634, 1_668],
  ])(
    '%s: every asset and request is there, as a plain reading of the file has it',
    async (name, ending, assets, requests) => {
      const files = {
        assets: `${data}${name}/assets.jsonl${ending}`,
        requests: `${data}${name}/requests.jsonl${ending}`,
      };
      const dataset = await loadDataset({ path: `${data}${name}`, format: 'asof' });
      expect([dataset.corpus.size, dataset.requests.size]).toEqual([assets, requests]);
      expect(dataset.dropped).toEqual(noneDropped());
      expect(dataset.inputs.map(({ sha256 }) => sha256)).toEqual(
        Object.values(files).map((path) => createHash('sha256').update(readFileSync(path)).digest('hex')),
      );
      const records = new Map(plainRecords(files.assets).map((record) => [record.id as string, record]));
      expect(dataset.corpus.texts).toEqual(dataset.corpus.ids.map((id) => assetText(records.get(id) as never)));
      expect(Array.from(dataset.corpus.eventAt, (at) => (Number.isNaN(at) ? undefined : formatInstant(at)))).toEqual(
        dataset.corpus.ids.map((id) => records.get(id)!.eventAt),
      );
      expect(goldOf(dataset)).toEqual(
        new Map(plainRecords(files.requests).map(({ id, gold }) => [id, [...new Set(gold as string[])].sort()])),
      );
    },
  );

  it('reads every time in the real collections, and refuses the two that are none', () => {
    const advisory = ['published', 'modified', 'withdrawn', 'first_commit', 'revisions'];
    const sources: [string, string[], Parameters<typeof instantParser>[0]][] = [
      ['nvd/nvd-2018.jsonl.gz', ['published', 'modified'], {}],
      ['nvd/cves-2020.jsonl.gz', ['published', 'modified'], {}],
      ['advisories/go.jsonl.gz', advisory, {}],
      ['advisories/pypi.jsonl.gz', advisory, {}],
      ['advisories/rust.jsonl.gz', advisory, {}],
      ['endoflife/latest_events.jsonl.gz', ['recorded', 'latestReleaseDate'], {}],
      ['stackexchange/beer_2017.posts.jsonl.gz', ['created', 'edited'], { zone: 'UTC' }],
      ['synthetic-stream/events.jsonl', ['ts'], {}],
    ];
    const refused: string[] = [];
    for (const [path, fields, format] of sources) {
      const parser = instantParser(format);
      const texts = plainRecords(data + path).flatMap((record) => fields.flatMap((field) => record[field] ?? []));
      expect(texts.length).toBeGreaterThan(900);
      for (const text of texts as string[]) {
        const problem = findProblem(text, parser);
        if (problem !== undefined) refused.push(`${path}: ${text}: ${problem}`);
      }
    }
    expect(refused).toEqual([
      expect.stringMatching(/^endoflife.*: 2021-02-111: .*ISO 8601/),
      expect.stringMatching(/^endoflife.*: 2019-1030: .*ISO 8601/),
    ]);
  });
});

/** What is wrong with the reading of a time, or undefined. */
function findProblem(text: string, parser: InstantParser): string | undefined {
  let instant: number;
  try {
    instant = parser.parse(text);
  } catch (error) {
    return (error as Error).message;
  }
  // Times of these forms are read alike by the language's own parser, once they name their zone.
  const reference = Date.parse(/[Zz]$|[+-]\d\d:\d\d$|^.{10}$/.test(text) ? text : `${text}Z`);
  if (instant !== reference) return `read as ${instant}, expected ${reference}`;
  if (parser.parse(formatInstant(instant)) !== instant) return 'does not round-trip';
  const week = sliceOf(instant, 'iso-week');
  return week.start <= instant && instant < week.end ? undefined : `not in ${week.id}`;
}
