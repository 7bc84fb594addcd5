import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerForTest } from '../src/server/testing/serverForTest.js';
import { serverForTest } from '../src/server/testing/serverForTest.js';
import { accessibilityFaults, launchBrowser, whyNoBrowser } from './support/browser.js';
import { dashboardFolder, demoServer } from './support/demoServer.js';

const reason = whyNoBrowser();
if (reason !== undefined) console.log(`dashboard tests skipped: ${reason}`);

/** Every page with a part that only its data brings. */
const pages = [
  ['/search?q=crash+window&asOf=2016-06-01&vs=2017-01-01', 'ol.hits li'],
  ['/topics?slices=month&topic=1', 'section[aria-label="Topic 1"] tbody tr'],
  ['/replays', 'tbody tr'],
  ['/replays/electron', '.chart svg'],
  ['/replays/electron?tab=dose', '.chart svg'],
  ['/replays/electron?tab=position', '.chart svg'],
  ['/replays/electron?tab=metrics', 'tbody tr'],
  ['/replays/electron?tab=rows&anchor=10', 'section[aria-label="Anchor"] .chart svg'],
  ['/audit', 'tbody tr'],
  ['/audit/electron', 'dl.facts'],
] as const;

describe.skipIf(reason !== undefined)('the dashboard in Chromium', () => {
  let server: ServerForTest;
  let browser: Browser;
  let page: Page;
  /** What went wrong on the page, and what it asked of others. */
  const faults: string[] = [];
  beforeAll(async () => {
    [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(server.url) || /^(data|blob):/.test(request.url());
      if (!isOwn) faults.push(`external request: ${request.url()}`);
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  const open = async (address: string, part: string) => {
    await page.goto(server.url + address);
    await page.waitForSelector(part);
  };

  it.each(pages)('shows %s with its data, accessible in light and dark, asking nobody else', async (address, part) => {
    await open(address, part);
    await page.waitForLoadState('networkidle');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFaults(page)).toEqual([]);
      const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(paper).toBe(colorScheme === 'dark' ? 'rgb(20, 22, 26)' : 'rgb(255, 255, 255)');
    }
    await page.emulateMedia({ colorScheme: 'light' });
    expect(faults).toEqual([]);
  });

  it('can be used with the keyboard alone: skip link, search, tabs, rows', async () => {
    await open('/search', '.search-form');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip');
    await page.keyboard.press('Enter');
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate('document.activeElement.matches("input[type=search]")')) break;
    }
    await page.keyboard.type('crash window');
    await page.keyboard.press('Enter');
    await page.waitForSelector('ol.hits li');
    expect(new URL(page.url()).searchParams.get('q')).toBe('crash window');

    await open('/replays/electron', '.chart svg');
    await page.focus('[role=tab][aria-selected=true]');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('[role=grid] [role=gridcell]');
    expect(await page.evaluate('document.activeElement.id')).toBe('tab-rows');
    await page.focus('[role=grid]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('section[aria-label="Anchor"]');
    expect(new URL(page.url()).searchParams.get('anchor')).not.toBeNull();
  });

  it('keeps the whole view in the address, and goes back', async () => {
    await open('/search?q=crash&asOf=2016-01-01&alpha=0.5&halfLife=90', 'ol.hits li');
    const hits = await page.locator('ol.hits h3').allTextContents();
    await page.reload();
    await page.waitForSelector('ol.hits li');
    expect(await page.locator('ol.hits h3').allTextContents()).toEqual(hits);
    expect(await page.inputValue('input[type=date]')).toBe('2016-01-01');
    await page.click('nav >> text=Replays');
    await page.waitForSelector('tbody tr');
    await page.goBack();
    await page.waitForSelector('ol.hits li');
    expect(await page.locator('ol.hits h3').allTextContents()).toEqual(hits);
  });

  it('ranks again when a weight moves, splits scores, shows versions and the state that answered', async () => {
    await open('/search?q=crash+window&asOf=2017-02-01', 'ol.hits li');
    const state = () => page.locator('.state code').nth(1).getAttribute('title');
    const before = await state();
    await page.locator('input[max="365"]').fill('3');
    await page.waitForSelector(`.state code:nth-of-type(2):not([title='${before}'])`);
    expect(JSON.parse((await state())!)).toMatchObject({ freshness: { halfLife: 3 * 86_400_000 } });
    expect(await page.locator('.split').first().getAttribute('aria-label')).toMatch(/similarity gave .* freshness/);
    await page.locator('text=Versions').first().click();
    await page.waitForSelector('caption:has-text("Versions of")');
  });

  it('marks what entered and what left between two times', async () => {
    await open(
      '/search?q=crash+window&asOf=2017-02-01&vs=2016-01-01',
      'section + section, .sides > div:nth-child(2) li',
    );
    await page.waitForSelector('.tag:has-text("entered")');
    await page.waitForSelector('.tag:has-text("no longer among the first 10")');
  });

  it('shows what an anchor’s memory held, entries of the future in their own colour', async () => {
    await open('/replays/electron?tab=rows&sort=-future_slots', '[role=gridcell]');
    await page.locator('[role=row]').nth(1).click();
    await page.waitForSelector('strong.future-text');
    await page.selectOption('section[aria-label="Anchor"] select', 'PIT');
    await page.waitForSelector('caption:has-text("PIT memory")');
    expect(await page.locator('strong.future-text').count()).toBe(0);
  });

  it('says that rows could not be read, and reads them when asked again', async () => {
    await page.route('**/v1/runs/electron/rows?*', (route) =>
      route.fulfill({ status: 500, json: { code: 'ASOF_FAULT', detail: 'the file could not be read' } }),
    );
    await open('/replays/electron?tab=rows', '.failure');
    expect(await page.textContent('.failure')).toContain('the file could not be read');
    await page.unroute('**/v1/runs/electron/rows?*');
    await page.click('.failure button');
    await page.waitForSelector('[role=gridcell]');
    faults.length = 0;
  });

  it('keeps a table of 216,000 rows small in the document, to its end', async () => {
    await page.route('**/v1/runs/electron/rows?*', (route) => {
      const offset = Number(new URL(route.request().url()).searchParams.get('offset'));
      const columns = ['anchor_position', 'request_id', 'condition', 'slots_filled', 'future_slots', 'tvr'];
      const rows = Array.from({ length: 200 }, (_, i) => [offset + i, `q${offset + i}`, 'Future', 1, 1, 1]);
      return route.fulfill({ json: { total: 216_000, offset, columns, rows } });
    });
    await open('/replays/electron?tab=rows', '[role=gridcell]');
    await page.focus('[role=grid]');
    await page.keyboard.press('End');
    await page.waitForSelector('[role=gridcell]:has-text("q215999")');
    expect(await page.locator('[role=row]').count()).toBeLessThan(25);
    await page.unroute('**/v1/runs/electron/rows?*');
  });

  it('lists the documents that the tracker put into a topic in a slice, as many as the slice says', async () => {
    await open('/topics?slices=month&topic=1', 'section[aria-label="Topic 1"] tbody tr');
    const row = page.locator('section[aria-label="Topic 1"] tbody tr', { hasNotText: /^\S+\s+\S+\s+0\s/ }).first();
    const size = await row.locator('td, th').nth(2).textContent();
    await row.locator('button').click();
    await page.waitForSelector('caption:has-text("that the tracker put there")');
    expect(await page.locator('caption:has-text("that the tracker put there")').textContent()).toContain(size);
    expect(faults).toEqual([]);
  });

  it('tells how far the topics are while they are tracked', async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/topics?*', async (route) => {
      await asked;
      await route.continue();
    });
    await page.route('**/v1/topics/progress?*', (route) =>
      route.fulfill({ json: { state: 'tracking', done: 3, total: 12 } }),
    );
    await page.goto(`${server.url}/topics?slices=month`);
    await page.waitForSelector('[role=status]:has-text("25 %")');
    await page.waitForSelector('[role=status]:has-text("3 of 12 slices")');
    expect(await accessibilityFaults(page)).toEqual([]);
    answer();
    await page.waitForSelector('caption:has-text("the largest first")');
    await page.unroute('**/v1/topics?*');
    await page.unroute('**/v1/topics/progress?*');
  });

  it('verifies the proofs of a run, and says so', async () => {
    await open('/audit/electron', 'section[aria-label="Proofs"] .contract');
    const verdict = await page.locator('section[aria-label="Proofs"] .contract').textContent();
    expect(verdict).toMatch(/^✓ Verified: [\d,]+ consistency proofs hold, and \d+ files are as listed\.$/);
    await page.route('**/v1/runs/electron/proofs', (route) =>
      route.fulfill({
        json: {
          holds: false,
          files: { listed: 9, altered: ['rows.parquet'] },
          consistency: { verified: 80, failed: 2, first: [] },
        },
      }),
    );
    await page.reload();
    await page.waitForSelector(
      'section[aria-label="Proofs"] .contract.fails:has-text("2 of 80 consistency proofs fail")',
    );
    await page.unroute('**/v1/runs/electron/proofs');
  });

  it('gives no verdict on a run but that of an audit made here: neutral before, green or red after', async () => {
    for (const list of ['/replays', '/audit']) {
      await open(list, 'tbody tr:has-text("not audited here")');
      expect(await page.locator('tbody').textContent()).toContain("the run's own record says: holds");
      expect(await page.locator('tbody .good, tbody .alarm').count()).toBe(0);
    }
    await open('/audit/electron', '.contract:has-text("Not audited here")');
    await page.waitForSelector('h2:has-text("as the run itself records them")');
    expect(await page.locator('.contract').first().textContent()).toContain("The run's own record says");
    expect(await page.locator('.contract').first().getAttribute('class')).toBe('contract');
    expect(await page.locator('tbody .good').count()).toBe(0);
    await open('/replays/electron', '.contract:has-text("Not audited here")');

    const { runs } = await server.json<{ runs: object[] }>('/v1/runs');
    for (const [verdict, words] of [
      ['fails', '.alarm:has-text("violated")'],
      ['holds', '.good:has-text("holds")'],
    ] as const) {
      const audit = { state: 'done', startedAt: '2024-01-01T00:00:00Z', verdict };
      await page.route('**/v1/runs', (route) => route.fulfill({ json: { runs: [{ ...runs[0], audit }] } }));
      await open('/replays', `tbody ${words}`);
      expect(await page.locator('tbody').textContent()).toContain('audited here at 2024-01-01 00:00 UTC');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.unroute('**/v1/runs');
    }
  });

  it('shows 450 topics as 20 bands and the others, marks that do not touch, and all rows on request only', async () => {
    const slices = Array.from({ length: 60 }, (_, week) => ({
      id: `W${week}`,
      start: new Date(Date.UTC(2020, 0, 1 + 7 * week)).toISOString(),
      provisional: false,
      events: [],
      points: Array.from({ length: 450 }, (_, topic) => ({
        topic,
        size: topic < 20 ? 200 - 5 * topic + (week % 3) : 1,
        label: ['growth', 'decay', 'drift', null][(week + topic) % 4],
        ratio: 1,
        drift: 0,
        terms: [`term${topic}`, 'other'],
      })),
    }));
    const state = { corpus: { root: 'a', size: 1 }, model: { hash: 'b', availableAt: null }, published: { read: 0 } };
    await page.route('**/v1/topics?*', (route) =>
      route.fulfill({ json: { asOf: '2021-06-01T00:00:00Z', slices, state } }),
    );
    await open('/topics', '.chart svg');
    expect(await page.locator('.chart svg g[fill-opacity] path').count()).toBe(21);
    await page.waitForSelector('.legend:has-text("430 smaller topics together")');
    const marks = await page.locator('.chart svg text').evaluateAll((texts) =>
      texts
        .filter((text) => /^[✱▲▼↝]$/u.test(text.textContent ?? ''))
        .map((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return [(left + right) / 2, (top + bottom) / 2] as const;
        }),
    );
    expect(marks.length).toBeGreaterThan(5);
    expect(marks.length).toBeLessThan(600);
    for (const [at, [x, y]] of marks.entries())
      for (const [otherX, otherY] of marks.slice(0, at)) expect(Math.hypot(x - otherX, y - otherY)).toBeGreaterThan(12);

    expect(await page.locator('tbody tr').count()).toBe(20);
    expect(Number(await page.evaluate('document.documentElement.scrollHeight'))).toBeLessThan(3000);
    await page.click('text=Show all 450 topics');
    await page.waitForSelector('caption:text-is("450 topics, the largest first")');
    expect(await page.locator('tbody tr').count()).toBe(450);
    expect(new URL(page.url()).searchParams.get('topics')).toBe('all');
    await page.unroute('**/v1/topics?*');
  });

  it('keeps texts that run right to left to themselves: ids, titles, texts, names', async () => {
    const answer = await server.json<{ hits: { id: string; title: string | null; text: string }[] }>(
      '/v1/search?q=crash&asOf=2016-06-01&limit=1',
    );
    const [hit] = answer.hits;
    const hebrew = { ...hit, id: 'doc-עברית-2', title: 'כותרת 7', text: 'חלון קורס (crash) בגרסה 2.' };
    await page.route('**/v1/search?*', (route) => route.fulfill({ json: { ...answer, hits: [hebrew] } }));
    await open('/search?q=crash&asOf=2016-06-01', 'ol.hits li');
    expect(await page.locator('.hit .clocks').first().locator('bdi').textContent()).toBe('doc-עברית-2');
    expect(await page.locator('.hit h3 bdi').textContent()).toBe('כותרת 7');
    const direction = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
    expect(await direction('.hit h3 bdi')).toBe('rtl');
    expect(await direction('.hit .text')).toBe('rtl');
    expect(await direction('.hit .clocks')).toBe('ltr');
    // The id ends left of the age that follows it: its letters do not pull the digits of the age to their side.
    const order = await page.evaluate(`(() => {
      const line = document.querySelector('.hit .clocks');
      const range = document.createRange();
      const age = [...line.childNodes].find((node) => /^\\d/.test(node.textContent) && node.nodeType === 3);
      range.selectNodeContents(age);
      return [line.querySelector('bdi').getBoundingClientRect().right, range.getBoundingClientRect().left];
    })()`);
    const [end, start] = order as [number, number];
    expect(end).toBeLessThanOrEqual(start);
    await page.unroute('**/v1/search?*');

    const { runs } = await server.json<{ runs: object[] }>('/v1/runs');
    const domains = ['נתונים 1'];
    await page.route('**/v1/runs', (route) => route.fulfill({ json: { runs: [{ ...runs[0], domains }] } }));
    await open('/replays', 'tbody bdi:text-is("נתונים 1")');
    await page.unroute('**/v1/runs');
  });

  it('stays within a page of 400 pixels, tables that are cut show it', async () => {
    await page.setViewportSize({ width: 400, height: 900 });
    try {
      for (const [address, part] of pages) {
        await open(address, part);
        expect([address, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([address, 400]);
      }
      await open('/audit/electron', 'section.scroll.more-after[tabindex="0"][aria-label]');
    } finally {
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  });

  it('counts the rows that are shown, of every condition of the run', async () => {
    await open('/replays/electron?tab=rows', '[role=gridcell]');
    const { conditions, shards } = await server.json<{ conditions: string[]; shards: { rows: number }[] }>(
      '/v1/runs/electron/shards',
    );
    const offered = await page.locator('label:has-text("Rows of") option').allTextContents();
    expect(offered).toEqual([...conditions, 'all']);
    const rows = shards[0]!.rows;
    const shown = (rows / conditions.length).toLocaleString('en-US');
    await page.waitForSelector(`text=${shown} of the ${rows.toLocaleString('en-US')} rows in the shard`);
    await page.selectOption('label:has-text("Rows of") select', 'all');
    await page.waitForSelector(`text=/^${rows.toLocaleString('en-US')} rows in the shard/`);
  });

  it('audits a run on request, and gives out its files', async () => {
    await open('/audit/electron', 'dl.facts');
    // The audit itself is tested over HTTP; here it is what the page does while one is under way, and after it.
    const { recorded } = await server.json<{ recorded: object }>('/v1/runs/electron/audit');
    const job = { startedAt: '2024-01-01T00:00:00Z', done: 1, total: 2, error: null };
    let asked = 0;
    await page.route('**/v1/runs/electron/audit', (route) => {
      const isDone = route.request().method() === 'GET' && asked++ > 0;
      const facts = isDone ? recorded : null;
      return route.fulfill({ json: { recorded, job: { ...job, state: isDone ? 'done' : 'running', facts } } });
    });
    await page.click('text=Audit now');
    await page.waitForSelector('text=1 of 2 parts');
    await page.waitForSelector('text=Audited here at');
    await page.unroute('**/v1/runs/electron/audit');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.click('button[aria-label="Download manifest.json"]'),
    ]);
    expect(saved.suggestedFilename()).toBe('manifest.json');
  });

  it('tells an empty workspace, a fault and a missing token, each in its own way', async () => {
    const empty = await serverForTest({ dashboard: dashboardFolder, token: 'secret' });
    try {
      await page.goto(`${empty.url}/search`);
      await page.fill('input[type=password]', 'secret');
      await page.click('text=Go on');
      await page.waitForSelector('text=The workspace is empty');
      await page.goto(`${empty.url}/replays`);
      await page.waitForSelector('text=No replay is served');
      await page.route('**/v1/runs', (route) =>
        route.fulfill({ status: 500, json: { code: 'ASOF_INTERNAL', detail: 'broken' } }),
      );
      await page.reload();
      await page.waitForSelector('[role=alert]:has-text("broken")');
      await page.unroute('**/v1/runs');
      await page.click('text=Try again');
      await page.waitForSelector('text=No replay is served');
    } finally {
      await empty.close();
    }
  });
});
