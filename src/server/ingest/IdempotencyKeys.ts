import { rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { sha256Hex } from '../../commitment/sha256.js';
import { RequestRefusedError } from '../../errors/RequestRefusedError.js';
import { namesIfPresent, readIfPresent, writeFileAtomically } from '../../files/atomicFile.js';
import { inWorkspace, workspaceLayout } from '../../store/workspace/layout.js';
import { type Instant, millisecondsPerDay, millisecondsPerHour } from '../../time/instant.js';

interface KeptAnswer {
  /** SHA-256 of all that the request asked for. */
  readonly request: string;
  readonly answer: unknown;
}

/** Milliseconds that an answer is kept at least. */
const keptFor = 7 * millisecondsPerDay;
/** Milliseconds between two looks for answers that are older. */
const pruneEvery = millisecondsPerHour;

/**
 * Answers to requests that carried an idempotency key, kept beside the workspace, so that a client which did not hear the
 * answer can ask again, also after a restart, and nothing is done twice. Answers of more than a week ago are forgotten, at
 * the next request with a key.
 */
export class IdempotencyKeys {
  readonly #workspace: string;
  readonly #now: () => Instant;
  readonly #atWork = new Set<string>();
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(workspace: string, now: () => Instant) {
    this.#workspace = workspace;
    this.#now = now;
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
      const file = inWorkspace(this.#workspace, workspaceLayout.idempotentAnswer(name));
      // No answer is the worse for what could not be pruned.
      await this.#prune().catch(() => undefined);
      const kept = await readIfPresent(file);
      if (kept !== undefined) {
        const { request: first, answer } = JSON.parse(kept.toString()) as KeptAnswer;
        if (first !== request) throw conflict('it came with another request before: a key belongs to one request');
        return { answer: answer as T, replayed: true };
      }
      const answer = await act();
      await writeFileAtomically(file, `${JSON.stringify({ request, answer } satisfies KeptAnswer)}\n`);
      // Its age is by the clock of the server.
      const seconds = this.#now() / 1000;
      await utimes(file, seconds, seconds).catch(() => undefined);
      return { answer, replayed: false };
    } finally {
      this.#atWork.delete(name);
    }
  }

  async #prune(): Promise<void> {
    const now = this.#now();
    if (now - this.#prunedAt < pruneEvery) return;
    this.#prunedAt = now;
    const folder = inWorkspace(this.#workspace, workspaceLayout.idempotency);
    for (const name of await namesIfPresent(folder)) {
      const file = path.join(folder, name);
      if (now - (await stat(file)).mtimeMs > keptFor) await rm(file, { force: true });
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
