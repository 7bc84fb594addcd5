/** Typed arrays that hold columns of unknown length. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** The column itself when it has room for `length` values, else a copy in at least twice the room; new values are 0. */
export function withRoom<T extends Column>(column: T, length: number): T {
  if (length <= column.length) return column;
  const room = Math.max(length, column.length * 2, 16);
  const larger = new (column.constructor as new (length: number) => T)(room);
  larger.set(column);
  return larger;
}
