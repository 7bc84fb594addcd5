import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { onTestFinished } from 'vitest';

/** Bundles `writerChild.ts` so that it starts fast; the file is gone at the end of the test. */
export async function buildWriterChild(): Promise<string> {
  // Inside node_modules, so that its imports are found.
  const cache = path.resolve('node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(path.join(cache, 'asof-writer-child-'));
  onTestFinished(() => rmSync(outDir, { recursive: true, force: true }));
  const entry = fileURLToPath(new URL('./writerChild.ts', import.meta.url));
  const output = { entryFileNames: 'child.mjs' };
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: entry, outDir, target: 'node20', minify: false, rolldownOptions: { output } },
  });
  return path.join(outDir, 'child.mjs');
}

/** A child that has said `ready`. */
export async function startChild(script: string, ...words: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout!, 'data');
  return child;
}
