import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { canonicalJson } from '../../commitment/canonicalJson.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { type Pooling, poolings } from './pooling.js';

export interface FolderOptions {
  /** Model file inside the folder; `onnx/model.onnx`, else `model.onnx`, by default. */
  readonly model?: string | undefined;
  /** Overrides `1_Pooling/config.json`, for folders without one. */
  readonly pooling?: Pooling | undefined;
}

/** What a folder in the usual sentence-embedding layout says about its model. */
export interface SentenceModel {
  /** Path of the model file. */
  readonly modelFile: string;
  readonly tokenizer: object;
  readonly tokenizerConfig: object;
  readonly pooling: Pooling;
  /** Whether vectors are scaled to length 1. */
  readonly normalise: boolean;
  /** Longest input in tokens, special tokens included. */
  readonly maxTokens: number;
  /** Hexadecimal SHA-256 of weights, tokenizer and settings. */
  readonly hash: string;
  /** Hexadecimal SHA-256 of the model file alone. */
  readonly modelSha256: string;
  /**
   * Whether the model quantises activations over a whole batch (ONNX `DynamicQuantizeLinear` and its fused forms): then
   * a text's vector would depend on its neighbours, and texts must be run one by one.
   */
  readonly quantisesOverBatch: boolean;
}

type Json = Record<string, unknown>;

/**
 * Reads a folder: `tokenizer.json`, `onnx/model.onnx` (or another), `1_Pooling/config.json`, and where present
 * `modules.json`, `sentence_bert_config.json`, `tokenizer_config.json`, `config.json`.
 * @throws MissingResourceError, InvalidInputError
 */
export async function readSentenceModelFolder(folder: string, options: FolderOptions = {}): Promise<SentenceModel> {
  const modelFile = findModelFile(folder, options.model);
  const tokenizer = await readJson(folder, 'tokenizer.json');
  const tokenizerConfig = await readOptionalJson(folder, 'tokenizer_config.json');
  const pooling = options.pooling ?? (await readPooling(folder));
  const normalise = await readNormalise(folder);
  const maxTokens = await readMaxTokens(folder, tokenizerConfig);
  const weights = await hashWeights(modelFile);
  const hash = sha256Hex(
    canonicalJson({
      kind: 'sentence-embedding ONNX 1',
      weights: weights.sha256,
      tokenizer: await hashFile(join(folder, 'tokenizer.json')),
      tokenizerConfig: await hashFile(join(folder, 'tokenizer_config.json')),
      pooling,
      normalise,
      maxTokens,
    }),
  );
  return {
    modelFile,
    tokenizer,
    tokenizerConfig,
    pooling,
    normalise,
    maxTokens,
    hash,
    modelSha256: weights.sha256[0]!,
    quantisesOverBatch: weights.quantisesOverBatch,
  };
}

function findModelFile(folder: string, model: string | undefined): string {
  const candidates = model === undefined ? ['onnx/model.onnx', 'model.onnx'] : [model];
  const found = candidates.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) {
    throw new MissingResourceError({
      resource: join(folder, candidates[0]!),
      remedy: 'place a sentence-embedding model exported to ONNX there, or name its model file',
    });
  }
  return found;
}

async function readPooling(folder: string): Promise<Pooling> {
  const name = '1_Pooling/config.json';
  const config = await readOptionalJson(folder, name);
  const keys: Record<Pooling, string> = {
    mean: 'pooling_mode_mean_tokens',
    cls: 'pooling_mode_cls_token',
    max: 'pooling_mode_max_tokens',
    last: 'pooling_mode_lasttoken',
  };
  const switchedOn = Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true);
  const pooling = poolings.find((candidate) => switchedOn.length === 1 && switchedOn[0] === keys[candidate]);
  if (pooling === undefined) {
    throw new InvalidInputError({
      location: { file: join(folder, name), field: 'pooling_mode_*' },
      value: switchedOn,
      expected: `exactly one of ${Object.values(keys).join(', ')} to be true`,
    });
  }
  return pooling;
}

/** Without `modules.json` vectors are normalised, since rankings go by cosine. */
async function readNormalise(folder: string): Promise<boolean> {
  if (!existsSync(join(folder, 'modules.json'))) return true;
  const modules = await readJson(folder, 'modules.json');
  const types = (Array.isArray(modules) ? modules : []).map((module: Json) => String(module.type).split('.').at(-1));
  const unknown = types.find((type) => type !== 'Transformer' && type !== 'Pooling' && type !== 'Normalize');
  if (unknown !== undefined || types.length === 0) {
    throw new InvalidInputError({
      location: { file: join(folder, 'modules.json'), field: 'type' },
      value: unknown,
      expected: 'a list of the modules Transformer, Pooling and Normalize only',
    });
  }
  return types.includes('Normalize');
}

async function readMaxTokens(folder: string, tokenizerConfig: Json): Promise<number> {
  const sentenceConfig = await readOptionalJson(folder, 'sentence_bert_config.json');
  const config = await readOptionalJson(folder, 'config.json');
  // Tokenizers without a limit store an astronomic number.
  const usable = (value: unknown) => Number.isInteger(value) && (value as number) > 2 && (value as number) < 1e6;
  const limits = [sentenceConfig.max_seq_length, tokenizerConfig.model_max_length, config.max_position_embeddings];
  const limit = limits.find(usable);
  if (limit === undefined) {
    throw new InvalidInputError({
      location: { file: join(folder, 'sentence_bert_config.json'), field: 'max_seq_length' },
      value: sentenceConfig.max_seq_length,
      expected: 'the longest input in tokens',
    });
  }
  return limit as number;
}

/** Streams through the weights: large models keep theirs in a file beside the graph. */
async function hashWeights(modelFile: string): Promise<{ sha256: string[]; quantisesOverBatch: boolean }> {
  const files = [modelFile, `${modelFile}_data`, `${modelFile}.data`].filter((file) => existsSync(file));
  const marker = 'DynamicQuantize';
  const sha256: string[] = [];
  let quantisesOverBatch = false;
  for (const file of files) {
    const hash = createHash('sha256');
    let tail = '';
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      // A name may lie across two chunks.
      const seam = tail + chunk.toString('latin1', 0, marker.length);
      quantisesOverBatch ||= chunk.includes(marker, 0, 'latin1') || seam.includes(marker);
      tail = chunk.toString('latin1', Math.max(0, chunk.length - marker.length));
    }
    sha256.push(hash.digest('hex'));
  }
  return { sha256, quantisesOverBatch };
}

/** Undefined where there is no such file. */
async function hashFile(path: string): Promise<string | undefined> {
  return existsSync(path) ? sha256Hex(await readFile(path)) : undefined;
}

async function readOptionalJson(folder: string, name: string): Promise<Json> {
  return existsSync(join(folder, name)) ? readJson(folder, name) : {};
}

async function readJson(folder: string, name: string): Promise<Json> {
  const path = join(folder, name);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new MissingResourceError({ resource: path, remedy: `${basename(folder)} needs it to embed texts`, cause });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Json;
  } catch (cause) {
    throw new InvalidInputError({ location: { file: path }, value: text, expected: 'JSON', cause });
  }
  throw new InvalidInputError({ location: { file: path }, value: text, expected: 'a JSON object' });
}
