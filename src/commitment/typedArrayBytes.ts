/**
 * The bytes of a typed array in little-endian order, without a copy on little-endian machines (all that Node runs on
 * today); commitments over numbers use it so that a hash does not depend on the machine.
 */
export function littleEndianBytes(
  array: Uint32Array | Int32Array | Float32Array | Float64Array | Uint16Array,
): Uint8Array {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  if (isLittleEndian) return bytes;
  const swapped = Buffer.from(bytes);
  if (array.BYTES_PER_ELEMENT === 2) swapped.swap16();
  else if (array.BYTES_PER_ELEMENT === 4) swapped.swap32();
  else swapped.swap64();
  return swapped;
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
