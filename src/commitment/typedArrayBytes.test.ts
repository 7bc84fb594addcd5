import { describe, expect, it } from 'vitest';
import { littleEndianBytes } from './typedArrayBytes.js';

describe('littleEndianBytes', () => {
  it('lists the low byte first, for every element size', () => {
    expect([...littleEndianBytes(Uint16Array.of(0x0102))]).toEqual([2, 1]);
    expect([...littleEndianBytes(Uint32Array.of(0x01020304, 5))]).toEqual([4, 3, 2, 1, 5, 0, 0, 0]);
    expect([...littleEndianBytes(Int32Array.of(-2))]).toEqual([0xfe, 0xff, 0xff, 0xff]);
    expect([...littleEndianBytes(Float32Array.of(1))]).toEqual([0, 0, 0x80, 0x3f]);
    expect([...littleEndianBytes(Float64Array.of(-0))]).toEqual([0, 0, 0, 0, 0, 0, 0, 0x80]);
  });

  it('covers a view alone, not the whole buffer beneath it', () => {
    const whole = Uint32Array.of(1, 2, 3, 4);
    expect([...littleEndianBytes(whole.subarray(1, 3))]).toEqual([2, 0, 0, 0, 3, 0, 0, 0]);
    expect(littleEndianBytes(whole.subarray(2, 2))).toHaveLength(0);
  });
});
