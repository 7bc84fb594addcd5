import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExistingFileError } from '../../errors/ExistingFileError.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { generateKey, keyFilesOf, readSigningKey, readVerificationKey, writeKeyPair } from './keys.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'asof-keys-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('key files', () => {
  it('hold the key that was written, under one id, the private one readable by its owner alone', async () => {
    const pair = generateKey();
    const files = keyFilesOf(join(directory, 'release'));
    await writeKeyPair(pair, files);
    expect((await readSigningKey(files.privateKeyFile)).keyId).toBe(pair.keyId);
    expect((await readVerificationKey(files.publicKeyFile)).keyId).toBe(pair.keyId);
    if (process.platform !== 'win32') expect((await stat(files.privateKeyFile)).mode & 0o777).toBe(0o600);
    expect(await readFile(files.privateKeyFile, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(await readFile(files.publicKeyFile, 'utf8')).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  });

  it('are never overwritten, and when one is there the other is not written', async () => {
    for (const half of ['privateKeyFile', 'publicKeyFile'] as const) {
      const files = keyFilesOf(join(directory, half));
      await writeFile(files[half], 'mine');
      await expect(writeKeyPair(generateKey(), files)).rejects.toThrow(ExistingFileError);
      expect(await readFile(files[half], 'utf8')).toBe('mine');
    }
    expect(await readdir(directory)).toHaveLength(2);
  });

  it('that are not of the kind asked for are refused: the other half, another algorithm, no key at all', async () => {
    const files = keyFilesOf(join(directory, 'key'));
    await writeKeyPair(generateKey(), files);
    await expect(readSigningKey(files.publicKeyFile)).rejects.toThrow('BEGIN PRIVATE KEY');
    await expect(readVerificationKey(files.privateKeyFile)).rejects.toThrow('BEGIN PUBLIC KEY');

    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = join(directory, 'other.pem');
    await writeFile(other, publicKey.export({ type: 'spki', format: 'pem' }));
    await expect(readVerificationKey(other)).rejects.toThrow('this is a key of type ec');
    await writeFile(other, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await expect(readSigningKey(other)).rejects.toThrow('this is a key of type ec');

    for (const text of ['', 'hello', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n']) {
      await writeFile(other, text);
      await expect(readVerificationKey(other)).rejects.toThrow(ForeignFileError);
    }
    await expect(readSigningKey(join(directory, 'none'))).rejects.toThrow(MissingResourceError);
  });

  it('that are encrypted are refused, not guessed at', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const file = join(directory, 'locked.pem');
    await writeFile(
      file,
      privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' }),
    );
    await expect(readSigningKey(file)).rejects.toThrow('not encrypted');
  });

  it('of two generated keys differ', () => {
    expect(generateKey().keyId).not.toBe(generateKey().keyId);
  });
});
