/**
 * IEEE 754 binary16 in `Uint16Array`s (Node 20 has no Float16Array). Rounding is to nearest, ties to even, as the
 * standard's default; numbers from 65520 up become infinity; every NaN becomes a quiet NaN with its sign.
 */

/**
 * Per sign and exponent of a binary32 (its upper nine bits): the half's bits before rounding and how far the 24-bit
 * significand shifts right (after J. van der Zijp, Fast Half Float Conversions, with rounding instead of truncation).
 */
const bases = new Uint16Array(512);
const shifts = new Uint8Array(512);
for (let index = 0; index < 512; index++) {
  const sign = (index >>> 8) << 15;
  const exponent = (index & 0xff) - 127;
  // Shift 25 leaves nothing, whatever the significand: for numbers below half of the smallest half, and above the largest.
  shifts[index] = exponent < -25 || exponent > 15 ? 25 : exponent < -14 ? -1 - exponent : 13;
  // The significand's leading bit adds one to the exponent field of a normal half, hence 14 and not 15.
  bases[index] = sign | (exponent > 15 ? 0x7c00 : exponent < -14 ? 0 : (exponent + 14) << 10);
}

let decoded: Float32Array | undefined;

/** Rounds `source` to halves in `target`, element by element. Both have one length. */
export function encodeFloat16(source: Float32Array, target: Uint16Array): void {
  const bits = new Uint32Array(source.buffer, source.byteOffset, source.length);
  for (let i = 0; i < bits.length; i++) {
    const word = bits[i]!;
    const index = word >>> 23;
    const shift = shifts[index]!;
    const significand = (word & 0x7fffff) | 0x800000;
    const odd = (significand >>> shift) & 1;
    const rounded = (significand + (1 << (shift - 1)) - 1 + odd) >>> shift;
    target[i] = Number.isNaN(source[i]) ? bases[index]! | 0x200 : bases[index]! + rounded;
  }
}

/** Writes the exact values of the halves in `source` to `target`. Both have one length. */
export function decodeFloat16(source: Uint16Array, target: Float32Array): void {
  decoded ??= Float32Array.from({ length: 0x10000 }, (_, half) => halfToNumber(half));
  for (let i = 0; i < source.length; i++) target[i] = decoded[source[i]!]!;
}

/** Whether a half is an infinity or a NaN. */
export function isNonFiniteFloat16(half: number): boolean {
  return (half & 0x7c00) === 0x7c00;
}

function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction * 2 ** -10) * 2 ** (exponent - 15);
}
