import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readIfPresent, replaceFile, writeFileAtomically } from './atomicFile.js';
import { userCacheFolder } from './userCacheFolder.js';

const folder = mkdtempSync(join(tmpdir(), 'asof-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('writeFileAtomically', () => {
  it('makes the folders and replaces the file', async () => {
    const path = join(folder, 'a', 'b', 'file');
    await writeFileAtomically(path, 'one');
    await writeFileAtomically(path, Buffer.from('two'));
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['file']);
  });

  it('leaves the old file, and no other, when writing fails', async () => {
    const path = join(folder, 'kept');
    writeFileSync(path, 'old');
    const failing = replaceFile(path, async (file) => {
      await file.write('half of the new');
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow('disk full');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder).filter((name) => name.includes('kept'))).toEqual(['kept']);
  });

  it('leaves one whole file when many write at once', async () => {
    const path = join(folder, 'contended');
    await Promise.all(Array.from({ length: 8 }, (_, i) => writeFileAtomically(path, String(i).repeat(100_000))));
    expect(readFileSync(path, 'utf8')).toMatch(/^(\d)\1{99999}$/);
  });
});

describe('readIfPresent', () => {
  it('is undefined for a file that is not there, and an error for what is no file', async () => {
    expect(await readIfPresent(join(folder, 'none'))).toBeUndefined();
    await expect(readIfPresent(folder)).rejects.toThrow();
  });
});

describe('userCacheFolder', () => {
  it.each([
    [{ XDG_CACHE_HOME: '/xdg' }, 'linux', '/xdg/asof'],
    [{ XDG_CACHE_HOME: 'relative' }, 'linux', '/home/me/.cache/asof'],
    [{}, 'linux', '/home/me/.cache/asof'],
    [{}, 'darwin', '/home/me/Library/Caches/asof'],
    [{ XDG_CACHE_HOME: '/xdg' }, 'darwin', '/xdg/asof'],
    [{ LOCALAPPDATA: 'C:\\Local' }, 'win32', 'C:\\Local\\asof\\cache'],
  ] as const)('with %j on %s is %s', (environment, platform, expected) => {
    expect(userCacheFolder({ environment, platform, home: '/home/me' })).toBe(expected);
  });
});
