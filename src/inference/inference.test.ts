import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForeignFileError } from '../errors/ForeignFileError.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MatrixProduct } from './MatrixProduct.js';
import { OnnxGraph } from './OnnxGraph.js';
import { OnnxSession } from './OnnxSession.js';
import { ProtobufWriter } from './ProtobufWriter.js';

const hex = (writer: ProtobufWriter) => Buffer.from(writer.finish()).toString('hex');

describe('ProtobufWriter', () => {
  it('writes the examples of the Protocol Buffers documentation', () => {
    expect(hex(new ProtobufWriter().integer(1, 150))).toBe('089601');
    expect(hex(new ProtobufWriter().string(2, 'testing'))).toBe('120774657374696e67');
    expect(hex(new ProtobufWriter().message(3, (inner) => inner.integer(1, 150)))).toBe('1a03089601');
  });

  it('writes negative numbers as 64-bit two’s complement, floats as 32 bits, large field numbers and empty fields', () => {
    expect(hex(new ProtobufWriter().integer(1, -2))).toBe('08feffffffffffffffff01');
    expect(hex(new ProtobufWriter().float(2, 1.5))).toBe('150000c03f');
    expect(hex(new ProtobufWriter().integer(1000, 0n).string(3, ''))).toBe('c03e001a00');
  });

  it('gives back every integer to a reader of varints', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const [, ...bytes] = new ProtobufWriter().integer(1, value).finish();
        const read = bytes.reduce((sum, byte, i) => sum | (BigInt(byte & 0x7f) << BigInt(7 * i)), 0n);
        expect(BigInt.asIntN(64, read)).toBe(value);
        expect(bytes.map((byte) => byte >> 7)).toEqual(bytes.map((_, i) => (i < bytes.length - 1 ? 1 : 0)));
      }),
    );
  });
});

describe('OnnxGraph', () => {
  it('makes models that ONNX Runtime runs: every kind of constant, attribute and size', async () => {
    const graph = new OnnxGraph('everything');
    graph.input('x', 'float32', ['n', 2]);
    graph.constant('bytes', [2], Uint8Array.of(130, 126));
    graph.constant('scale', [], Float32Array.of(0.5));
    graph.constant('zero', [], Uint8Array.of(128));
    graph.node('DequantizeLinear', ['bytes', 'scale', 'zero'], 'offset');
    graph.node('Add', ['x', 'offset'], 'shifted');
    graph.node('LeakyRelu', ['shifted'], 'leaky', { attributes: { alpha: 0.25 } });
    graph.node('Transpose', ['leaky'], 'turned', { attributes: { perm: [1n, 0n] } });
    graph.constant('axis', [1], BigInt64Array.of(-1n));
    graph.node('ReduceSum', ['turned', 'axis'], 'sums', { attributes: { keepdims: 0n } });
    graph.node('Gelu', ['sums'], 'active', { domain: 'com.microsoft' });
    graph.output('sums', 'float32', [2]);
    graph.output('active', 'float32', [2]);
    const session = await OnnxSession.open(graph.serialise(), { threads: 1 });
    expect([session.inputNames, session.outputNames]).toEqual([['x'], ['sums', 'active']]);
    const values = Float32Array.of(1, 2, -3, 4, 0, -5);
    const { sums, active } = await session.run({ x: { values, shape: [3, 2] } }, ['sums', 'active']);
    // The offset is [1, -1]: columns become 2, -2, 1 and 1, 3, -6; leaky, 2, -0.5, 1 and 1, 3, -1.5.
    expect([...sums!]).toEqual([2.5, 2.5]);
    expect(active![0]).toBeCloseTo(2.5 * 0.99379, 4);
    await session.close();
  });

  it('writes the same bytes for the same graph', () => {
    const build = () => {
      const graph = new OnnxGraph('same');
      graph.input('x', 'float32', ['n']);
      graph.node('Identity', ['x'], 'y');
      graph.output('y', 'float32', ['n']);
      return Buffer.from(graph.serialise());
    };
    expect(build().equals(build())).toBe(true);
  });
});

describe('OnnxSession', () => {
  it('refuses bytes that are no model, and a number of threads that is none', async () => {
    await expect(OnnxSession.open(Buffer.from('no model'))).rejects.toThrow(ForeignFileError);
    await expect(OnnxSession.open(Buffer.from('no model'), { threads: 0 })).rejects.toThrow(InvalidArgumentError);
  });
});

describe('MatrixProduct', () => {
  it('multiplies views of any sizes, zero included', async () => {
    const product = await MatrixProduct.open({ threads: 2 });
    const numbers = Float32Array.from({ length: 400 }, (_, i) => ((i * 37) % 19) - 9);
    for (const [m, n, d] of [
      [3, 4, 5],
      [1, 1, 1],
      [7, 1, 20],
      [0, 3, 2],
      [2, 0, 2],
    ] as const) {
      const left = numbers.subarray(3, 3 + m * d);
      const right = numbers.subarray(50, 50 + n * d);
      const into = new Float32Array(m * n);
      await product.multiply(left, right, d, into);
      const expected = Array.from({ length: m * n }, (_, at) => {
        const [row, column] = [Math.floor(at / n), at % n];
        let sum = 0;
        for (let i = 0; i < d; i++) sum += left[row * d + i]! * right[column * d + i]!;
        return sum;
      });
      // Sums of small integers are exact.
      expect([...into]).toEqual(expected);
    }
    await product.close();
  });
});
