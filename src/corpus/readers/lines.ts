import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { decodeUtf8 } from './utf8.js';

/** Consecutive lines of a file. */
export interface LineBatch {
  /** Number of the first one, counted from 1. */
  readonly firstLine: number;
  /** Without their line ends. */
  readonly lines: readonly string[];
}

const newline = 0x0a;

/** The most bytes that a line, or an object of a JSON array, may have: 128 MiB, well under a string's limit. */
export const largestRecord = 128 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines, a batch for each chunk that ends one. A line ends with the byte `\n`, before which
 * one `\r` is dropped, and with nothing else: U+2028, a lone `\r` or a form feed are data. The last line need not end;
 * an empty rest after the last `\n` is no line.
 *
 * @param file how messages name the input
 * @throws InvalidInputError for bytes that are no UTF-8, or a line of more than 128 MiB
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  file: string,
  longest = largestRecord,
): AsyncGenerator<LineBatch> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let nextLine = 1;

  const cut = (bytes: Buffer): LineBatch => {
    const lines = decodeUtf8(bytes, file, nextLine).split('\n');
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      if (line.charCodeAt(line.length - 1) === 0x0d) lines[i] = line.slice(0, -1);
    }
    const batch = { firstLine: nextLine, lines };
    nextLine += lines.length;
    return batch;
  };

  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline);
    if (end === -1) {
      pending.push(chunk);
      pendingBytes += chunk.length;
    } else {
      pending.push(chunk.subarray(0, end));
      yield cut(pending.length === 1 ? pending[0]! : Buffer.concat(pending));
      pending = [chunk.subarray(end + 1)];
      pendingBytes = pending[0]!.length;
    }
    if (pendingBytes > longest) {
      throw new InvalidInputError({
        location: { file, line: nextLine },
        value: `a line of more than ${pendingBytes} bytes`,
        expected: `lines of at most ${longest} bytes`,
      });
    }
  }
  if (pendingBytes > 0) yield cut(Buffer.concat(pending));
}

/** Whether a line holds nothing but spaces and tabs. */
export function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}
