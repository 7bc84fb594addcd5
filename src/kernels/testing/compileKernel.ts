import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import loadWabt from 'wabt';

/** Compiles a kernel in WebAssembly text; returns the module in base64, as the TypeScript file beside it holds it. */
export async function compileKernel(source: URL): Promise<string> {
  const wabt = await loadWabt();
  const parsed = wabt.parseWat(basename(fileURLToPath(source)), readFileSync(source, 'utf8'), { simd: true });
  try {
    return Buffer.from(parsed.toBinary({}).buffer).toString('base64');
  } finally {
    parsed.destroy();
  }
}
