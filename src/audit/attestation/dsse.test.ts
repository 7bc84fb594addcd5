import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { type DsseEnvelope, formatEnvelope, parseEnvelope, preAuthenticationEncoding } from './dsse.js';

describe('preAuthenticationEncoding', () => {
  it('is the one that the DSSE specification prints', () => {
    const encoded = preAuthenticationEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));
    expect(encoded.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });

  it('counts bytes, not characters, and takes an empty body', () => {
    expect(preAuthenticationEncoding('é', Buffer.from('€€')).toString()).toBe('DSSEv1 2 é 6 €€');
    expect(preAuthenticationEncoding('', new Uint8Array()).toString()).toBe('DSSEv1 0  0 ');
  });

  it('differs for every other pair of type and body, also where their concatenation is the same', () => {
    const pair = fc.tuple(fc.string({ maxLength: 4 }), fc.uint8Array({ maxLength: 4 }));
    fc.assert(
      fc.property(pair, pair, ([typeA, bodyA], [typeB, bodyB]) => {
        const same = typeA === typeB && Buffer.from(bodyA).equals(bodyB);
        expect(preAuthenticationEncoding(typeA, bodyA).equals(preAuthenticationEncoding(typeB, bodyB))).toBe(same);
      }),
    );
    expect(preAuthenticationEncoding('a 1', Buffer.from('b'))).not.toEqual(
      preAuthenticationEncoding('a', Buffer.from('1 b')),
    );
  });
});

describe('parseEnvelope', () => {
  const envelope: DsseEnvelope = {
    payloadType: 'application/example+json',
    payload: Buffer.from([0xfb, 0xff, 0xfe, 1]),
    signatures: [{ keyId: 'k', signature: Buffer.alloc(64, 0xff) }],
  };

  it('reads what formatEnvelope writes', () => {
    expect(parseEnvelope(formatEnvelope(envelope), 'e.json')).toEqual(envelope);
  });

  it('takes URL-safe base64, and ignores members that it does not know', () => {
    const text = JSON.stringify({
      payload: '-__-AQ==',
      payloadType: envelope.payloadType,
      signatures: [{ sig: Buffer.alloc(64, 0xff).toString('base64'), extension: {} }],
      more: 1,
    });
    expect(parseEnvelope(text, 'e.json')).toEqual({
      ...envelope,
      signatures: [{ keyId: '', signature: Buffer.alloc(64, 0xff) }],
    });
  });

  const good = { payload: 'eA==', payloadType: 't', signatures: [{ keyid: 'k', sig: 'eA==' }] };
  it.each([
    ['no JSON', '{"payload"', 'it is not JSON'],
    ['nothing', '', 'it is not JSON'],
    ['a list', '[]', 'expected a JSON object'],
    ['null', 'null', 'expected a JSON object'],
    ['no payload', JSON.stringify({ ...good, payload: undefined }), 'as payload'],
    ['a payload that is no text', JSON.stringify({ ...good, payload: 7 }), 'as payload'],
    ['base64 without padding', JSON.stringify({ ...good, payload: 'eA' }), 'as payload'],
    ['base64 with stray bits', JSON.stringify({ ...good, payload: 'eB==' }), 'as payload'],
    ['base64 with white space', JSON.stringify({ ...good, payload: 'eA==\n' }), 'as payload'],
    ['no payload type', JSON.stringify({ ...good, payloadType: null }), 'as payloadType'],
    ['no signature list', JSON.stringify({ ...good, signatures: {} }), 'at least one signature'],
    ['no signature', JSON.stringify({ ...good, signatures: [] }), 'at least one signature'],
    ['a signature that is no object', JSON.stringify({ ...good, signatures: [null] }), 'signatures[0]'],
    ['a signature without sig', JSON.stringify({ ...good, signatures: [{ keyid: 'k' }] }), 'signatures[0].sig'],
    [
      'a key id of another type',
      JSON.stringify({ ...good, signatures: [{ keyid: 1, sig: '' }] }),
      'signatures[0].keyid',
    ],
  ])('refuses %s as malformed', (_, text, reason) => {
    expect(() => parseEnvelope(text, 'e.json')).toThrow(ForeignFileError);
    expect(() => parseEnvelope(text, 'e.json')).toThrow('e.json: malformed DSSE envelope');
    expect(() => parseEnvelope(text, 'e.json')).toThrow(reason);
  });
});
