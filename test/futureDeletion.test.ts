import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jsonLines } from '../src/corpus/testing/temporaryFiles.js';
import { CachedEmbedder } from '../src/embedding/cache/CachedEmbedder.js';
import type { Embedder } from '../src/embedding/Embedder.js';
import { openMinilm } from '../src/embedding/minilm/openMinilm.js';
import { RandomSource } from '../src/random/RandomSource.js';
import { openWorkspace, type SearchableWorkspace } from '../src/search/SearchableWorkspace.js';
import type { SearchOptions } from '../src/search/settings.js';
import { type TestRecord, testMapping } from '../src/search/testing/searchableForTest.js';
import { initWorkspace } from '../src/store/workspace/initWorkspace.js';
import { millisecondsPerDay } from '../src/time/instant.js';
import { parseInstant } from '../src/time/parseInstant.js';

const data = path.resolve('../shared/data');
const isPresent = existsSync(data);
if (!isPresent) console.log(`skipped: no ${data}`);

/** Random instants t, no two of one past state; and every so many of them, a workspace for that t alone beside the one that grows. */
const instantCount = 200;
const aloneEvery = 10;
const now = Date.UTC(2030, 0, 1);

const modes: readonly SearchOptions[] = [
  { mode: 'fresh' },
  { mode: 'fresh', freshness: { halfLife: 'adaptive' } },
  { mode: 'lexical' },
  { mode: 'semantic' },
  { mode: 'hybrid' },
  { mode: 'hybrid', fusion: 'rrf' },
  { mode: 'semantic', freshness: { method: 'fused' } },
  { mode: 'hybrid', freshness: { halfLife: 'adaptive' } },
  { mode: 'semantic', freshness: { method: 'semantic-then-newest' } },
  { mode: 'semantic', approximate: true },
  { mode: 'hybrid', approximate: true, freshness: { method: 'fused' } },
  { mode: 'hybrid', pool: 20, freshness: { alpha: 0.5, floor: 0.1 } },
];

/** Fields of the records of all three collections. */
interface Line {
  id: string;
  published: string | null;
  description: string;
  withdrawn: string | null;
  first_commit: string | null;
  published_or_commit: string;
  summary: string | null;
  product: string;
  cycle: string;
  latest: string;
  latestReleaseDate: string | null;
  recorded: string;
}

