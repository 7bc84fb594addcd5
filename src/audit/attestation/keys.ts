import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { sha256Hex } from '../../commitment/sha256.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { writeNewFile } from '../../files/newFile.js';

/** A key that can sign. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** A key that can check signatures. */
export interface VerificationKey {
  readonly keyId: string;
  readonly publicKey: KeyObject;
}

export interface KeyPair extends SigningKey, VerificationKey {}

export interface KeyFiles {
  readonly privateKeyFile: string;
  readonly publicKeyFile: string;
}

/** A new Ed25519 key pair (RFC 8032). */
export function generateKey(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey, keyId: keyIdOf(publicKey) };
}

/** Key id: SHA-256 over the public key as SPKI DER (RFC 8410), in hexadecimal. */
export function keyIdOf(publicKey: KeyObject): string {
  return sha256Hex(publicKey.export({ type: 'spki', format: 'der' }));
}

/** Where `writeKeyPair` puts the two halves of a key. */
export function keyFilesOf(prefix: string): KeyFiles {
  return { privateKeyFile: `${prefix}.private.pem`, publicKeyFile: `${prefix}.public.pem` };
}

/**
 * Writes the private key (PKCS#8 PEM, readable by its owner alone) and the public key (SPKI PEM).
 * Both or neither: no file is overwritten, and when the second cannot be written the first is taken back.
 * @throws ExistingFileError when either file is there
 */
export async function writeKeyPair(pair: KeyPair, files: KeyFiles): Promise<void> {
  const privatePem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' });
  const remedy = 'choose another name for the key, or move the file away';
  await writeNewFile(files.publicKeyFile, publicPem, { remedy });
  try {
    await writeNewFile(files.privateKeyFile, privatePem, { remedy, mode: 0o600 });
  } catch (error) {
    await rm(files.publicKeyFile);
    throw error;
  }
}

/**
 * @throws MissingResourceError when there is no such file
 * @throws ForeignFileError when it holds anything but an unencrypted Ed25519 private key in PKCS#8 PEM
 */
export async function readSigningKey(file: string): Promise<SigningKey> {
  const expected = 'expected an Ed25519 private key in PKCS#8 PEM (BEGIN PRIVATE KEY), not encrypted';
  const privateKey = await readKey(file, 'PRIVATE KEY', createPrivateKey, expected);
  return { privateKey, keyId: keyIdOf(createPublicKey(privateKey)) };
}

/**
 * @throws MissingResourceError when there is no such file
 * @throws ForeignFileError when it holds anything but an Ed25519 public key in SPKI PEM
 */
export async function readVerificationKey(file: string): Promise<VerificationKey> {
  const expected = 'expected an Ed25519 public key in SPKI PEM (BEGIN PUBLIC KEY)';
  const publicKey = await readKey(file, 'PUBLIC KEY', createPublicKey, expected);
  return { publicKey, keyId: keyIdOf(publicKey) };
}

async function readKey(
  file: string,
  label: string,
  decode: (pem: string) => KeyObject,
  expected: string,
): Promise<KeyObject> {
  let pem: string;
  try {
    pem = await readFile(file, 'utf8');
  } catch (cause) {
    throw new MissingResourceError({ resource: file, remedy: `it could not be read; ${expected}`, cause });
  }
  // createPublicKey would take a private key too; a private key has no business where a public one is asked for.
  if (!pem.includes(`-----BEGIN ${label}-----`)) throw new ForeignFileError({ file, reason: expected });
  let key: KeyObject;
  try {
    key = decode(pem);
  } catch (cause) {
    throw new ForeignFileError({ file, reason: expected, cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new ForeignFileError({ file, reason: `${expected}; this is a key of type ${key.asymmetricKeyType}` });
  }
  return key;
}
