import type { FileHandle } from 'node:fs/promises';
import type { AnswerVerdict } from '../AnswerAuditor.js';
import { verdictJson } from './auditJson.js';

const bufferedCharacters = 1 << 18;

/** Writes the verdict on every answer to a file as JSON Lines, as they come, in pieces of a quarter of a megabyte. */
export class VerdictWriter {
  readonly #file: FileHandle;
  #buffered = '';

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** A promise when there is something to wait for. */
  add(verdict: AnswerVerdict, fileName: string): Promise<void> | undefined {
    this.#buffered += `${JSON.stringify(verdictJson(verdict, fileName))}\n`;
    return this.#buffered.length < bufferedCharacters ? undefined : this.flush();
  }

  /** Writes what is left. */
  async flush(): Promise<void> {
    const text = this.#buffered;
    this.#buffered = '';
    await this.#file.appendFile(text);
  }
}
