/**
 * Writes one Protocol Buffers message (wire format, proto2/proto3 alike). Nested messages are written in place and
 * large byte fields are kept by reference, so that a model of many megabytes is copied once, at the end.
 *
 * Wire format: https://protobuf.dev/programming-guides/encoding/. ONNX needs varints, 32-bit floats and length-delimited
 * fields only.
 */
export class ProtobufWriter {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** A varint field; negative numbers take the ten bytes of their 64-bit two's complement. */
  integer(field: number, value: number | bigint): this {
    return this.#tag(field, 0).#push(varint(BigInt(value)));
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#tag(field, 5).#push(bytes);
  }

  string(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  /** A length-delimited field; `value` is kept by reference until `finish`. */
  bytes(field: number, value: Uint8Array): this {
    return this.#tag(field, 2)
      .#push(varint(BigInt(value.length)))
      .#push(value);
  }

  message(field: number, write: (message: ProtobufWriter) => void): this {
    const message = new ProtobufWriter();
    write(message);
    this.#tag(field, 2).#push(varint(BigInt(message.#length)));
    for (const chunk of message.#chunks) this.#push(chunk);
    return this;
  }

  finish(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let offset = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
  }

  #tag(field: number, wireType: number): this {
    return this.#push(varint(BigInt(field * 8 + wireType)));
  }

  #push(chunk: Uint8Array): this {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    return this;
  }
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
