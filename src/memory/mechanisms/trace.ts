import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import {
  CandidateScores,
  type MechanismContext,
  type MechanismInput,
  type MechanismOutput,
  type MemoryMechanism,
} from './mechanism.js';

/** `max`: memory divided by its largest value, so that it weighs as much as base rank 1; `none`: as it comes. */
export type TraceNormalise = 'max' | 'none';

export interface TraceOptions {
  /** w, the weight of memory against the base list; default 1. */
  readonly weight?: number;
  readonly normalise?: TraceNormalise;
}

/**
 * Behaviour-only trace memory (PIT Discovery equation in section 5.2): an asset that similar earlier requests were shown
 * high up gains
 *
 *     u_i(a) = sum over selected j of s_ij^2 / log2(r_ja + 2)
 *
 * with r_ja the 0-based rank of asset a in trace j, over its top d. Score = 1/base rank + w * u_i(a) / max u_i.
 */
export class TraceMechanism implements MemoryMechanism {
  readonly name = 'trace';
  readonly version = '1';
  readonly usesGold = false;
  readonly reads = 'behaviour';
  readonly parameters: Readonly<Record<string, number | string>>;
  readonly #weight: number;
  readonly #normalise: TraceNormalise;
  readonly #context: MechanismContext;
  readonly #candidates: CandidateScores;
  /** [d] log2(rank + 2) for a 0-based rank; divided by, not multiplied with, so that the formula holds to the last bit. */
  readonly #discounts: Float64Array;

  /** @throws InvalidArgumentError when the weight is negative or not finite */
  constructor(context: MechanismContext, options: TraceOptions = {}) {
    const { weight = 1, normalise = 'max' } = options;
    if (!(weight >= 0 && Number.isFinite(weight))) {
      throw new InvalidArgumentError({
        argument: 'trace.weight',
        value: weight,
        expected: 'a finite number, 0 or more',
      });
    }
    this.#weight = weight;
    this.#normalise = normalise;
    this.#context = context;
    this.parameters = { weight, normalise };
    this.#candidates = new CandidateScores(context.idOrder);
    this.#discounts = Float64Array.from({ length: context.traceDepth }, (_, rank) => Math.log2(rank + 2));
  }

  rank(input: MechanismInput, output: MechanismOutput): void {
    const { traces, traceDepth } = this.#context;
    const discounts = this.#discounts;
    const candidates = this.#candidates;
    candidates.begin(input.baseRows);
    for (let k = 0; k < input.entryCount; k++) {
      const request = input.entryRequests[k]!;
      const similarity = input.entrySimilarities[k]!;
      const squared = similarity * similarity;
      const start = request * traces.depth;
      const shown = Math.min(traceDepth, traces.lengths[request]!);
      for (let rank = 0; rank < shown; rank++) {
        const row = traces.rows[start + rank]!;
        if (row < input.visibleRows) candidates.add(row, squared / discounts[rank]!);
      }
    }
    const largest = this.#normalise === 'max' ? candidates.largest : 1;
    candidates.rank(largest > 0 ? this.#weight / largest : 0, output);
  }
}
