import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { AnswerVerdict } from '../AnswerAuditor.js';
import { verdictJson } from './auditJson.js';

const bufferedCharacters = 1 << 18;

/**
 * A file of JSON Lines with the verdict on every answer, written as they come. It appears under its name once it is
 * complete; until then it is `name.partial`, and gone when the audit fails.
 */
export class VerdictFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #buffered = '';

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  static async create(path: string): Promise<VerdictFile> {
    return new VerdictFile(path, await open(`${path}.partial`, 'w'));
  }

  /** A promise when there is something to wait for. */
  add(verdict: AnswerVerdict, file: string): Promise<void> | undefined {
    this.#buffered += `${JSON.stringify(verdictJson(verdict, file))}\n`;
    return this.#buffered.length < bufferedCharacters ? undefined : this.#flush();
  }

  async complete(): Promise<void> {
    await this.#flush();
    await this.#handle.close();
    await rename(`${this.#path}.partial`, this.#path);
  }

  async abandon(): Promise<void> {
    await this.#handle.close();
    await rm(`${this.#path}.partial`, { force: true });
  }

  async #flush(): Promise<void> {
    const text = this.#buffered;
    this.#buffered = '';
    await this.#handle.appendFile(text);
  }
}
