import { canonicalJson } from '../../commitment/canonicalJson.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { littleEndianBytes } from '../../commitment/typedArrayBytes.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import type { StateValue } from './stateValue.js';

const magic = 'asof topic model 2\n';

/**
 * A state as bytes: a line of magic, the length of a canonical JSON text and the text, in which each array of numbers is
 * `{"$": type, "n": length}`, then the arrays, little-endian, in the order of the text. Equal states, equal bytes.
 */
export function packState(state: StateValue): Uint8Array {
  const arrays: NumberArray[] = [];
  const note = (array: NumberArray) => {
    arrays.push(array);
    return { $: typeOf(array), n: array.length };
  };
  const text = Buffer.from(canonicalJson(withoutArrays(state, note)), 'utf8');
  const head = Buffer.from(`${magic}${text.length}\n`, 'latin1');
  return Buffer.concat([head, text, ...arrays.map(littleEndianBytes)]);
}

/**
 * Reads what `packState` wrote.
 * @param source for messages
 * @throws ForeignFileError when the bytes are something else
 */
export function unpackState(bytes: Uint8Array, source: string): StateValue {
  const refuse = (reason: string): never => {
    throw new ForeignFileError({ file: source, reason });
  };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.toString('latin1', 0, magic.length) !== magic) return refuse('not a topic model of this version');
  const lineEnd = buffer.indexOf('\n', magic.length);
  const length = Number(buffer.toString('latin1', magic.length, lineEnd));
  if (lineEnd < 0 || !Number.isInteger(length) || lineEnd + 1 + length > buffer.length) return refuse('truncated');
  let offset = lineEnd + 1 + length;
  const take = (type: string, count: number): NumberArray => {
    const Type = type === 'f32' ? Float32Array : Float64Array;
    const end = offset + count * Type.BYTES_PER_ELEMENT;
    if (!Number.isInteger(count) || end > buffer.length) return refuse('truncated');
    const array = new Type(count);
    new Uint8Array(array.buffer).set(buffer.subarray(offset, end));
    offset = end;
    new Uint8Array(array.buffer).set(littleEndianBytes(array).slice());
    return array;
  };
  let text: unknown;
  try {
    text = JSON.parse(buffer.toString('utf8', lineEnd + 1, lineEnd + 1 + length));
  } catch {
    return refuse('damaged');
  }
  const state = withArrays(text, take);
  if (offset !== buffer.length) return refuse('longer than it says');
  return state;
}

/**
 * Identity of a state: SHA-256, hexadecimal, of its canonical JSON, in which each array of numbers is
 * `{"$": type, "n": length, "sha256": that of its little-endian bytes}`.
 *
 * An array is hashed once, however many states it is part of: arrays of a state may be replaced, but not written to.
 */
export function stateHash(state: StateValue): string {
  const note = (array: NumberArray) => ({ $: typeOf(array), n: array.length, sha256: arrayHash(array) });
  return sha256Hex(`${magic}${canonicalJson(withoutArrays(state, note))}`);
}

type NumberArray = Float32Array | Float64Array;

const arrayHashes = new WeakMap<NumberArray, string>();

function arrayHash(array: NumberArray): string {
  let hash = arrayHashes.get(array);
  if (hash === undefined) {
    hash = sha256Hex(littleEndianBytes(array));
    arrayHashes.set(array, hash);
  }
  return hash;
}

function typeOf(array: NumberArray): 'f32' | 'f64' {
  return array instanceof Float32Array ? 'f32' : 'f64';
}

function withoutArrays(value: StateValue, note: (array: NumberArray) => object): unknown {
  if (value instanceof Float32Array || value instanceof Float64Array) return note(value);
  if (Array.isArray(value)) return value.map((item) => withoutArrays(item, note));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(membersInOrder(value).map(([key, member]) => [key, withoutArrays(member, note)]));
}

function withArrays(value: unknown, take: (type: string, count: number) => NumberArray): StateValue {
  if (Array.isArray(value)) return value.map((item) => withArrays(item, take));
  if (typeof value !== 'object' || value === null) return value as StateValue;
  const { $: type, n: count } = value as { $?: string; n?: number };
  if (type !== undefined) return take(type, count ?? Number.NaN);
  return Object.fromEntries(membersInOrder(value).map(([key, member]) => [key, withArrays(member, take)]));
}

/** Members in the order of canonical JSON, so that arrays are met in the order of the text. */
function membersInOrder(value: object): [string, never][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1)) as [string, never][];
}
