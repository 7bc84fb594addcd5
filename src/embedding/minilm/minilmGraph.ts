import { OnnxGraph } from '../../inference/OnnxGraph.js';
import { dequantize, type QuantizedTensor, type WeightTable, zeroPoint } from './tfjsWeights.js';

/**
 * `float32` multiplies in single precision. `int8` multiplies bytes by bytes: activations are quantised in blocks of 32
 * within a token, so that a text's vector does not depend on what it is batched with (docs/decisions/embedding.md).
 */
export const minilmPrecisions = ['float32', 'int8'] as const;
export type MinilmPrecision = (typeof minilmPrecisions)[number];

/** Shape of all-MiniLM-L6-v2 (its config.json): 6 layers of 12 heads over 384 numbers a token. */
const layers = 6;
const heads = 12n;
export const minilmDimension = 384;
const positions = 512;
const epsilon = 1e-12;
/** Elements that share one scale when activations are quantised; the smallest block that ONNX Runtime has kernels for. */
const quantizationBlock = 32;
/** ONNX Runtime's MatMulNBits: accuracy level 4 multiplies in int8. */
const int8Accuracy = 4n;

/**
 * BERT encoder of all-MiniLM-L6-v2 as an ONNX model in the layout that sentence-embedding exports use:
 * `input_ids`, `attention_mask` [batch, sequence] int64 -> `last_hidden_state` [batch, sequence, 384].
 *
 * Weights stay bytes in the file. In `float32` they are dequantised when the session is made; in `int8` they are
 * multiplied as bytes. All texts are of token type 0, so its embedding is added to the position table.
 */
export function buildMinilmModel(weights: WeightTable, precision: MinilmPrecision): Uint8Array {
  const graph = new OnnxGraph('all-MiniLM-L6-v2');
  const layer = new LayerWriter(graph, weights, precision);

  graph.input('input_ids', 'int64', ['batch', 'sequence']);
  graph.input('attention_mask', 'int64', ['batch', 'sequence']);
  graph.node('Cast', ['attention_mask'], 'key_mask', { attributes: { to: 6n } });
  let hidden = layer.embeddings('input_ids');
  for (let index = 0; index < layers; index++) hidden = layer.encoder(index, hidden);
  graph.node('Identity', [hidden], 'last_hidden_state');
  graph.output('last_hidden_state', 'float32', ['batch', 'sequence', minilmDimension]);
  return graph.serialise();
}

class LayerWriter {
  readonly #graph: OnnxGraph;
  readonly #weights: WeightTable;
  readonly #precision: MinilmPrecision;

  constructor(graph: OnnxGraph, weights: WeightTable, precision: MinilmPrecision) {
    this.#graph = graph;
    this.#weights = weights;
    this.#precision = precision;
  }

