import { OnnxGraph } from './OnnxGraph.js';
import { OnnxSession, type SessionOptions } from './OnnxSession.js';

/**
 * left x right^T in single precision, the one dense kernel under exact search and k-means: a one-node ONNX graph
 * (Gemm, transB = 1) with free sizes.
 *
 * The order of its additions is ONNX Runtime's own and may change with the machine: a caller that must not depend on
 * it takes the products as approximations within `productErrorBound` and settles close calls itself, or sees to it that
 * every sum is exact.
 */
export class MatrixProduct {
  readonly #session: OnnxSession;

  private constructor(session: OnnxSession) {
    this.#session = session;
  }

  static async open(options: SessionOptions = {}): Promise<MatrixProduct> {
    const graph = new OnnxGraph('product');
    graph.input('left', 'float32', ['m', 'd']);
    graph.input('right', 'float32', ['n', 'd']);
    graph.node('Gemm', ['left', 'right'], 'product', { attributes: { transB: 1n } });
    graph.output('product', 'float32', ['m', 'n']);
    return new MatrixProduct(await OnnxSession.open(graph.serialise(), options));
  }

  /**
   * Products of the rows of two matrices, row-major, into `into`.
   *
   * @param left [m, d]; views are read in place
   * @param right [n, d]
   * @param into [m, n] receives the products
   */
  async multiply(left: Float32Array, right: Float32Array, dimension: number, into: Float32Array): Promise<void> {
    const m = left.length / dimension;
    const n = right.length / dimension;
    if (m === 0 || n === 0) return;
    await this.#session.run(
      { left: { values: left, shape: [m, dimension] }, right: { values: right, shape: [n, dimension] } },
      ['product'],
      { product: { values: into, shape: [m, n] } },
    );
  }

  /** Frees the session. */
  close(): Promise<void> {
    return this.#session.close();
  }
}

/**
 * Largest absolute error of a single-precision product of two vectors with norms of at most `leftNorm` and `rightNorm`,
 * for any order of additions, with or without fused multiply-add: gamma_d |a||b| with gamma_d = d u / (1 - d u) and
 * u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), plus what d underflows can lose.
 */
export function productErrorBound(dimension: number, leftNorm: number, rightNorm: number): number {
  const unitRoundoff = 2 ** -24;
  const gamma = (dimension * unitRoundoff) / (1 - dimension * unitRoundoff);
  return gamma * leftNorm * rightNorm + dimension * 2 ** -126;
}