function linesOf(file: string): Line[] {
  const text = gunzipSync(readFileSync(path.join(data, file))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Every nth record of real collections: vulnerabilities, advisories (some withdrawn), versions of products (two clocks). */
function realRecords(): TestRecord[] {
  const every = <T>(items: readonly T[], n: number) => items.filter((_, i) => i % n === 0);
  const cves = every(linesOf('nvd/cves-2020.jsonl.gz'), 40).map(({ id, published, description }) => ({
    id: `cve/${id}`,
    text: description,
    availableAt: parseInstant(published!),
    eventAt: parseInstant(published!),
  }));
  const advisories = ['go', 'pypi', 'rust'].flatMap((name) => linesOf(`advisories/${name}.jsonl.gz`));
  const chosen = [...advisories.filter(({ withdrawn }) => withdrawn !== null), ...every(advisories, 40)];
  const osv = [...new Map(chosen.map((item) => [item.id, item])).values()].map((item) => {
    const { id, summary, published, published_or_commit, first_commit, withdrawn } = item;
    const availableAt = parseInstant(first_commit ?? published_or_commit);
    return {
      id: `osv/${id}`,
      text: summary ?? '',
      availableAt,
      eventAt: published === null ? availableAt : parseInstant(published),
      withdrawnAt: withdrawn === null ? undefined : Math.max(parseInstant(withdrawn), availableAt),
    };
  });
  const isDate = (text: string | null) => text !== null && /^\d{4}-\d\d-\d\d$/.test(text);
  const versions = every(linesOf('endoflife/latest_events.jsonl.gz'), 90)
    .filter(({ latestReleaseDate }) => isDate(latestReleaseDate))
    .map(({ product, cycle, latest, latestReleaseDate, recorded }) => ({
      id: `${product}/${cycle}`,
      text: `${product} ${cycle} latest version ${latest}`,
      availableAt: parseInstant(recorded),
      eventAt: parseInstant(latestReleaseDate!),
    }));
  return [...cves, ...osv, ...versions];
}

describe.skipIf(!isPresent)('future deletion', () => {
  it(`changes no answer and no state as of ${instantCount} random t, with all-MiniLM-L6-v2, ${modes.length / 2} of ${modes.length} ways to search at each (cases 5 to 8)`, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'asof-future-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // One cache for all workspaces: what a text's vector is does not depend on time, and a text is embedded once.
    const embedder = new CachedEmbedder(await openMinilm({ cacheFolder: folder }), path.join(folder, 'vectors'));
    onTestFinished(() => embedder.close());
    const random = new RandomSource(11, 'future-deletion');
    const records = realRecords();

    // The full workspace: files in no order of time, so that most of what they hold arrives late.
    const full = await emptyWorkspace(folder, 'full', embedder);
    const order = random.shuffle(Uint32Array.from(records.keys()));
    const files = 5;
    for (let file = 0; file < files; file++) {
      const part = [...order].filter((_, i) => i % files === file).map((i) => records[i]!);
      await ingest(full, part);
    }

    // What happens at an instant is known at it: a t between two of them has the past of the first.
    const happened = records.flatMap(({ availableAt, withdrawnAt }) => [availableAt, withdrawnAt ?? availableAt]);
    const events = Float64Array.from(new Set(happened)).sort();
    const cuts = random.shuffle(Uint32Array.from(events.keys())).subarray(0, instantCount).sort();
    const instants = Array.from(cuts, (cut, i) => {
      const next = events[cut + 1] ?? events[cut]! + millisecondsPerDay;
      // Every other t is the very instant of an event.
      return events[cut]! + (i % 2 === 0 ? 0 : Math.floor(random.unit() * (next - events[cut]!)));
    });
    expect(new Set(instants).size).toBe(instantCount);

    const growing = await emptyWorkspace(folder, 'growing', embedder);
    const counts = { answers: 0, hits: 0, alone: 0 };
    const compare = async (past: SearchableWorkspace, t: number, ways: readonly SearchOptions[]) => {
      const query = fewWords(records[random.below(records.length)]!.text);
      for (const options of ways) {
        const limit = 5 + random.below(10);
        const expected = await full.search(query, { ...options, limit, asOf: t });
        const answer = await past.search(query, { ...options, limit, asOf: t });
        expect(JSON.stringify(answer)).toBe(JSON.stringify(expected));
        expect(answer.hits.every((hit) => hit.availableAt <= t)).toBe(true);
        counts.answers++;
        counts.hits += answer.hits.length;
      }
    };
    let before = Number.NEGATIVE_INFINITY;
    for (const [i, t] of instants.entries()) {
      await ingest(growing, knownBetween(records, before, t));
      // Half of the ways at each t, in turn, both at the instant of an event and between two.
      const ways = modes.filter((_, way) => (way + (i >> 1)) % 2 === 0);
      await compare(growing, t, ways);
      if (i % aloneEvery === aloneEvery - 1) {
        const alone = await emptyWorkspace(folder, `alone-${i}`, embedder);
        await ingest(alone, knownBetween(records, Number.NEGATIVE_INFINITY, t));
        await compare(alone, t, ways);
        await alone.close();
        counts.alone++;
      }
      before = t;
    }
    expect(counts.alone).toBe(instantCount / aloneEvery);
    expect(counts.answers).toBe(((instantCount + counts.alone) * modes.length) / 2);
    expect(counts.hits).toBeGreaterThan(3 * counts.answers);
    expect((await growing.storage.status(now)).segments.length).toBeGreaterThan(4);
    expect(embedder.counts.misses).toBeGreaterThan(records.length / 2);
  }, 1_200_000);
});

/** Records of which something became known after `before` and by t, with nothing about them that was not known by t. */
function knownBetween(records: readonly TestRecord[], before: number, t: number): TestRecord[] {
  const isNew = (at: number | undefined) => at !== undefined && at > before && at <= t;
  return records
    .filter(({ availableAt, withdrawnAt }) => isNew(availableAt) || isNew(withdrawnAt))
    .map((record) => ({ ...record, withdrawnAt: record.withdrawnAt! <= t ? record.withdrawnAt : undefined }));
}

async function emptyWorkspace(folder: string, name: string, embedder: Embedder): Promise<SearchableWorkspace> {
  const home = path.join(folder, name);
  await initWorkspace(home);
  return openWorkspace(home, { embedder, blockRows: 128 });
}

function ingest(workspace: SearchableWorkspace, items: readonly TestRecord[]) {
  const stdin = Readable.from([jsonLines(...items)]);
  return workspace.ingest(['-'], { stdin, now, mapping: testMapping, backfill: true, embed: true });
}

function fewWords(text: string): string {
  return text.split(/\s+/).slice(0, 8).join(' ');
}
