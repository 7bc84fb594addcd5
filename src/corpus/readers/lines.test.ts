import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from './lines.js';
import { collect, inChunks } from './testing/chunks.js';

async function linesOf(bytes: string | Buffer, sizes = [1_000]): Promise<string[]> {
  const batches = await collect(readLines(inChunks(Buffer.from(bytes as string), sizes), 'file'));
  let next = 1;
  for (const { firstLine, lines } of batches) {
    expect(firstLine).toBe(next);
    next += lines.length;
  }
  return batches.flatMap((batch) => batch.lines);
}

describe('readLines', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['\n', ['']],
    ['a\n\nb', ['a', '', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\rb\r\r\n', ['a\rb\r']],
    ['\r', ['']],
    ['a\u2028b\u2029c\u0085d\u000be\u000cf\n', ['a\u2028b\u2029c\u0085d\u000be\u000cf']],
  ])('cuts %j at LF or CR LF and nowhere else (cases 16, 17)', async (text, lines) => {
    expect(await linesOf(text)).toEqual(lines);
  });

  it('gives the same lines in whatever chunks the bytes come, even inside a character', async () => {
    const character = fc.constantFrom('\n', '\r', 'x', 'é', '漢', '😀', '\u2028', '\ufeff');
    const sizes = fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }).filter((list) => list.some((size) => size > 0));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: character, maxLength: 40 }), sizes, async (text, pieces) => {
        const expected = text.split('\n').map((line) => line.replace(/\r$/, ''));
        if (text.endsWith('\n') || text === '') expected.pop();
        expect(await linesOf(text, pieces)).toEqual(expected);
      }),
    );
  });

  it('refuses bytes that are no UTF-8, and names their line', async () => {
    const latin1 = Buffer.from('gut\nschön\ngut\n', 'latin1');
    for (const size of [1, 5, 100]) {
      await expect(linesOf(latin1, [size])).rejects.toThrow(
        /^file:2: got "bytes in another encoding", expected UTF-8 text/,
      );
    }
    await expect(linesOf(Buffer.from([0xff, 0xfe, 0x41, 0x00]))).rejects.toThrow(/^file:1: .*UTF-8/);
    await expect(linesOf(Buffer.from('a\n\ud83d\ude00').subarray(0, -1))).rejects.toThrow(/^file:2: .*UTF-8/);
  });

  it('refuses a line that grows beyond the limit', async () => {
    const lines = readLines(inChunks(Buffer.from(`ok\n${'x'.repeat(50)}`), [4]), 'file', 20);
    await expect(collect(lines)).rejects.toThrow(
      /^file:2: got "a line of more than 2\d bytes", expected lines of at most 20 bytes/,
    );
  });
});
