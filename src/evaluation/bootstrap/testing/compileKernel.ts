import { readFileSync } from 'node:fs';
import loadWabt from 'wabt';

/** Compiles resample.wat; returns the module in base64, as resampleModule.ts holds it. */
export async function compileKernel(): Promise<string> {
  const source = readFileSync(new URL('../resample.wat', import.meta.url), 'utf8');
  const wabt = await loadWabt();
  const parsed = wabt.parseWat('resample.wat', source, { simd: true });
  try {
    return Buffer.from(parsed.toBinary({}).buffer).toString('base64');
  } finally {
    parsed.destroy();
  }
}
