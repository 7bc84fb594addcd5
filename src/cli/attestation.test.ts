import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../audit/external/testing/logs.js';
import { runForTest } from './testing/runForTest.js';

let path: (name: string) => string;
beforeEach(async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  path = (name) => join(directory.path, name);
  mkdirSync(path('run/domains'), { recursive: true });
  writeFileSync(path('run/manifest.json'), '{}');
  writeFileSync(path('run/domains/rows.bin'), 'rows');
  expect((await runForTest(['key', 'generate', '--out', path('mine')])).exitCode).toBe(0);
});

const sign = (...words: string[]) =>
  runForTest(['run', 'sign', path('run'), '--key', path('mine.private.pem'), ...words]);
const verify = (...words: string[]) => runForTest(['verify', path('run'), '--key', path('mine.public.pem'), ...words]);

describe('asof key generate, run sign and verify', () => {
  it('make, sign and verify, in words and in JSON', async () => {
    const signed = await sign();
    expect(signed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(signed.stdout).toMatch(/^attestation .*run\/attestation\.dsse\.json\nartefacts {4}2\n/);
    const verified = await verify();
    expect(verified).toMatchObject({ exitCode: 0, stderr: '' });
    expect(verified.stdout).toMatch(/^verified .*\nsigned with {2}[0-9a-f]{64}\nclaim {8}replay-run\n/);
    expect(verified.stdout).toContain("signed at    1970-01-01T00:00:00Z, by the signer's own clock\n");
    const json = JSON.parse((await verify('--json')).stdout);
    expect(json).toMatchObject({
      verified: true,
      predicate: { claim: 'replay-run', tool: { name: 'asof' }, signedAt: '1970-01-01T00:00:00Z' },
      artefacts: ['domains/rows.bin', 'manifest.json'],
      notCovered: [],
    });
  });

  it('verify an attestation that is kept apart from what it attests', async () => {
    await sign('--out', path('elsewhere.json'), '--claim', 'log-audit');
    const words = ['verify', path('elsewhere.json'), '--key', path('mine.public.pem'), '--artefacts', path('run')];
    expect(await runForTest(words)).toMatchObject({ exitCode: 0 });
    expect((await runForTest(words.slice(0, 4))).exitCode).toBe(7);
  });

  it('never overwrite a key or an attestation', async () => {
    const key = readFileSync(path('mine.private.pem'), 'utf8');
    const again = await runForTest(['key', 'generate', '--out', path('mine')]);
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('exists already and is left as it is');
    expect(readFileSync(path('mine.private.pem'), 'utf8')).toBe(key);
    await sign();
    const attestation = readFileSync(path('run/attestation.dsse.json'), 'utf8');
    expect(await sign()).toMatchObject({ exitCode: 2, stdout: '' });
    expect(readFileSync(path('run/attestation.dsse.json'), 'utf8')).toBe(attestation);
  });

  it('list what lies in the run without being covered', async () => {
    await sign();
    writeFileSync(path('run/added.txt'), '');
    expect((await verify()).stdout).toMatch(/not covered {2}added\.txt\n/);
  });

  it('tell each way to fail by its own message and exit code', async () => {
    await sign();
    await runForTest(['key', 'generate', '--out', path('other')]);
    const attestation = path('run/attestation.dsse.json');
    const original = readFileSync(attestation, 'utf8');

    const wrongKey = await runForTest(['verify', path('run'), '--key', path('other.public.pem')]);
    expect(wrongKey.exitCode).toBe(5);
    expect(wrongKey.stderr).toContain('wrong key: signed with key ');

    const json = JSON.parse(original);
    const payload = Buffer.from(json.payload, 'base64').toString().replace('1970', '1971');
    writeFileSync(attestation, JSON.stringify({ ...json, payload: Buffer.from(payload).toString('base64') }));
    const bad = await verify('--json');
    expect(bad.exitCode).toBe(4);
    expect(bad.stderr).toContain('bad signature');
    expect(JSON.parse(bad.stdout)).toMatchObject({ verified: false, code: 'ASOF_BAD_SIGNATURE' });

    writeFileSync(attestation, original.slice(0, 50));
    const malformed = await verify();
    expect(malformed.exitCode).toBe(2);
    expect(malformed.stderr).toContain('malformed DSSE envelope');

    writeFileSync(attestation, original);
    appendFileSync(path('run/domains/rows.bin'), '!');
    const altered = await verify();
    expect(altered.exitCode).toBe(6);
    expect(altered.stderr).toContain('altered since signing: domains/rows.bin (signed as sha256 ');

    rmSync(path('run/domains'), { recursive: true });
    const missing = await verify();
    expect(missing.exitCode).toBe(7);
    expect(missing.stderr).toMatch(/missing from .*run: domains\/rows\.bin\n$/);
  });

  it('answer keys and attestations that are not there, or of the wrong kind, with 2', async () => {
    expect((await verify()).stderr).toContain('expected an attestation; `asof run sign` makes one');
    await sign();
    const words = [
      ['verify', path('run'), '--key', path('none.pem')],
      ['verify', path('run'), '--key', path('mine.private.pem')],
      ['run', 'sign', path('run'), '--key', path('mine.public.pem'), '--out', path('x')],
      ['run', 'sign', path('nothing'), '--key', path('mine.private.pem')],
      ['key', 'generate'],
    ];
    for (const line of words) expect(await runForTest(line)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
