import { InvalidInputError } from '../../errors/InvalidInputError.js';

/**
 * A weight tensor of a TensorFlow.js graph model with affine quantisation: value = byte * scale + minimum.
 * `bytes` is row-major in `shape`.
 */
export interface QuantizedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  readonly scale: number;
  readonly minimum: number;
}

interface WeightEntry {
  name: string;
  shape: number[];
  dtype: string;
  quantization?: { dtype: string; min: number; scale: number };
}

/**
 * Splits the weight shard of a TensorFlow.js model by its manifest: tensors lie one after another in manifest order, one
 * byte an element where quantised and four otherwise. Only quantised tensors are returned (the others are shape
 * constants of the graph). Names lose everything before the last `/bert/`.
 * @throws InvalidInputError when manifest and shard do not fit together
 */
export function readQuantizedWeights(manifestFile: string, manifestJson: string, shard: Uint8Array): WeightTable {
  const manifest = JSON.parse(manifestJson) as { weightsManifest: { weights: WeightEntry[] }[] };
  const entries = manifest.weightsManifest.flatMap((group) => group.weights);
  const tensors = new Map<string, QuantizedTensor>();
  let offset = 0;
  for (const { name, shape, quantization } of entries) {
    const elements = shape.reduce((product, size) => product * size, 1);
    const length = elements * (quantization ? 1 : 4);
    if (quantization) {
      const shortName = name.slice(name.lastIndexOf('/bert/') < 0 ? 0 : name.lastIndexOf('/bert/') + '/bert/'.length);
      const bytes = shard.subarray(offset, offset + length);
      tensors.set(shortName, { name: shortName, shape, bytes, scale: quantization.scale, minimum: quantization.min });
    }
    offset += length;
  }
  if (offset !== shard.length) {
    throw new InvalidInputError({
      location: { file: manifestFile, field: 'weightsManifest' },
      value: offset,
      expected: `weights of ${shard.length} bytes in total, as the shard has`,
    });
  }
  return new WeightTable(manifestFile, tensors);
}

/** The quantised tensors of a model by name. */
export class WeightTable {
  readonly #file: string;
  readonly #tensors: ReadonlyMap<string, QuantizedTensor>;

  constructor(file: string, tensors: ReadonlyMap<string, QuantizedTensor>) {
    this.#file = file;
    this.#tensors = tensors;
  }

  get(name: string): QuantizedTensor {
    const tensor = this.#tensors.get(name);
    if (tensor === undefined) {
      throw new InvalidInputError({
        location: { file: this.#file, field: 'weightsManifest' },
        expected: `a tensor named ${name}`,
      });
    }
    return tensor;
  }
}

/** Values in single precision, each rounded once: fround(byte * scale + minimum). */
export function dequantize(tensor: QuantizedTensor): Float32Array {
  return Float32Array.from(tensor.bytes, (byte) => byte * tensor.scale + tensor.minimum);
}

/**
 * The byte that stands for 0, where the affine grid holds one exactly (embedding and matrix tensors; not LayerNorm gains).
 * @throws InvalidInputError when zero lies between two grid points, so that (byte - zeroPoint) * scale would shift values
 */
export function zeroPoint(tensor: QuantizedTensor): number {
  const exact = -tensor.minimum / tensor.scale;
  const rounded = Math.round(exact);
  if (rounded < 0 || rounded > 255 || Math.abs(exact - rounded) > 1e-4) {
    throw new InvalidInputError({
      location: { file: tensor.name, field: 'quantization' },
      value: exact,
      expected: 'an integer zero point in 0..255',
    });
  }
  return rounded;
}
