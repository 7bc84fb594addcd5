import { resolve } from 'node:path';
import { launchBrowser, whyNoBrowser } from '../test/support/browser.js';
import { demoServer } from '../test/support/demoServer.js';

/** Pictures of the dashboard for the documentation: `npm run build && tsx scripts/dashboardImages.ts`. Needs Chromium. */
const shots = [
  ['search', '/search?q=crash+window&asOf=2017-02-01&vs=2016-01-01', 'ol.hits li', 'light'],
  ['topics', '/topics?slices=month', '.chart svg', 'light'],
  ['replay', '/replays/electron', '.chart svg', 'light'],
  [
    'rows',
    '/replays/electron?tab=rows&sort=-future_slots&anchor=10',
    'section[aria-label="Anchor"] .chart svg',
    'light',
  ],
  ['audit', '/audit/electron', 'dl.facts', 'light'],
  [
    'rows-dark',
    '/replays/electron?tab=rows&sort=-future_slots&anchor=10',
    'section[aria-label="Anchor"] .chart svg',
    'dark',
  ],
] as const;

const reason = whyNoBrowser();
if (reason !== undefined) throw new Error(reason);
const [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
try {
  const page = await browser.newPage({ viewport: { width: 1160, height: 1000 } });
  for (const [name, address, part, colorScheme] of shots) {
    await page.emulateMedia({ colorScheme });
    await page.goto(server.url + address);
    await page.waitForSelector(part);
    await page.waitForLoadState('networkidle');
    const file = resolve(import.meta.dirname, `../docs/images/dashboard-${name}.png`);
    await page.screenshot({ path: file });
    console.log(file);
  }
} finally {
  await browser.close();
  await server.close();
}
