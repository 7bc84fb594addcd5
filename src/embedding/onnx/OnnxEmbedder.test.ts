import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { countEmbeddings } from '../Embedder.js';
import { describeEmbedder } from '../testing/embedderContract.js';
import { temporaryFolder } from '../testing/temporaryFolder.js';
import { type TinyModelOptions, tinyTable, writeTinyModelFolder } from '../testing/tinyModelFolder.js';
import { OnnxEmbedder } from './OnnxEmbedder.js';
import { readSentenceModelFolder } from './SentenceModelFolder.js';

const folder = temporaryFolder();
let folders = 0;
const tiny = (options?: TinyModelOptions) => writeTinyModelFolder(join(folder, `model-${folders++}`), options);
const raw = { 'modules.json': [{ type: 'a.Transformer' }, { type: 'a.Pooling' }] };

async function embedOne(path: string, text: string): Promise<number[]> {
  const embedder = await OnnxEmbedder.open(path);
  const { vectors } = await embedder.embed([text]);
  await embedder.close();
  return [...vectors];
}

const sharedFolder = tiny();
describeEmbedder('OnnxEmbedder on a small folder', () => OnnxEmbedder.open(sharedFolder));

describe('OnnxEmbedder', () => {
  // [cls] red blue [sep]
  const [, cls, sep, red, , blue] = tinyTable as [number[], number[], number[], number[], number[], number[]];
  const column = (pick: (values: number[]) => number) =>
    [0, 1, 2].map((i) => pick([cls[i]!, red[i]!, blue[i]!, sep[i]!]));

  it.each([
    ['mean', 'pooling_mode_mean_tokens', column((values) => values.reduce((sum, value) => sum + value) / 4)],
    ['cls', 'pooling_mode_cls_token', cls],
    ['max', 'pooling_mode_max_tokens', column((values) => Math.max(...values))],
    ['last', 'pooling_mode_lasttoken', sep],
  ])('pools by %s as the folder says', async (_, key, expected) => {
    const path = tiny({ files: { ...raw, '1_Pooling/config.json': { [key]: true, word_embedding_dimension: 3 } } });
    expect(await embedOne(path, 'red blue')).toEqual(expected);
  });

  it('scales to length 1 when modules.json has a Normalize module, and when there is no modules.json', async () => {
    const normalised = tiny({ files: { 'modules.json': [...raw['modules.json'], { type: 'a.Normalize' }] } });
    expect(Math.hypot(...(await embedOne(normalised, 'red blue')))).toBeCloseTo(1, 6);
    expect(Math.hypot(...(await embedOne(tiny(), 'red blue')))).toBeCloseTo(1, 6);
    expect(Math.hypot(...(await embedOne(tiny({ files: raw }), 'red blue')))).toBeGreaterThan(1.1);
  });

  it('gives the model token types and positions when it asks for them', async () => {
    // Positions 0..3 add 1.5 to every column of the mean; token types are 0.
    const plain = await embedOne(tiny({ files: raw }), 'red blue');
    const extra = await embedOne(tiny({ files: raw, extraInputs: true }), 'red blue');
    expect(extra).toEqual(plain.map((value) => value + 1.5));
  });

  it('keeps the beginning of a text that is too long, and counts it', async () => {
    const path = tiny({ files: { ...raw, 'sentence_bert_config.json': { max_seq_length: 4 } } });
    const embedder = await OnnxEmbedder.open(path);
    expect(embedder.maxTokens).toBe(4);
    const embeddings = await embedder.embed(['red blue', 'red blue green green', '']);
    expect(embeddings.vectors.slice(3, 6)).toEqual(embeddings.vectors.slice(0, 3));
    expect(countEmbeddings(embeddings)).toEqual({ texts: 3, empty: 1, truncated: 1 });
    await embedder.close();
  });

  it('gives the same vectors whatever the batch bound, over more texts than one window', async () => {
    const words = ['red', 'green', 'blue', 'other'];
    const texts = Array.from({ length: 5000 }, (_, i) =>
      Array.from({ length: i % 7 }, (_, j) => words[(i * 31 + j * 7) % 4]).join(' '),
    );
    const one = await OnnxEmbedder.open(sharedFolder, { tokensPerBatch: 1 });
    const many = await OnnxEmbedder.open(sharedFolder, { tokensPerBatch: 100_000, threads: 1 });
    const expected = await one.embed(texts);
    expect(await many.embed(texts)).toEqual(expected);
    expect(countEmbeddings(expected)).toEqual({ texts: 5000, empty: 715, truncated: 0 });
    await one.close();
    await many.close();
  });

  it('stops between batches when the signal is aborted on the way', async () => {
    const embedder = await OnnxEmbedder.open(sharedFolder, { tokensPerBatch: 1 });
    const controller = new AbortController();
    let batches = 0;
    const onProgress = () => {
      if (++batches === 2) controller.abort(new Error('enough'));
    };
    const run = embedder.embed(['red', 'blue', 'green', 'red red'], { signal: controller.signal, onProgress });
    await expect(run).rejects.toThrow('enough');
    expect(batches).toBe(2);
    await embedder.close();
  });

  it('has a hash of weights, tokenizer and settings', async () => {
    const hashOf = async (path: string) => (await readSentenceModelFolder(path)).hash;
    const base = await hashOf(tiny());
    expect(await hashOf(tiny())).toBe(base);
    const altered = tiny();
    appendFileSync(join(altered, 'onnx/model.onnx'), 'x');
    const others = [
      altered,
      tiny({ files: { 'tokenizer_config.json': { model_max_length: 64, do_lower_case: true } } }),
      tiny({ files: { 'sentence_bert_config.json': { max_seq_length: 32 } } }),
      tiny({ files: { '1_Pooling/config.json': { pooling_mode_cls_token: true } } }),
      tiny({ files: raw }),
    ];
    const hashes = await Promise.all(others.map(hashOf));
    expect(new Set([base, ...hashes]).size).toBe(others.length + 1);
  });

  it('runs a model that quantises over the batch one text at a time', async () => {
    const path = tiny();
    expect((await readSentenceModelFolder(path)).quantisesOverBatch).toBe(false);
    // An unknown field of the model's protobuf, which readers skip, with the name across the end of a read of 1 MiB.
    const model = join(path, 'onnx/model.onnx');
    const fieldHeader = Buffer.from([0xa2, 0x06, 0xff, 0xff, 0x7f]);
    const name = Buffer.from('DynamicQuantizeLinear');
    const before = 2 ** 20 - 10 - statSync(model).size - fieldHeader.length;
    const field = Buffer.concat([Buffer.alloc(before), name, Buffer.alloc(2 ** 21 - 1 - before - name.length)]);
    appendFileSync(model, Buffer.concat([fieldHeader, field]));
    expect((await readSentenceModelFolder(path)).quantisesOverBatch).toBe(true);
    const embedder = await OnnxEmbedder.open(path);
    let batches = 0;
    await embedder.embed(['red', 'blue', 'green'], { onProgress: () => batches++ });
    expect(batches).toBe(4);
    await embedder.close();
  });

  it.each<[string, TinyModelOptions, new (...options: never[]) => Error, RegExp]>([
    ['no tokenizer', { files: { 'tokenizer.json': undefined } }, MissingResourceError, /tokenizer\.json is missing/],
    ['a tokenizer that is not JSON', { files: { 'tokenizer.json': '{' } }, InvalidInputError, /tokenizer\.json.*JSON/],
    ['no pooling', { files: { '1_Pooling/config.json': undefined } }, InvalidInputError, /exactly one of pooling_mode/],
    [
      'two poolings',
      { files: { '1_Pooling/config.json': { pooling_mode_mean_tokens: true, pooling_mode_max_tokens: true } } },
      InvalidInputError,
      /exactly one of/,
    ],
    [
      'a dense module',
      { files: { 'modules.json': [{ type: 'a.Transformer' }, { type: 'a.Pooling' }, { type: 'a.Dense' }] } },
      InvalidInputError,
      /modules\.json: type: got "Dense"/,
    ],
    [
      'no length',
      { files: { 'tokenizer_config.json': { model_max_length: 1e30 } } },
      InvalidInputError,
      /max_seq_length/,
    ],
    ['an unknown input', { unknownInput: true }, InvalidInputError, /inputs: got "pixels"/],
    ['an unknown output', { outputName: 'logits' }, InvalidInputError, /outputs: got \["logits"\]/],
  ])('refuses a folder with %s', async (_, options, error, message) => {
    const opening = OnnxEmbedder.open(tiny(options));
    await expect(opening).rejects.toThrow(error);
    await expect(opening).rejects.toThrow(message);
  });

  it('refuses a model that ONNX Runtime cannot read, and one that is not there', async () => {
    const path = tiny({ files: { 'onnx/broken.onnx': 'not a model' } });
    await expect(OnnxEmbedder.open(path, { model: 'onnx/broken.onnx' })).rejects.toThrow(ForeignFileError);
    await expect(OnnxEmbedder.open(path, { model: 'onnx/none.onnx' })).rejects.toThrow(MissingResourceError);
    await expect(OnnxEmbedder.open(join(folder, 'nowhere'))).rejects.toThrow(/model\.onnx is missing/);
  });
});
