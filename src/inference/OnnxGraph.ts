import { littleEndianBytes } from '../commitment/typedArrayBytes.js';
import { ProtobufWriter } from './ProtobufWriter.js';

/** `com.microsoft` holds the fused operators that ONNX Runtime adds to the standard. */
export type OperatorDomain = '' | 'com.microsoft';

/** An integer attribute is a `bigint`, a float attribute a `number`, so that 1 and 1.0 do not get mixed up. */
export type AttributeValue = bigint | number | readonly bigint[];

/** A named size (for example `batch`) is free at run time; a number is fixed. */
export type Dimension = string | number;

/** Element types of ONNX (`TensorProto.DataType`) that the graphs here use. */
const elementTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;
export type ElementType = keyof typeof elementTypes;

const attributeTypes = { float: 1, int: 2, ints: 7 } as const;

export interface NodeOptions {
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  readonly domain?: OperatorDomain;
}

/** An ONNX model (IR version 8, opset 17) under construction: nodes in execution order, then `serialise`. */
export class OnnxGraph {
  readonly #name: string;
  readonly #nodes: ((graph: ProtobufWriter) => void)[] = [];
  readonly #initializers: ((graph: ProtobufWriter) => void)[] = [];
  readonly #inputs: ((graph: ProtobufWriter) => void)[] = [];
  readonly #outputs: ((graph: ProtobufWriter) => void)[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  input(name: string, type: ElementType, shape: readonly Dimension[]): string {
    this.#inputs.push((graph) => graph.message(11, valueInfo(name, type, shape)));
    return name;
  }

  output(name: string, type: ElementType, shape: readonly Dimension[]): void {
    this.#outputs.push((graph) => graph.message(12, valueInfo(name, type, shape)));
  }

  /** A constant tensor, row-major; an empty shape is a scalar. Returns its name. */
  constant(
    name: string,
    shape: readonly number[],
    values: Float32Array | Uint8Array | Int8Array | BigInt64Array,
  ): string {
    const { type, bytes } = tensorBytes(values);
    this.#initializers.push((graph) =>
      graph.message(5, (tensor) => {
        for (const size of shape) tensor.integer(1, size);
        tensor.integer(2, elementTypes[type]).string(8, name).bytes(9, bytes);
      }),
    );
    return name;
  }

  /** Appends an operator with one output and returns the output's name. An empty input name leaves an input out. */
  node(operator: string, inputs: readonly string[], output: string, options: NodeOptions = {}): string {
    this.#nodes.push((graph) =>
      graph.message(1, (node) => {
        for (const input of inputs) node.string(1, input);
        node.string(2, output).string(3, output).string(4, operator);
        for (const [name, value] of Object.entries(options.attributes ?? {})) {
          node.message(5, attribute(name, value));
        }
        if (options.domain) node.string(7, options.domain);
      }),
    );
    return output;
  }

  /** The model file. The bytes depend on nothing but what was added, in its order. */
  serialise(): Uint8Array {
    return new ProtobufWriter()
      .integer(1, 8)
      .string(2, 'asof')
      .message(7, (graph) => {
        for (const write of this.#nodes) write(graph);
        graph.string(2, this.#name);
        for (const write of [...this.#initializers, ...this.#inputs, ...this.#outputs]) write(graph);
      })
      .message(8, (opset) => opset.string(1, '').integer(2, 17))
      .message(8, (opset) => opset.string(1, 'com.microsoft').integer(2, 1))
      .finish();
  }
}

function tensorBytes(values: Float32Array | Uint8Array | Int8Array | BigInt64Array): {
  type: ElementType;
  bytes: Uint8Array;
} {
  if (values instanceof Float32Array) return { type: 'float32', bytes: littleEndianBytes(values) };
  if (values instanceof Uint8Array) return { type: 'uint8', bytes: values };
  if (values instanceof Int8Array) {
    return { type: 'int8', bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength) };
  }
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setBigInt64(index * 8, value, true);
  return { type: 'int64', bytes };
}

function attribute(name: string, value: AttributeValue): (message: ProtobufWriter) => void {
  return (message) => {
    message.string(1, name);
    if (typeof value === 'bigint') message.integer(3, value).integer(20, attributeTypes.int);
    else if (typeof value === 'number') message.float(2, value).integer(20, attributeTypes.float);
    else {
      for (const item of value) message.integer(8, item);
      message.integer(20, attributeTypes.ints);
    }
  };
}

function valueInfo(name: string, type: ElementType, shape: readonly Dimension[]): (message: ProtobufWriter) => void {
  return (message) =>
    message.string(1, name).message(2, (typeProto) =>
      typeProto.message(1, (tensor) =>
        tensor.integer(1, elementTypes[type]).message(2, (shapeProto) => {
          for (const size of shape) {
            shapeProto.message(1, (dimension) =>
              typeof size === 'string' ? dimension.string(2, size) : dimension.integer(1, size),
            );
          }
        }),
      ),
    );
}
