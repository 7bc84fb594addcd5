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
    await page.waitForSelector('.tag:has-text("left later")');
  });

  it('shows what an anchor’s memory held, entries of the future in their own colour', async () => {
    await open('/replays/electron?tab=rows&sort=-future_slots', '[role=gridcell]');
    await page.locator('[role=row]').nth(1).click();
    await page.waitForSelector('strong.future-text');
    await page.selectOption('section[aria-label="Anchor"] select', 'PIT');
    await page.waitForSelector('caption:has-text("PIT memory")');
    expect(await page.locator('strong.future-text').count()).toBe(0);
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
    await page.waitForSelector('text=audited here at');
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
