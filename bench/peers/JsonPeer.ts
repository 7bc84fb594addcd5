import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';

/** A program that answers one line with one JSON line. */
export class JsonPeer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;

  constructor(command: string, parameters: readonly string[], environment: NodeJS.ProcessEnv = {}) {
    this.#process = spawn(command, parameters, { env: { ...process.env, ...environment } });
    this.#process.stderr.pipe(process.stderr);
    const lines: Interface = createInterface({ input: this.#process.stdout });
    this.#answers = lines[Symbol.asyncIterator]();
  }

  /** @param question sent as it is when it is a text, else as JSON */
  async ask<Answer>(question: unknown): Promise<Answer> {
    this.#process.stdin.write(`${typeof question === 'string' ? question : JSON.stringify(question)}\n`);
    return this.answer();
  }

  /** The next line that the program prints unasked. */
  async answer<Answer>(): Promise<Answer> {
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('the peer ended before it answered; its message is above');
    return JSON.parse(value) as Answer;
  }

  close(): void {
    this.#process.stdin.end();
  }
}
