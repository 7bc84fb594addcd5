import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { dashboardFolder } from './demoServer.js';

/** Debian's Chromium, or the one that ASOF_CHROMIUM names. */
export const chromiumFile = process.env.ASOF_CHROMIUM ?? '/usr/bin/chromium';

/** Why tests in a browser cannot run here; undefined when they can. */
export function whyNoBrowser(): string | undefined {
  if (!existsSync(chromiumFile))
    return `no Chromium at ${chromiumFile} (.ci/run installs it; ASOF_CHROMIUM names another)`;
  if (!existsSync(dashboardFolder)) return 'the dashboard is not built (npm run build)';
  return undefined;
}

export function launchBrowser(): Promise<Browser> {
  // Containers give the browser no sandbox of its own.
  return chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations of WCAG 2 A and AA that axe finds on a page, in words. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    interface Axe {
      run(
        options: object,
      ): Promise<{ violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`),
    );
  });
}
