import { describe, expect, it } from 'vitest';
import { newSha256, sha256, sha256Hex } from './sha256.js';

describe('sha256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('gives the digest that FIPS 180-4 gives for %j', (message, digest) => {
    expect(sha256Hex(message)).toBe(digest);
    expect(sha256(Buffer.from(message)).toString('hex')).toBe(digest);
    expect(newSha256().update(message).digest('hex')).toBe(digest);
  });

  it('reads text as UTF-8', () => {
    expect(sha256Hex('é\u2028')).toBe(sha256Hex(Uint8Array.of(0xc3, 0xa9, 0xe2, 0x80, 0xa8)));
  });
});
