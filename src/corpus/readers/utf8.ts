import { InvalidInputError } from '../../errors/InvalidInputError.js';

// The mark at the start of a file is gone by now (InputSet); anywhere else U+FEFF is data.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8; bytes that are none are an error, never replacement characters.
 *
 * @param line line of the first byte, counted from 1
 */
export function decodeUtf8(bytes: Uint8Array, file: string, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw locateFault(bytes, file, line, cause);
  }
}

function locateFault(bytes: Uint8Array, file: string, firstLine: number, cause: unknown): InvalidInputError {
  let line = firstLine;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      break;
    }
    if (newline === -1) break;
    start = end + 1;
    line++;
  }
  return new InvalidInputError({
    location: { file, line },
    value: 'bytes in another encoding',
    expected: 'UTF-8 text',
    cause,
  });
}
