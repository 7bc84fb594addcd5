import { writeFileSync } from 'node:fs';
import { compileKernel } from '../src/evaluation/bootstrap/testing/compileKernel.js';

// Writes the compiled bootstrap kernel into the source tree, so that neither the build nor a user needs a compiler.
const lines = (await compileKernel()).match(/.{1,100}/g)!.map((line) => `  '${line}',`);
writeFileSync(
  new URL('../src/evaluation/bootstrap/resampleModule.ts', import.meta.url),
  `/** resample.wat, compiled: a WebAssembly module in base64. Written by \`npm run build:kernel\`; a test compares the two. */
export const resampleModule = [
${lines.join('\n')}
].join('');
`,
);
