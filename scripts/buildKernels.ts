import { writeFileSync } from 'node:fs';
import { compileKernel } from '../src/kernels/testing/compileKernel.js';

// Writes compiled kernels into the source tree, so that neither the build nor a user needs a compiler.
for (const { source, into, name } of [
  {
    source: 'evaluation/bootstrap/resample.wat',
    into: 'evaluation/bootstrap/resampleModule.ts',
    name: 'resampleModule',
  },
  { source: 'retrieval/dense/products.wat', into: 'retrieval/dense/productsModule.ts', name: 'productsModule' },
  {
    source: 'memory/mechanisms/viewScores.wat',
    into: 'memory/mechanisms/viewScoresModule.ts',
    name: 'viewScoresModule',
  },
]) {
  const root = new URL('../src/', import.meta.url);
  const lines = (await compileKernel(new URL(source, root))).match(/.{1,100}/g)!.map((line) => `  '${line}',`);
  writeFileSync(
    new URL(into, root),
    `/** ${source.split('/').at(-1)}, compiled: a WebAssembly module in base64. Written by \`npm run build:kernels\`; a test compares the two. */
export const ${name} = [
${lines.join('\n')}
].join('');
`,
  );
}
