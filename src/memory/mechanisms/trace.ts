import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { rankedRows } from '../../retrieval/ranking.js';
import {
  CandidateScores,
  type MechanismContext,
  type MechanismInput,
  type MechanismOutput,
  type MemoryMechanism,
  type ViewsInput,
} from './mechanism.js';
import { ViewScores } from './ViewScores.js';

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
  #views: ViewScores | undefined;

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
    const candidates = this.#candidates;
    candidates.begin(input.baseRows);
    for (let k = 0; k < input.entryCount; k++) {
      const similarity = input.entrySimilarities[k]!;
      const trace = rankedRows(traces, input.entryRequests[k]!);
      const shown = Math.min(traceDepth, trace.length);
      candidates.addList(trace, shown, similarity * similarity, this.#discounts, input.visibleRows);
    }
    const largest = candidates.collect();
    candidates.rank(this.#scaleOf(largest), largest, output);
  }

  rankViews(input: ViewsInput, outputs: readonly MechanismOutput[]): void {
    const { traces, traceDepth, idOrder } = this.#context;
    this.#views ??= new ViewScores(idOrder, this.#discounts);
    const views = this.#views;
    views.begin(input.baseRows, input.entryCount);
    for (let k = 0; k < input.entryCount; k++) {
      const similarity = input.entrySimilarities[k]!;
      const trace = rankedRows(traces, input.entryRequests[k]!);
      const shown = Math.min(traceDepth, trace.length);
      views.addList(trace, shown, similarity * similarity, input.entryViews[k]!, input.visibleRows);
    }
    const largest = views.collect();
    for (const [view, output] of outputs.entries()) {
      views.rank(view, this.#scaleOf(largest[view]!), largest[view]!, output);
    }
  }

  /** What memory is multiplied with, given its largest value. */
  #scaleOf(largest: number): number {
    if (this.#normalise === 'none') return this.#weight;
    return largest > 0 ? this.#weight / largest : 0;
  }
}