  /** Word plus position (plus token type 0) embeddings, normalised. */
  embeddings(tokenIds: string): string {
    const graph = this.#graph;
    const words = this.#bytes('words', this.#weights.get('unknown'));
    graph.node('Gather', [words.values, tokenIds], 'word_bytes', { attributes: { axis: 0n } });
    graph.node('DequantizeLinear', ['word_bytes', words.scale, words.zeroPoint], 'word_embeddings');

    const positionTable = dequantize(this.#weights.get('unknown_0'));
    const tokenTypes = dequantize(this.#weights.get('unknown_1'));
    for (let i = 0; i < positionTable.length; i++) positionTable[i]! += tokenTypes[i % minilmDimension]!;
    graph.constant('positions', [positions, minilmDimension], positionTable);
    graph.constant('zero', [], BigInt64Array.of(0n));
    graph.constant('one', [], BigInt64Array.of(1n));
    graph.node('Shape', [tokenIds], 'input_shape');
    graph.node('Gather', ['input_shape', 'one'], 'sequence_length', { attributes: { axis: 0n } });
    graph.node('Range', ['zero', 'sequence_length', 'one'], 'position_ids');
    graph.node('Gather', ['positions', 'position_ids'], 'position_embeddings', { attributes: { axis: 0n } });
    graph.node('Add', ['word_embeddings', 'position_embeddings'], 'embeddings');

    const gain = this.#vector('embeddings_gain', 'embeddings/LayerNorm/batchnorm/mul/ReadVariableOp');
    const bias = this.#vector('embeddings_bias', 'embeddings/LayerNorm/batchnorm/ReadVariableOp');
    return graph.node('LayerNormalization', ['embeddings', gain, bias], 'hidden_0', {
      attributes: { axis: -1n, epsilon },
    });
  }

  /** One transformer block: self-attention and feed-forward, each with a residual and a normalisation. */
  encoder(index: number, hidden: string): string {
    const graph = this.#graph;
    const source = `encoder/layer_._${index}`;
    const prefix = `layer_${index}`;
    const [query, key, value] = ['query', 'key', 'value'].map((part) =>
      this.#dense(hidden, `${source}/attention/self/${part}`, `${prefix}_${part}`),
    );
    const context = graph.node('MultiHeadAttention', [query!, key!, value!, '', 'key_mask'], `${prefix}_context`, {
      attributes: { num_heads: heads },
      domain: 'com.microsoft',
    });
    const attention = this.#dense(context, `${source}/attention/output/dense`, `${prefix}_attention`);
    const attended = this.#addAndNormalise(attention, hidden, `${source}/attention/output`, `${prefix}_attended`);
    const inner = this.#dense(attended, `${source}/intermediate/dense`, `${prefix}_inner`);
    const active = graph.node('Gelu', [inner], `${prefix}_active`, { domain: 'com.microsoft' });
    const outer = this.#dense(active, `${source}/output/dense`, `${prefix}_outer`);
    return this.#addAndNormalise(outer, attended, `${source}/output`, `hidden_${index + 1}`);
  }

  #addAndNormalise(input: string, residual: string, source: string, output: string): string {
    const gain = this.#vector(`${output}_gain`, `${source}/LayerNorm/batchnorm/mul/ReadVariableOp`);
    const bias = this.#vector(`${output}_bias`, `${source}/LayerNorm/batchnorm/ReadVariableOp`);
    return this.#graph.node('SkipLayerNormalization', [input, residual, gain, bias], output, {
      attributes: { epsilon },
      domain: 'com.microsoft',
    });
  }

  /** input x weights + bias. */
  #dense(input: string, source: string, output: string): string {
    const weights = this.#weights.get(`${source}/Tensordot/ReadVariableOp`);
    const bias = this.#vector(`${output}_bias`, `${source}/BiasAdd/ReadVariableOp`);
    const product =
      this.#precision === 'int8'
        ? this.#integerProduct(input, weights, output)
        : this.#floatProduct(input, weights, output);
    return this.#graph.node('Add', [product, bias], output);
  }

  #floatProduct(input: string, tensor: QuantizedTensor, output: string): string {
    const weights = this.#bytes(`${output}_weights`, tensor);
    const matrix = [weights.values, weights.scale, weights.zeroPoint];
    this.#graph.node('DequantizeLinear', matrix, `${output}_matrix`);
    return this.#graph.node('MatMul', [input, `${output}_matrix`], `${output}_product`);
  }

  #integerProduct(input: string, tensor: QuantizedTensor, output: string): string {
    const graph = this.#graph;
    const [inputs, outputs] = tensor.shape as [number, number];
    const blocks = inputs / quantizationBlock;
    const name = `${output}_weights`;
    graph.constant(name, [outputs, blocks, quantizationBlock], transpose(tensor.bytes, inputs, outputs));
    graph.constant(`${name}_scale`, [outputs * blocks], new Float32Array(outputs * blocks).fill(tensor.scale));
    graph.constant(`${name}_zero_point`, [outputs * blocks], new Uint8Array(outputs * blocks).fill(zeroPoint(tensor)));
    return graph.node('MatMulNBits', [input, name, `${name}_scale`, `${name}_zero_point`], `${output}_product`, {
      attributes: {
        K: BigInt(inputs),
        N: BigInt(outputs),
        bits: 8n,
        block_size: BigInt(quantizationBlock),
        accuracy_level: int8Accuracy,
      },
      domain: 'com.microsoft',
    });
  }

  #bytes(name: string, tensor: QuantizedTensor): { values: string; scale: string; zeroPoint: string } {
    return {
      values: this.#graph.constant(name, tensor.shape, tensor.bytes),
      scale: this.#graph.constant(`${name}_scale`, [], Float32Array.of(tensor.scale)),
      zeroPoint: this.#graph.constant(`${name}_zero_point`, [], Uint8Array.of(zeroPoint(tensor))),
    };
  }

  #vector(name: string, source: string): string {
    const tensor = this.#weights.get(source);
    return this.#graph.constant(name, tensor.shape, dequantize(tensor));
  }
}

/** [rows, columns] to [columns, rows], row-major. */
function transpose(matrix: Uint8Array, rows: number, columns: number): Uint8Array {
  const transposed = new Uint8Array(matrix.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      transposed[column * rows + row] = matrix[row * columns + column]!;
    }
  }
  return transposed;
}
