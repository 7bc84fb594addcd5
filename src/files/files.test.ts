import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readIfPresent, replaceFile, writeFileAtomically } from './atomicFile.js';
import { environmentFault } from './environmentFault.js';
import { checkOutputFile, writeOutputFile } from './outputFile.js';
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

describe('checkOutputFile', () => {
  const place = join(folder, 'outputs');
  const at = (name: string) => join(place, name);
  mkdirSync(at('inputs'), { recursive: true });
  writeFileSync(at('there'), 'old');
  writeFileSync(at('inputs/log'), 'input');
  const options = { argument: '--out', force: false };

  it('leaves a file that is there, unless forced, and makes a new one with its folders', async () => {
    await expect(checkOutputFile(at('there'), options)).rejects.toThrow(/there exists already .*--force to replace it/);
    await writeOutputFile(await checkOutputFile(at('there'), { ...options, force: true }), (file) =>
      file.writeFile('x'),
    );
    expect(readFileSync(at('there'), 'utf8')).toBe('x');
    await writeOutputFile(await checkOutputFile(at('new/file'), options), (file) => file.writeFile('y'));
    expect(readFileSync(at('new/file'), 'utf8')).toBe('y');
  });

  it('never takes an input, under whatever name, nor a folder', async () => {
    symlinkSync(at('inputs/log'), at('other-name'));
    for (const [file, input] of [
      ['inputs/log', 'inputs/log'],
      ['other-name', 'inputs/log'],
      ['inputs/../inputs/new', 'inputs'],
    ] as const) {
      const check = checkOutputFile(at(file), { ...options, force: true, inputs: [at(input)] });
      await expect(check).rejects.toThrow(/--out: got .*, expected a file that is no input/);
    }
    await expect(checkOutputFile(at('inputs'), { ...options, force: true })).rejects.toThrow(
      /expected a file, or a new/,
    );
  });

  it('follows a symbolic link, and leaves the link', async () => {
    symlinkSync(at('there'), at('link'));
    await writeOutputFile(await checkOutputFile(at('link'), { ...options, force: true }), (file) =>
      file.writeFile('z'),
    );
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('there'), 'utf8')).toBe('z');
  });

  it.skipIf(process.platform !== 'linux')(
    'writes to a device as it is, and never puts a file in its place',
    async () => {
      const output = await checkOutputFile('/dev/full', options);
      expect(output.isStream).toBe(true);
      const full = writeOutputFile(output, (file) => file.writeFile('x'));
      await expect(full).rejects.toThrow('/dev/full: no space left on the device (ENOSPC)');
      await expect(writeFileAtomically('/dev/null', 'x')).rejects.toThrow(/it is no regular file/);
      expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
    },
  );
});

describe('environmentFault', () => {
  it('says where and why, and gives exit code 8', async () => {
    const error = await readIfPresent(folder).catch(environmentFault);
    expect(error).toMatchObject({ code: 'ASOF_ENVIRONMENT', exitCode: 8 });
    const under = writeFileAtomically(join(folder, 'kept', 'below'), 'x').catch(
      (fault) => environmentFault(fault) ?? fault,
    );
    expect((await under).message).toMatch(/kept.*: (part of the path is no folder \(ENOTDIR\)|something of this name)/);
  });

  it('knows the faults that DuckDB reports', () => {
    const fault = environmentFault(new Error('IO Error: Cannot open file "/x/rows.parquet": Permission denied\nmore'));
    expect(fault!.message).toBe('/x/rows.parquet: Cannot open file "/x/rows.parquet": Permission denied');
  });

  it('leaves other errors alone', () => {
    expect(environmentFault(new TypeError('x is not a function'))).toBeUndefined();
    expect(environmentFault(Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }))).toBeUndefined();
    expect(environmentFault('text')).toBeUndefined();
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
