import { sign } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlteredArtefactError } from '../../errors/AlteredArtefactError.js';
import { BadSignatureError } from '../../errors/BadSignatureError.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { MissingArtefactError } from '../../errors/MissingArtefactError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { WrongKeyError } from '../../errors/WrongKeyError.js';
import { attestationFileName, digestDirectory } from './artefacts.js';
import { type DsseEnvelope, formatEnvelope, parseEnvelope, preAuthenticationEncoding } from './dsse.js';
import { generateKey } from './keys.js';
import { predicateType } from './predicate.js';
import { signStatement } from './signStatement.js';
import { formatStatement, type Statement, statementPayloadType, statementType } from './statement.js';
import { verifyArtefacts, verifyEnvelope } from './verifyEnvelope.js';

const key = generateKey();
const predicate: Statement['predicate'] = {
  claim: 'replay-run',
  tool: { name: 'asof', version: '0.0.0' },
  signedAt: '2024-03-01T00:00:00Z',
  logs: { 'event-log': { size: 2, root: 'ab'.repeat(32) } },
  contract: { status: 'pass', failures: [] },
};

let run: string;
beforeEach(async () => {
  run = await mkdtemp(join(tmpdir(), 'asof-run-'));
  await mkdir(join(run, 'data', 'deep'), { recursive: true });
  await writeFile(join(run, 'manifest.json'), '{}');
  await writeFile(join(run, 'data', 'rows.bin'), Buffer.alloc(3_000_000, 7));
  await writeFile(join(run, 'data', 'deep', 'été.txt'), '');
});
afterEach(() => rm(run, { recursive: true }));

const statementOfRun = async (): Promise<Statement> => ({ subjects: await digestDirectory(run), predicate });

/** An envelope over any payload, signed as `signStatement` signs. */
function envelopeOf(payload: string | Buffer, payloadType = statementPayloadType): DsseEnvelope {
  const bytes = Buffer.from(payload as string);
  const signature = sign(null, preAuthenticationEncoding(payloadType, bytes), key.privateKey);
  return { payloadType, payload: bytes, signatures: [{ keyId: key.keyId, signature }] };
}

