import { basename } from 'node:path';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { OnnxSession, type SessionOptions, type TensorValue } from '../../inference/OnnxSession.js';
import { type Embedder, type Embeddings, type EmbedOptions, newEmbeddings } from '../Embedder.js';
import { scaleRowsToUnitLength } from '../unitRows.js';
import { type Batch, equalLengthBatches } from './equalLengthBatches.js';
import { poolTokens } from './pooling.js';
import { type FolderOptions, readSentenceModelFolder, type SentenceModel } from './SentenceModelFolder.js';
import { TextTokenizer, type TokenizedText } from './TextTokenizer.js';

/** How a sentence model in the ONNX layout is run. */
export interface OnnxEmbedderOptions extends FolderOptions, SessionOptions {
  /** Name for people; the folder's name by default. */
  readonly id?: string | undefined;
  /** Bound on the tokens of one run of the model; no result depends on it. */
  readonly tokensPerBatch?: number | undefined;
}

/** Texts tokenised and sorted by length at a time: bounds memory, and fills batches of equal length. */
const textsPerWindow = 4096;
const defaultTokensPerBatch = 1024;
const knownInputs = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'];

/**
 * A sentence-embedding model in a folder of the usual ONNX layout, on ONNX Runtime.
 *
 * Only texts of equal token count share a run, so nothing is padded, and the kernels of a run treat each text by itself
 * (docs/decisions/embedding.md says how that was established). Models that quantise activations over the whole batch
 * run one text at a time.
 */
export class OnnxEmbedder implements Embedder {
  readonly id: string;
  readonly hash: string;
  readonly verifiable = true;
  readonly dimension: number;
  readonly maxTokens: number;
  readonly #model: SentenceModel;
  readonly #session: OnnxSession;
  readonly #tokenizer: TextTokenizer;
  readonly #output: string;
  readonly #tokensPerBatch: number;

  private constructor(
    model: SentenceModel,
    session: OnnxSession,
    tokenizer: TextTokenizer,
    shape: { output: string; dimension: number },
    options: { id: string; tokensPerBatch: number },
  ) {
    this.#model = model;
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#output = shape.output;
    this.#tokensPerBatch = model.quantisesOverBatch ? 1 : options.tokensPerBatch;
    this.id = options.id;
    this.hash = model.hash;
    this.dimension = shape.dimension;
    this.maxTokens = model.maxTokens;
  }

  /** @throws MissingResourceError, InvalidInputError, ForeignFileError when the folder cannot be used */
  static async open(folder: string, options: OnnxEmbedderOptions = {}): Promise<OnnxEmbedder> {
    const model = await readSentenceModelFolder(folder, options);
    const tokenizer = new TextTokenizer(model.tokenizer, model.tokenizerConfig, model.maxTokens);
    const session = await OnnxSession.open(model.modelFile, options);
    const unknown = session.inputNames.find((name) => !knownInputs.includes(name));
    const output = ['last_hidden_state', 'token_embeddings'].find((name) => session.outputNames.includes(name));
    if (unknown !== undefined || output === undefined) {
      await session.close();
      throw new InvalidInputError({
        location: { file: model.modelFile, field: unknown === undefined ? 'outputs' : 'inputs' },
        value: unknown ?? session.outputNames,
        expected: unknown === undefined ? 'last_hidden_state or token_embeddings' : `only ${knownInputs.join(', ')}`,
      });
    }
    const probe = tokenizer.tokenize('a').ids;
    const hidden = await runModel(session, output, [probe]);
    const dimension = hidden.length / probe.length;
    const { id = basename(folder), tokensPerBatch = defaultTokensPerBatch } = options;
    return new OnnxEmbedder(model, session, tokenizer, { output, dimension }, { id, tokensPerBatch });
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Embeddings> {
    const result = newEmbeddings(texts.length, this.dimension);
    let done = 0;
    for (let start = 0; start < texts.length; start += textsPerWindow) {
      options.signal?.throwIfAborted();
      const window = texts.slice(start, start + textsPerWindow).map((text) => this.#tokenizer.tokenize(text));
      for (const batch of equalLengthBatches(window.map(lengthOf), this.#tokensPerBatch)) {
        options.signal?.throwIfAborted();
        await this.#embedBatch(window, batch, start, result.vectors);
        done += batch.texts.length;
        options.onProgress?.(done, texts.length);
      }
      for (const [index, text] of window.entries()) {
        if (text.ids.length > 0) result.present[start + index] = 1;
        else done++;
        if (text.truncated) result.truncated[start + index] = 1;
      }
      options.onProgress?.(done, texts.length);
    }
    options.signal?.throwIfAborted();
    if (this.#model.normalise) scaleRowsToUnitLength(result.vectors, this.dimension);
    return result;
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  async #embedBatch(window: readonly TokenizedText[], batch: Batch, start: number, vectors: Float32Array) {
    const texts = batch.texts.map((text) => window[text]!.ids);
    const hidden = await runModel(this.#session, this.#output, texts);
    const stride = batch.length * this.dimension;
    for (const [slot, text] of batch.texts.entries()) {
      const row = (start + text) * this.dimension;
      const into = vectors.subarray(row, row + this.dimension);
      poolTokens(hidden.subarray(slot * stride, (slot + 1) * stride), this.dimension, this.#model.pooling, into);
    }
  }
}

function lengthOf(text: TokenizedText): number {
  return text.ids.length;
}

/**
 * Runs texts of one length, without padding.
 * @param texts token ids
 * @returns [texts, length, dimension]
 */
async function runModel(
  session: OnnxSession,
  output: string,
  texts: readonly (readonly number[])[],
): Promise<Float32Array> {
  const length = texts[0]!.length;
  const shape = [texts.length, length];
  const elements = texts.length * length;
  const fill = (value: (text: readonly number[], position: number) => number): TensorValue => {
    const values = new BigInt64Array(elements);
    for (let i = 0; i < elements; i++) values[i] = BigInt(value(texts[Math.floor(i / length)]!, i % length));
    return { values, shape };
  };
  const makers: Record<string, () => TensorValue> = {
    input_ids: () => fill((text, position) => text[position]!),
    attention_mask: () => fill(() => 1),
    token_type_ids: () => fill(() => 0),
    position_ids: () => fill((_, position) => position),
  };
  const inputs = Object.fromEntries(session.inputNames.map((name) => [name, makers[name]!()]));
  return (await session.run(inputs, [output]))[output]!;
}
