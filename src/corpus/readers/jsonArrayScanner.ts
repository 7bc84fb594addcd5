import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { largestRecord } from './lines.js';

/** The bytes of one element, and the line it starts on (counted from 1). */
export interface ScannedElement {
  readonly bytes: Buffer;
  readonly line: number;
}

/** What may come next, and how messages say it. */
const expectations = {
  start: 'a JSON array of objects',
  firstElement: 'an object or the end of the array',
  element: 'an object',
  separator: 'a comma or the end of the array',
  inside: 'the rest of an object',
  nothing: 'nothing after the JSON array',
};

/**
 * Finds the elements of a top-level JSON array of objects in a stream of bytes without parsing them, so that an array of
 * any length is read in the memory of its largest element. Only braces, brackets and strings are followed; whether an
 * element is valid JSON is for `JSON.parse` to say.
 */
export class JsonArrayScanner {
  readonly #file: string;
  readonly #largest: number;
  #expect: keyof typeof expectations = 'start';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #line = 1;
  #elementLine = 1;
  #pieces: Buffer[] = [];

  /** @param largest the most bytes that an element may have */
  constructor(file: string, largest = largestRecord) {
    this.#file = file;
    this.#largest = largest;
  }

  /** @throws InvalidInputError where the array's own punctuation is wrong */
  push(chunk: Buffer): ScannedElement[] {
    const found: ScannedElement[] = [];
    let at = 0;
    let elementStart = this.#expect === 'inside' ? at : -1;
    while (at < chunk.length) {
      if (this.#expect === 'inside') {
        at = this.#scanElement(chunk, at);
        if (this.#depth > 0) break;
        this.#pieces.push(chunk.subarray(elementStart, at));
        const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
        found.push({ bytes, line: this.#elementLine });
        this.#pieces = [];
        elementStart = -1;
        this.#expect = 'separator';
      } else {
        if (this.#punctuation(chunk[at]!)) elementStart = at;
        else at++;
      }
    }
    if (elementStart !== -1) {
      this.#pieces.push(chunk.subarray(elementStart));
      this.#checkSize();
    }
    return found;
  }

  /** @throws InvalidInputError when the array has not ended */
  end(): void {
    if (this.#expect !== 'nothing') throw this.#fault('the end of the file', 'the rest of the JSON array');
  }

  /** Follows an element from `at` to its end, or to the end of the chunk; returns the index after it. */
  #scanElement(chunk: Buffer, from: number): number {
    let at = from;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let depth = this.#depth;
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === 0x0a) this.#line++;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === 0x5c) escaped = true;
        else if (byte === 0x22) inString = false;
      } else if (byte === 0x22) {
        inString = true;
      } else if (byte === 0x7b || byte === 0x5b) {
        depth++;
      } else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) {
        at++;
        break;
      }
    }
    this.#inString = inString;
    this.#escaped = escaped;
    this.#depth = depth;
    return at;
  }

  /** Takes one byte between elements; true when an element starts at it. */
  #punctuation(byte: number): boolean {
    if (byte === 0x0a) this.#line++;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return false;
    const character = String.fromCharCode(byte);
    const mayStart = this.#expect === 'firstElement' || this.#expect === 'element';
    if (mayStart && character === '{') {
      this.#expect = 'inside';
      this.#elementLine = this.#line;
      return true;
    }
    const mayEnd = this.#expect === 'firstElement' || this.#expect === 'separator';
    if (this.#expect === 'start' && character === '[') this.#expect = 'firstElement';
    else if (this.#expect === 'separator' && character === ',') this.#expect = 'element';
    else if (mayEnd && character === ']') this.#expect = 'nothing';
    else throw this.#fault(character, expectations[this.#expect]);
    return false;
  }

  /** An element that never ends, for want of a brace or a quote, must not fill the memory. */
  #checkSize(): void {
    const bytes = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (bytes <= this.#largest) return;
    throw new InvalidInputError({
      location: { file: this.#file, line: this.#elementLine },
      value: `an object of more than ${bytes} bytes`,
      expected: `objects of at most ${this.#largest} bytes`,
    });
  }

  #fault(value: string, expected: string): InvalidInputError {
    return new InvalidInputError({ location: { file: this.#file, line: this.#line }, value, expected });
  }
}
