import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { preAuthenticationEncoding } from '../src/audit/attestation/dsse.js';
import { generateKey, keyFilesOf, readVerificationKey, writeKeyPair } from '../src/audit/attestation/keys.js';
import { signStatement } from '../src/audit/attestation/signStatement.js';
import { formatStatement, type Statement, statementPayloadType } from '../src/audit/attestation/statement.js';
import { verifyEnvelope } from '../src/audit/attestation/verifyEnvelope.js';
import { sha256Hex } from '../src/commitment/sha256.js';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.info('attestationInterop: openssl is not on this machine, the comparison with it is skipped');

const directory = mkdtempSync(join(tmpdir(), 'asof-interop-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = (name: string) => join(directory, name);
const openssl = (...parameters: string[]) => spawnSync('openssl', parameters, { maxBuffer: 1 << 20 });

const statement: Statement = {
  subjects: [{ name: 'rows.jsonl', sha256: sha256Hex('rows') }],
  predicate: { claim: 'artefacts', tool: { name: 'asof', version: '0' }, signedAt: '2024-03-01T00:00:00Z' },
};

describe.runIf(hasOpenssl)('OpenSSL', () => {
  it('verifies an envelope signed here, with the key files written here', async () => {
    const key = generateKey();
    const files = keyFilesOf(path('ours'));
    await writeKeyPair(key, files);
    const envelope = signStatement(statement, key);
    const signed = preAuthenticationEncoding(envelope.payloadType, envelope.payload);
    writeFileSync(path('pae'), signed);
    writeFileSync(path('sig'), envelope.signatures[0]!.signature);
    const verify = () =>
      openssl(
        'pkeyutl',
        '-verify',
        '-pubin',
        '-inkey',
        files.publicKeyFile,
        '-rawin',
        '-in',
        path('pae'),
        '-sigfile',
        path('sig'),
      );
    expect(verify().status).toBe(0);
    writeFileSync(path('pae'), Buffer.concat([signed, Buffer.from(' ')]));
    expect(verify().status).not.toBe(0);
  });

  it('signs an envelope that verifies here, with a key that it made', async () => {
    expect(openssl('genpkey', '-algorithm', 'ed25519', '-out', path('theirs.pem')).status).toBe(0);
    expect(openssl('pkey', '-in', path('theirs.pem'), '-pubout', '-out', path('theirs.pub.pem')).status).toBe(0);
    const payload = Buffer.from(formatStatement(statement));
    writeFileSync(path('pae'), preAuthenticationEncoding(statementPayloadType, payload));
    const parameters = [
      'pkeyutl',
      '-sign',
      '-inkey',
      path('theirs.pem'),
      '-rawin',
      '-in',
      path('pae'),
      '-out',
      path('sig'),
    ];
    expect(openssl(...parameters).status).toBe(0);
    const key = await readVerificationKey(path('theirs.pub.pem'));
    const signatures = [{ keyId: '', signature: readFileSync(path('sig')) }];
    expect(verifyEnvelope({ payloadType: statementPayloadType, payload, signatures }, key, 'theirs')).toEqual(
      statement,
    );
    const der = openssl('pkey', '-pubin', '-in', path('theirs.pub.pem'), '-outform', 'DER').stdout;
    expect(key.keyId).toBe(sha256Hex(der));
  });
});
