import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OnnxGraph } from '../../inference/OnnxGraph.js';

export const tinyDimension = 3;
/** Vector of each token: [unk], [cls], [sep], red, green, blue. */
export const tinyTable = [
  [0.5, 0.25, -1],
  [1, 0, 0],
  [0, 0, 2],
  [4, -1, 0],
  [0, 3, 1],
  [-2, 0, 5],
];

export interface TinyModelOptions {
  /** Adds each token's type id and position to its vector, through inputs of the model. */
  readonly extraInputs?: boolean;
  readonly unknownInput?: boolean;
  readonly outputName?: string;
  /** Files to write or, with undefined, to leave out. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** A sentence-embedding folder whose model looks tokens up in `tinyTable`; words are split at spaces. */
export function writeTinyModelFolder(folder: string, options: TinyModelOptions = {}): string {
  const vocabulary = { '[unk]': 0, '[cls]': 1, '[sep]': 2, red: 3, green: 4, blue: 5 };
  const files: Record<string, unknown> = {
    'tokenizer.json': {
      version: '1.0',
      added_tokens: [],
      normalizer: { type: 'Lowercase' },
      pre_tokenizer: { type: 'Whitespace' },
      post_processor: {
        type: 'TemplateProcessing',
        single: [
          { SpecialToken: { id: '[cls]', type_id: 0 } },
          { Sequence: { id: 'A', type_id: 0 } },
          { SpecialToken: { id: '[sep]', type_id: 0 } },
        ],
        pair: [],
        special_tokens: {
          '[cls]': { id: '[cls]', ids: [1], tokens: ['[cls]'] },
          '[sep]': { id: '[sep]', ids: [2], tokens: ['[sep]'] },
        },
      },
      decoder: null,
      model: {
        type: 'WordPiece',
        vocab: vocabulary,
        unk_token: '[unk]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
      },
    },
    'tokenizer_config.json': { model_max_length: 64 },
    '1_Pooling/config.json': { word_embedding_dimension: tinyDimension, pooling_mode_mean_tokens: true },
    ...options.files,
  };
  write(join(folder, 'onnx/model.onnx'), tinyModel(options));
  for (const [name, value] of Object.entries(files)) {
    if (value !== undefined) write(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
}

function tinyModel({ extraInputs, unknownInput, outputName = 'last_hidden_state' }: TinyModelOptions): Uint8Array {
  const graph = new OnnxGraph('tiny');
  const shape = ['batch', 'sequence'];
  graph.input('input_ids', 'int64', shape);
  graph.constant('table', [tinyTable.length, tinyDimension], Float32Array.from(tinyTable.flat()));
  let hidden = graph.node('Gather', ['table', 'input_ids'], 'tokens', { attributes: { axis: 0n } });
  const extras = [...(extraInputs ? ['token_type_ids', 'position_ids'] : []), ...(unknownInput ? ['pixels'] : [])];
  for (const name of extras) {
    graph.input(name, 'int64', shape);
    graph.node('Cast', [name], `${name}_float`, { attributes: { to: 1n } });
    graph.constant(`${name}_axis`, [1], BigInt64Array.of(2n));
    graph.node('Unsqueeze', [`${name}_float`, `${name}_axis`], `${name}_column`);
    hidden = graph.node('Add', [hidden, `${name}_column`], `with_${name}`);
  }
  graph.node('Identity', [hidden], outputName);
  graph.output(outputName, 'float32', [...shape, tinyDimension]);
  return graph.serialise();
}

function write(path: string, data: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
}
