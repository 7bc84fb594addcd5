import { sha256 } from './hashing.js';

/** xoroshiro128+ on 32-bit halves, started from SHA-256(`purpose/seed`) and run for 32 draws before the first that counts. */
function generator(purpose, seed) {
  const start = sha256(`${purpose}/${seed}`).readInt32LE(0);
  let [s01, s00, s11, s10] = [-1, ~start, start, 0];
  const next = () => {
    const out = (s00 + s10) >>> 0;
    const [low, high] = [s10 ^ s00, s11 ^ s01];
    const [b00, b01] = [s00, s01];
    s00 = (b00 << 24) ^ (b01 >>> 8) ^ low ^ (low << 16);
    s01 = (b01 << 24) ^ (b00 >>> 8) ^ high ^ ((high << 16) | (low >>> 16));
    s10 = (high << 5) ^ (low >>> 27);
    s11 = (low << 5) ^ (high >>> 27);
    return out;
  };
  for (let i = 0; i < 32; i++) next();
  return next;
}

/** Unbiased draw from 0..bound-1: the high half of a product, redrawn where its low half would favour some (Lemire 2019). */
function below(next, bound) {
  for (;;) {
    const product = BigInt(next()) * BigInt(bound);
    const low = Number(product & 0xffffffffn);
    if (low >= bound || low >= 2 ** 32 % bound) return Number(product >> 32n);
  }
}

/** The order of a random stream: a Fisher-Yates shuffle of 0..size-1. */
export function randomOrder(size, seed) {
  const next = generator('stream/random', seed);
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = below(next, i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
