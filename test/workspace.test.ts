import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { textRepresentation } from '../src/corpus/ingest/assetContent.js';
import type { MappingChoices } from '../src/corpus/ingest/mapping.js';
import { RandomSource } from '../src/random/RandomSource.js';
import type { AssetVersion } from '../src/store/workspace/assetVersion.js';
import { isCurrent } from '../src/store/workspace/segmentRows.js';
import { workspaceForTest } from '../src/store/workspace/testing/workspaceForTest.js';
import type { Workspace } from '../src/store/workspace/Workspace.js';
import { instantParser } from '../src/time/parseInstant.js';

const data = path.resolve('../shared/data');
const isPresent = existsSync(data);
beforeAll(() => {
  if (!isPresent) console.log(`skipped: no ${data}`);
});

const now = Date.UTC(2030, 0, 1);
const { parse } = instantParser();

function recordsOf(file: string): Record<string, unknown>[] {
  const bytes = readFileSync(path.join(data, file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function ingest(workspace: Workspace, file: string, mapping: MappingChoices, onError: 'stop' | 'skip' = 'stop') {
  return workspace.ingest([path.join(data, file)], { now, mapping, onError, backfill: true });
}

/** Every version with its interval of currency. */
async function datedRows(
  workspace: Workspace,
): Promise<{ version: AssetVersion; isCurrentAt: (t: number) => boolean }[]> {
  const rows = [];
  for (const segment of await workspace.segments()) {
    const versions = await segment.read(Array.from(segment.ids.keys()));
    for (const [row, version] of versions.entries()) {
      rows.push({ version, isCurrentAt: (t: number) => isCurrent(segment, row, t) });
    }
  }
  return rows;
}

describe.skipIf(!isPresent)('a workspace of real collections', () => {
  describe('endoflife', () => {
    interface Event {
      product: string;
      cycle: string;
      recorded: string;
      latest: string;
      latestReleaseDate: string | null;
    }
    const file = 'endoflife/latest_events.jsonl.gz';
    const fields = { id: '{product}/{cycle}', text: '{product} {cycle} {latest}' };
    const isDate = (text: string | null) => text !== null && /^\d{4}-\d\d-\d\d$/.test(text);

    /** 1,000 random products and times, the times among those of the product's own events. */
    function sampleQueries(events: readonly Event[], timeOf: (event: Event) => number) {
      const random = new RandomSource(5, 'queries');
      return Array.from({ length: 1_000 }, () => {
        const { product } = events[random.below(events.length)]!;
        const own = events.filter((event) => event.product === product);
        // At an event, a millisecond before it, or some days after.
        const t = timeOf(own[random.below(own.length)]!) + [0, -1, 86_400_000 * random.below(60)][random.below(3)]!;
        return { product, t, own };
      });
    }

    /** `latest` by cycle, of the newest event up to t by one clock; the later record of equal ones. */
    function goldAsOf(own: readonly Event[], t: number, timeOf: (event: Event) => number): Record<string, string> {
      const newest = new Map<string, Event>();
      for (const event of own) {
        const known = newest.get(event.cycle);
        if (timeOf(event) <= t && (known === undefined || timeOf(event) >= timeOf(known)))
          newest.set(event.cycle, event);
      }
      return Object.fromEntries([...newest].map(([cycle, event]) => [cycle, event.latest]));
    }

    async function check(workspace: Workspace, events: readonly Event[], timeOf: (event: Event) => number) {
      const byProduct = new Map<string, Awaited<ReturnType<typeof datedRows>>>();
      for (const row of await datedRows(workspace)) {
        const { product } = JSON.parse(row.version.fields!);
        byProduct.set(product, [...(byProduct.get(product) ?? []), row]);
      }
      let nonEmpty = 0;
      for (const { product, t, own } of sampleQueries(events, timeOf)) {
        const found = (byProduct.get(product) ?? [])
          .filter(({ isCurrentAt }) => isCurrentAt(t))
          .map(({ version }) => JSON.parse(version.fields!))
          .map(({ cycle, latest }) => [cycle, latest]);
        const gold = goldAsOf(own, t, timeOf);
        expect(Object.fromEntries(found)).toEqual(gold);
        expect(found).toHaveLength(Object.keys(gold).length);
        if (found.length > 0) nonEmpty++;
      }
      expect(nonEmpty).toBeGreaterThan(600);
    }

    it('gives the newest versions that were recorded by t, for 1,000 products and times', async () => {
      const workspace = await workspaceForTest();
      const choices = {
        fields: { ...fields, eventAt: 'latestReleaseDate', availableAt: 'recorded' },
        missingEventAt: 'available' as const,
      };
      const { totals } = await ingest(workspace, file, choices, 'skip');
      // Two release dates are misspelt in the source: 2021-02-111, 2019-1030.
      expect(totals).toMatchObject({ read: 34_187, rejected: 2, late: 0 });
      expect(totals.ahead).toBeGreaterThan(0);
      const events = (recordsOf(file) as unknown as Event[]).filter(
        ({ latestReleaseDate }) => latestReleaseDate === null || isDate(latestReleaseDate),
      );
      await check(workspace, events, ({ recorded }) => parse(recorded));
      await workspace.verify();
    });

    it('gives the newest versions that were released by t, for 1,000 products and times', async () => {
      const workspace = await workspaceForTest();
      const choices = {
        fields: { ...fields, eventAt: 'latestReleaseDate', availableAt: 'latestReleaseDate' },
      };
      const events = (recordsOf(file) as unknown as Event[]).filter(({ latestReleaseDate }) =>
        isDate(latestReleaseDate),
      );
      const { totals } = await ingest(workspace, file, choices, 'skip');
      expect(totals.rejected).toBe(34_187 - events.length);
      await check(workspace, events, ({ latestReleaseDate }) => parse(latestReleaseDate));
    });
  });

  it('keeps both clocks of advisories: published, and first committed until withdrawn', async () => {
    const workspace = await workspaceForTest();
    const mapping = {
      preset: 'osv',
      fields: { availableAt: 'first_commit|published_or_commit' },
      missingEventAt: 'available' as const,
    };
    const { totals } = await ingest(workspace, 'advisories/*.jsonl.gz', mapping);
    expect(totals).toMatchObject({ read: 8_177, added: 8_177, rejected: 0, withdrawn: 40 });
    const records = ['go', 'pypi', 'rust'].flatMap((name) => recordsOf(`advisories/${name}.jsonl.gz`));
    const gold = records.map(({ id, first_commit, published_or_commit, published, withdrawn }) => {
      const availableAt = parse(first_commit ?? published_or_commit);
      const eventAt = published === null ? availableAt : parse(published);
      return {
        id: id as string,
        availableAt,
        eventAt,
        endsAt: withdrawn === null ? Number.POSITIVE_INFINITY : parse(withdrawn),
      };
    });
    const rows = await datedRows(workspace);
    for (const { version } of rows) expect(version.entities.length).toBeGreaterThan(0);
    const random = new RandomSource(6, 'times');
    for (let i = 0; i < 40; i++) {
      const { availableAt, endsAt } = gold[random.below(gold.length)]!;
      const t = [availableAt, Number.isFinite(endsAt) ? endsAt : availableAt - 1, availableAt + 1e9][i % 3]!;
      const found = rows
        .filter(({ isCurrentAt }) => isCurrentAt(t))
        .map(({ version: { id, eventAt } }) => `${id} ${eventAt}`);
      const expected = gold.filter((item) => item.availableAt <= t && t < item.endsAt);
      expect(found.sort()).toEqual(expected.map(({ id, eventAt }) => `${id} ${eventAt}`).sort());
    }
  });

  it('reads CVEs without their products, posts in UTC, and the events of a log', async () => {
    const workspace = await workspaceForTest();
    const nvd = await ingest(workspace, 'nvd/cves-2020.jsonl.gz', {
      preset: 'nvd',
      fields: { availableAt: 'published' },
    });
    expect(nvd.totals).toMatchObject({ read: 13_431, added: 13_431, late: 0 });
    const posts = await ingest(workspace, 'stackexchange/*.posts.jsonl.gz', {
      preset: 'stackexchange',
      fields: { availableAt: 'created' },
    });
    expect(posts.totals).toMatchObject({ read: 5_811, added: 5_811 });
    const log = await ingest(workspace, 'synthetic-stream/events.jsonl', {
      preset: 'logs',
      fields: { availableAt: 'ts' },
    });
    expect(log.totals).toMatchObject({ read: 905, added: 905 });

    const { version: cve } = await workspace.show('CVE-2019-20203', Date.UTC(2020, 0, 3));
    expect(textRepresentation(cve!)).not.toContain('postieplugin');
    expect(JSON.parse(cve!.fields!).products).toEqual(['postieplugin:postie']);
    const { version: post } = await workspace.show('beer_2017/1', Date.UTC(2015, 0, 1));
    expect(post).toMatchObject({
      type: 'question',
      entities: ['hops'],
      eventAt: Date.UTC(2014, 0, 21, 20, 26, 5, 383),
    });
    const { version: event } = await workspace.show('A-0-0', now);
    expect(textRepresentation(event!)).toBe('okta auth.failure\nMFA denied\nokta, vpn, mfa, TA0006:T1110');

    const again = await ingest(workspace, 'stackexchange/*.posts.jsonl.gz', {
      preset: 'stackexchange',
      fields: { availableAt: 'created' },
    });
    expect(again.totals).toMatchObject({ added: 0, versions: 0, unchanged: 5_811 });
    const before = await Promise.all([0, 1, 2].map((i) => workspace.stateAt(Date.UTC(2014 + 3 * i, 0, 1))));
    expect(await workspace.compact({ limit: 1 })).toBe(5);
    expect(await Promise.all([0, 1, 2].map((i) => workspace.stateAt(Date.UTC(2014 + 3 * i, 0, 1))))).toEqual(before);
    await workspace.verify();
  });
});
