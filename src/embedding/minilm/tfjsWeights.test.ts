import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { dequantize, readQuantizedWeights, zeroPoint } from './tfjsWeights.js';

const quantization = { dtype: 'uint8', scale: 0.5, min: -1 };
const manifest = JSON.stringify({
  weightsManifest: [
    {
      weights: [
        { name: 'graph/axis', shape: [2], dtype: 'int32' },
        { name: 'graph/bert/dense/kernel', shape: [2, 2], dtype: 'float32', quantization },
        { name: 'words', shape: [1], dtype: 'float32', quantization: { ...quantization, min: 0.25 } },
      ],
    },
  ],
});
const shard = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 255, 7);

describe('readQuantizedWeights', () => {
  it('cuts the shard by the manifest and drops the path before /bert/', () => {
    const weights = readQuantizedWeights('model.json', manifest, shard);
    expect(weights.get('dense/kernel')).toMatchObject({ shape: [2, 2], bytes: Uint8Array.of(0, 1, 2, 255) });
    expect([...dequantize(weights.get('dense/kernel'))]).toEqual([-1, -0.5, 0, 126.5]);
    expect([...dequantize(weights.get('words'))]).toEqual([3.75]);
    expect(() => weights.get('axis')).toThrow(
      /model\.json: weightsManifest: got nothing, expected a tensor named axis/,
    );
  });

  it('refuses a shard of another length', () => {
    expect(() => readQuantizedWeights('model.json', manifest, shard.subarray(1))).toThrow(InvalidInputError);
  });
});

describe('zeroPoint', () => {
  it('is the byte of 0, and an error where no byte is 0', () => {
    const weights = readQuantizedWeights('model.json', manifest, shard);
    expect(zeroPoint(weights.get('dense/kernel'))).toBe(2);
    expect(() => zeroPoint(weights.get('words'))).toThrow(/got -0\.5, expected an integer zero point/);
  });
});