describe('an attestation', () => {
  it('gives its statement back, and finds every artefact as signed', async () => {
    const statement = await statementOfRun();
    const text = formatEnvelope(signStatement(statement, key));
    await writeFile(join(run, attestationFileName), text);
    const verified = verifyEnvelope(parseEnvelope(text, 'e'), key, 'e');
    expect(verified).toEqual(statement);
    expect(await verifyArtefacts(verified, run, 'e')).toEqual({
      verified: ['data/deep/été.txt', 'data/rows.bin', 'manifest.json'],
      notCovered: [],
    });
  });

  it('is the same bytes for the same artefacts in any order: Ed25519 draws no random number', async () => {
    const statement = await statementOfRun();
    const reversed = { ...statement, subjects: statement.subjects.toReversed() };
    expect(signStatement(reversed, key)).toEqual(signStatement(statement, key));
  });

  it('names the artefacts that were altered, and not the others', async () => {
    const statement = await statementOfRun();
    await appendFile(join(run, 'data', 'rows.bin'), '!');
    await rm(join(run, 'manifest.json'));
    const failure = await verifyArtefacts(statement, run, 'e').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AlteredArtefactError);
    expect((failure as AlteredArtefactError).artefacts).toEqual([
      {
        name: 'data/rows.bin',
        signed: statement.subjects.find(({ name }) => name === 'data/rows.bin')?.sha256,
        found: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect((failure as AlteredArtefactError).exitCode).toBe(6);
  });

  it('names the artefacts that are missing, a directory in the place of a file included', async () => {
    const statement = await statementOfRun();
    await rm(join(run, 'manifest.json'));
    await mkdir(join(run, 'manifest.json'));
    await rm(join(run, 'data'), { recursive: true });
    const failure = await verifyArtefacts(statement, run, 'e').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MissingArtefactError);
    expect((failure as MissingArtefactError).names).toEqual(['data/deep/été.txt', 'data/rows.bin', 'manifest.json']);
    expect((failure as MissingArtefactError).exitCode).toBe(7);
  });

  it('lists what lies beside the artefacts without being covered', async () => {
    const statement = await statementOfRun();
    await writeFile(join(run, 'data', 'added.txt'), 'later');
    await symlink('/etc', join(run, 'link'));
    expect((await verifyArtefacts(statement, run, 'e')).notCovered).toEqual(['data/added.txt', 'link']);
  });

  it('checked with another key: wrong key, with both ids named', async () => {
    const other = generateKey();
    const envelope = signStatement(await statementOfRun(), key);
    expect(() => verifyEnvelope(envelope, other, 'e')).toThrow(WrongKeyError);
    expect(() => verifyEnvelope(envelope, other, 'e')).toThrow(
      `e: wrong key: signed with key ${key.keyId}, checked with key ${other.keyId}`,
    );
  });

  it('altered in its payload, payload type or signature: bad signature', async () => {
    const envelope = signStatement(await statementOfRun(), key);
    const payload = Buffer.from(envelope.payload.toString().replace('"claim":"replay-run"', '"claim":"log-audit"'));
    const [first] = envelope.signatures;
    const flipped = Buffer.from(first!.signature);
    flipped[0]! ^= 1;
    for (const altered of [
      { ...envelope, payload },
      { ...envelope, payloadType: 'application/json' },
      { ...envelope, signatures: [{ ...first!, signature: flipped }] },
      { ...envelope, signatures: [{ ...first!, signature: Buffer.alloc(0) }] },
      { ...envelope, signatures: [{ ...first!, signature: Buffer.alloc(65) }] },
      { ...envelope, signatures: [{ keyId: '', signature: flipped }] },
    ]) {
      expect(() => verifyEnvelope(altered, key, 'e')).toThrow(BadSignatureError);
    }
  });

  it('verifies by any of its signatures, whatever key id it carries: ids are hints and not signed', async () => {
    const envelope = signStatement(await statementOfRun(), key);
    const other = signStatement(await statementOfRun(), generateKey());
    const [own] = envelope.signatures;
    const several = { ...envelope, signatures: [...other.signatures, { ...own!, keyId: 'somebody' }] };
    expect(verifyEnvelope(several, key, 'e').predicate).toEqual(predicate);
  });

  it('signed, but of another payload type: refused, since its signer meant something else', () => {
    const payload = formatStatement({ subjects: [{ name: 'a', sha256: 'ab'.repeat(32) }], predicate });
    expect(() => verifyEnvelope(envelopeOf(payload, 'application/json'), key, 'e')).toThrow(ForeignFileError);
  });
});

describe('the statement of an attestation', () => {
  const good = {
    _type: statementType,
    subject: [{ name: 'a', digest: { sha256: 'ab'.repeat(32) } }],
    predicateType,
    predicate,
  };

  it('may hold members that the reader does not know', () => {
    const payload = JSON.stringify({ ...good, more: 1, predicate: { ...predicate, more: 2 } });
    expect(verifyEnvelope(envelopeOf(payload), key, 'e').subjects).toEqual([{ name: 'a', sha256: 'ab'.repeat(32) }]);
  });

  it.each([
    ['no JSON', 'x', 'not JSON'],
    ['JSON in broken UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not JSON in UTF-8'],
    ['null', 'null', '_type'],
    ['an older statement', { ...good, _type: 'https://in-toto.io/Statement/v0.1' }, '_type'],
    ['a predicate of others', { ...good, predicateType: 'https://slsa.dev/provenance/v1' }, 'predicateType'],
    ['no subject', { ...good, subject: [] }, 'no subject'],
    ['subjects that are no list', { ...good, subject: 'a' }, 'no subject'],
    ['a subject without name', { ...good, subject: [{ digest: { sha256: 'ab'.repeat(32) } }] }, 'subject name'],
    ['a subject twice', { ...good, subject: [good.subject[0], good.subject[0]] }, 'two subjects'],
    ['a subject without digest', { ...good, subject: [{ name: 'a' }] }, 'no sha256 digest'],
    ['a digest of others', { ...good, subject: [{ name: 'a', digest: { md5: 'ab' } }] }, 'no sha256 digest'],
    ['a predicate without claim', { ...good, predicate: { ...predicate, claim: undefined } }, 'predicate'],
    ['a claim of another kind', { ...good, predicate: { ...predicate, claim: 'all is well' } }, 'predicate/claim'],
    [
      'a commitment that is none',
      { ...good, predicate: { ...predicate, logs: { a: { size: -1 } } } },
      'predicate/logs/a',
    ],
  ])('is refused when it is %s', (_, statement, reason) => {
    const payload = typeof statement === 'string' || Buffer.isBuffer(statement) ? statement : JSON.stringify(statement);
    expect(() => verifyEnvelope(envelopeOf(payload), key, 'e')).toThrow(ForeignFileError);
    expect(() => verifyEnvelope(envelopeOf(payload), key, 'e')).toThrow(reason);
  });

  it.each(['', '/etc/passwd', '../x', 'a/../../x', 'a//b', './a', 'a/', 'C:/x', 'a\\..\\x', 'a\0b'])(
    'never names a file outside the directory: %j is refused by signer and reader',
    (name) => {
      const subjects = [{ name, sha256: 'ab'.repeat(32) }];
      expect(() => formatStatement({ subjects, predicate })).toThrow(InvalidArgumentError);
      const payload = JSON.stringify({ ...good, subject: [{ name, digest: { sha256: 'ab'.repeat(32) } }] });
      expect(() => verifyEnvelope(envelopeOf(payload), key, 'e')).toThrow('stays inside its directory');
    },
  );
});

describe('digestDirectory', () => {
  it('refuses links, empty directories and what is no directory', async () => {
    await symlink('manifest.json', join(run, 'link'));
    await expect(digestDirectory(run)).rejects.toThrow(InvalidInputError);
    await expect(digestDirectory(join(run, 'manifest.json'))).rejects.toThrow(MissingResourceError);
    await mkdir(join(run, 'empty'));
    await expect(digestDirectory(join(run, 'empty'))).rejects.toThrow('at least one file');
  });
});
