import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runForTest } from '../src/cli/testing/runForTest.js';

/** Lines of the shell snippets of a page that call asof and end by themselves, as words. */
function commandsOf(page: string): string[][] {
  const snippets = [...page.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, text]) => text!.split('\n'));
  const commands = snippets.filter((line) => line.startsWith('npx asof '));
  return commands.map((line) =>
    Array.from(line.slice('npx asof '.length).matchAll(/"([^"]*)"|(\S+)/g), (m) => m[1] ?? m[2]!),
  );
}

it('every snippet of docs/serve.md runs', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'asof-docs-'));
  try {
    const commands = commandsOf(await readFile('docs/serve.md', 'utf8'));
    expect(commands.length).toBeGreaterThan(4);
    for (const words of commands) {
      const here = words.map((word) => (word === 'demo-workspace' ? path.join(folder, word) : word));
      const { exitCode, stderr } = await runForTest(here, { now: Date.parse('2024-03-10T00:00:00Z') });
      expect([words, exitCode, stderr]).toEqual([words, 0, stderr]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
