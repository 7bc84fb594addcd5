import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jsonLines } from '../src/corpus/testing/temporaryFiles.js';
import { RandomSource } from '../src/random/RandomSource.js';
import { openWorkspace, type SearchableWorkspace } from '../src/search/SearchableWorkspace.js';
import type { SearchOptions } from '../src/search/settings.js';
import { type TestRecord, testMapping } from '../src/search/testing/searchableForTest.js';
import { WordEmbedder } from '../src/search/testing/WordEmbedder.js';
import { initWorkspace } from '../src/store/workspace/initWorkspace.js';
import { millisecondsPerDay } from '../src/time/instant.js';
import { parseInstant } from '../src/time/parseInstant.js';

const data = path.resolve('../shared/data');
const isPresent = existsSync(data);
if (!isPresent) console.log(`skipped: no ${data}`);

/** States of the past, and instants tried in each: at its last event, and at random before the next one. */
const states = 100;
const timesPerState = 2;
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
  const cves = every(linesOf('nvd/cves-2020.jsonl.gz'), 18).map(({ id, published, description }) => ({
    id: `cve/${id}`,
    text: description,
    availableAt: parseInstant(published!),
    eventAt: parseInstant(published!),
  }));
  const advisories = ['go', 'pypi', 'rust'].flatMap((name) => linesOf(`advisories/${name}.jsonl.gz`));
  const chosen = [...advisories.filter(({ withdrawn }) => withdrawn !== null), ...every(advisories, 17)];
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
  const versions = every(linesOf('endoflife/latest_events.jsonl.gz'), 40)
    .filter(({ latestReleaseDate }) => isDate(latestReleaseDate))
    .map(({ product, cycle, latest, latestReleaseDate, recorded }) => ({
      id: `${product}/${cycle}`,
      text: `${product} ${cycle} latest version ${latest}`,
      availableAt: parseInstant(recorded),
      eventAt: parseInstant(latestReleaseDate!),
    }));
  return [...cves, ...osv, ...versions];
}

async function emptyWorkspace(folder: string, name: string): Promise<SearchableWorkspace> {
  const home = path.join(folder, name);
  await initWorkspace(home);
  const workspace = await openWorkspace(home, { embedder: new WordEmbedder(), blockRows: 128 });
  onTestFinished(() => workspace.close());
  return workspace;
}

describe.skipIf(!isPresent)('future deletion', () => {
  it(`changes no answer and no state as of t, for ${states * timesPerState} random t and every mode (cases 5 to 8)`, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'asof-future-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const random = new RandomSource(11, 'future-deletion');
    const records = realRecords();
    const ingest = (workspace: SearchableWorkspace, name: string, items: readonly TestRecord[]) => {
      const file = path.join(folder, `${name}.jsonl`);
      writeFileSync(file, jsonLines(...items));
      return workspace.ingest([file], { now, mapping: testMapping, embed: true });
    };
    // The full workspace: files in no order of time, so that most of what they hold arrives late.
    const full = await emptyWorkspace(folder, 'full');
    const order = random.shuffle(Uint32Array.from(records.keys()));
    const files = 5;
    for (let file = 0; file < files; file++) {
      const part = [...order].filter((_, i) => i % files === file).map((i) => records[i]!);
      await ingest(full, `full-${file}`, part);
    }
    const fewWords = (text: string) => text.split(/\s+/).slice(0, 8).join(' ');
    const instants = new Set(
      records.flatMap(({ availableAt, withdrawnAt }) => [availableAt, withdrawnAt ?? availableAt]),
    );
    const events = Float64Array.from(instants).sort();
    const cuts = [...random.shuffle(Uint32Array.from(events.keys())).subarray(0, states)].sort((a, b) => a - b);

    // The other one grows with t: at each t it holds what was available by then, and nothing of what came later.
    const past = await emptyWorkspace(folder, 'past');
    let before = Number.NEGATIVE_INFINITY;
    let compared = 0;
    let found = 0;
    for (const cut of cuts) {
      const last = events[cut]!;
      const isNew = (at: number | undefined) => at !== undefined && at > before && at <= last;
      const known = records
        .filter(({ availableAt, withdrawnAt }) => isNew(availableAt) || isNew(withdrawnAt))
        .map((record) => ({ ...record, withdrawnAt: record.withdrawnAt! <= last ? record.withdrawnAt : undefined }));
      await ingest(past, `past-${cut}`, known);
      before = last;
      const next = events[cut + 1] ?? last + millisecondsPerDay;
      for (const t of [last, last + Math.floor(random.unit() * (next - last))].slice(0, timesPerState)) {
        const query = fewWords(records[random.below(records.length)]!.text);
        for (const options of modes) {
          const limit = 5 + random.below(10);
          const expected = await full.search(query, { ...options, limit, asOf: t });
          const answer = await past.search(query, { ...options, limit, asOf: t });
          expect(JSON.stringify(answer)).toBe(JSON.stringify(expected));
          expect(answer.hits.every((hit) => hit.availableAt <= t)).toBe(true);
          compared++;
          found += answer.hits.length;
        }
      }
    }
    expect(compared).toBe(states * timesPerState * modes.length);
    expect(found).toBeGreaterThan(compared);
    expect((await past.storage.status(now)).segments.length).toBeGreaterThan(4);
  }, 600_000);
});
