import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { packState, stateHash, unpackState } from './packState.js';
import type { StateValue } from './stateValue.js';

const leaf: fc.Arbitrary<StateValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.string({ unit: 'grapheme' }),
  fc.float32Array().map((array) => Float32Array.from(array)),
  fc.float64Array().map((array) => Float64Array.from(array)),
);
const states = fc.letrec<{ value: StateValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value')),
    fc
      .dictionary(
        fc.string().filter((key) => key !== '$' && key !== '__proto__'),
        tie('value'),
      )
      .map((object) => ({ ...object })),
  ),
})).value;

describe('packState', () => {
  it('comes back bit for bit, arrays with all their values', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(unpackState(packState(state), 'model')).toEqual(state);
      }),
    );
  });

  it('gives equal states equal bytes, whatever the order of their members', () => {
    const [a, b] = [Float32Array.of(1), Float64Array.of(2, Number.NaN)];
    expect(packState({ x: a, y: [b] })).toEqual(packState({ y: [b], x: a }));
    expect(stateHash({ x: a, y: b })).not.toBe(stateHash({ x: b, y: a }));
  });

  it('identifies a state by its content, saved or not', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(stateHash(unpackState(packState(state), 'model'))).toBe(stateHash(state));
      }),
    );
    expect(stateHash({ x: Float32Array.of(1, 2) })).not.toBe(stateHash({ x: Float32Array.of(1, 3) }));
    expect(stateHash(Float32Array.of(0, 0))).not.toBe(stateHash(Float64Array.of(0)));
  });

  it('refuses other bytes, cut ones and ones with something added', () => {
    const bytes = packState({ x: Float32Array.of(1, 2), y: 'text' });
    for (const wrong of [
      Buffer.from('something else'),
      Buffer.alloc(0),
      bytes.subarray(0, bytes.length - 1),
      bytes.subarray(0, 25),
      Buffer.concat([bytes, Buffer.of(0)]),
      Buffer.from(Buffer.from(bytes).toString('latin1').replace('{', '!'), 'latin1'),
    ]) {
      expect(() => unpackState(wrong, 'model.bin')).toThrow(ForeignFileError);
    }
  });
});
