import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { sha256Hex } from '../../commitment/sha256.js';
import { RequestRefusedError } from '../../errors/RequestRefusedError.js';
import { readIfPresent, writeFileAtomically } from '../../files/atomicFile.js';

interface KeptAnswer {
  /** SHA-256 of all that the request asked for. */
  readonly request: string;
  readonly answer: unknown;
}

/**
 * Answers to requests that carried an idempotency key, kept beside the workspace, so that a client which did not hear the
 * answer can ask again, also after a restart, and nothing is done twice.
 */
export class IdempotencyKeys {
  readonly #folder: string;
  readonly #atWork = new Set<string>();

  constructor(workspace: string) {
    this.#folder = path.join(workspace, 'idempotency');
  }

  /**
   * Does something once for a key.
   *
   * @param request digest of all that was asked for
   * @returns the answer, and whether it was kept from before
   * @throws RequestRefusedError when the key came with another request before, or its first request is still at work
   */
  async once<T>(key: string, request: string, act: () => Promise<T>): Promise<{ answer: T; replayed: boolean }> {
    const name = sha256Hex(key);
    if (this.#atWork.has(name)) throw conflict('its first request is still at work: ask again later');
    this.#atWork.add(name);
    try {
      const file = path.join(this.#folder, `${name}.json`);
      const kept = await readIfPresent(file);
      if (kept !== undefined) {
        const { request: first, answer } = JSON.parse(kept.toString()) as KeptAnswer;
        if (first !== request) throw conflict('it came with another request before: a key belongs to one request');
        return { answer: answer as T, replayed: true };
      }
      const answer = await act();
      await mkdir(this.#folder, { recursive: true });
      await writeFileAtomically(file, `${JSON.stringify({ request, answer } satisfies KeptAnswer)}\n`);
      return { answer, replayed: false };
    } finally {
      this.#atWork.delete(name);
    }
  }
}

function conflict(reason: string): RequestRefusedError {
  return new RequestRefusedError({
    code: 'ASOF_IDEMPOTENCY_CONFLICT',
    status: 409,
    message: `Idempotency-Key: ${reason}`,
  });
}
