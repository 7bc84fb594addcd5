import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeTemporaryFiles } from '../testing/temporaryFiles.js';
import { InputSet } from './inputs.js';
import { collect, inChunks } from './testing/chunks.js';

const readAll = async (inputs: InputSet, path: string) =>
  Buffer.concat(await collect(inputs.read(path, 'assets'))).toString('latin1');

const stdinOf = (bytes: Buffer, sizes: number[]) => new InputSet({ stdin: Readable.from(inChunks(bytes, sizes)) });

describe('InputSet', () => {
  it('gives plain and compressed bytes alike, in whatever chunks they come, and hashes them as they lay', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 4 }), sizes, async (parts, pieces) => {
        const plain = Buffer.concat(parts);
        fc.pre(plain[0] !== 0x1f && !plain.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf)));
        // Several gzip members one after another are one stream.
        for (const bytes of [plain, Buffer.concat(parts.map((part) => gzipSync(part)))]) {
          const inputs = stdinOf(bytes, pieces);
          expect(await readAll(inputs, '-')).toBe(plain.toString('latin1'));
          const sha256 = createHash('sha256').update(bytes).digest('hex');
          expect(inputs.records).toEqual([{ path: '-', role: 'assets', bytes: bytes.length, sha256 }]);
        }
      }),
    );
  });

  it.each([1, 2, 3])(
    'drops a byte order mark that comes %d byte(s) at a time, plain or compressed (case 15)',
    async (size) => {
      const bytes = Buffer.from('\ufeffa\ufeffb');
      const text = Buffer.from('a\ufeffb').toString('latin1');
      expect(await readAll(stdinOf(bytes, [size]), '-')).toBe(text);
      expect(await readAll(stdinOf(gzipSync(bytes), [size]), '-')).toBe(text);
    },
  );

  it.each(['', '\x1f', '\x1f?', '\ufeff', 'ab'])('reads the tiny file %j', async (content) => {
    const expected = content === '\ufeff' ? '' : content;
    expect(await readAll(new InputSet({ stdin: Readable.from([Buffer.from(content)]) }), '-')).toBe(expected);
  });

  const zipped = gzipSync('some text that is long enough to be cut');
  it.each([
    [
      'cut short',
      zipped.subarray(0, -4),
      /stdin: got "unexpected end of file", expected a whole, undamaged gzip stream/,
    ],
    [
      'damaged',
      Buffer.concat([zipped.subarray(0, 14), Buffer.from('????'), zipped.subarray(18)]),
      /undamaged gzip stream/,
    ],
    [
      'followed by something else',
      Buffer.concat([zipped, Buffer.from('more')]),
      /nothing after them|undamaged gzip stream/,
    ],
    ['followed by zeros', Buffer.concat([zipped, Buffer.alloc(64)]), /nothing after them/],
  ])('refuses a gzip stream that is %s, whatever the chunks', async (_what, bytes, message) => {
    for (const size of [1, 7, 1_000]) {
      const inputs = stdinOf(bytes, [size]);
      await expect(readAll(inputs, '-')).rejects.toThrow(message);
      expect(inputs.records).toEqual([]);
    }
  });

  it('names a file that is not there, or is no file', async () => {
    const folder = writeTemporaryFiles({});
    await expect(readAll(new InputSet(), join(folder, 'none'))).rejects.toThrow(/none is missing/);
    await expect(readAll(new InputSet(), folder)).rejects.toThrow(/got "EISDIR", expected a file that can be read/);
  });

  it('reads standard input once', async () => {
    const inputs = stdinOf(Buffer.from('x'), [1]);
    await readAll(inputs, '-');
    await expect(readAll(inputs, '-')).rejects.toThrow(/standard input for one file only/);
  });

  it.runIf(process.platform === 'linux')('closes a file that its reader leaves early', async () => {
    const content = Buffer.alloc(3_000_000, 'x');
    const folder = writeTemporaryFiles({ plain: content, zipped: gzipSync(content, { level: 0 }) });
    for (const name of ['plain', 'zipped']) {
      const path = join(folder, name);
      const chunks = new InputSet().read(path, 'assets');
      await chunks.next();
      expect(openFiles()).toContain(path);
      await chunks.return(undefined);
      await expect.poll(openFiles).not.toContain(path);
    }
  });
});

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  });
}
