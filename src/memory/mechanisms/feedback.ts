import { type Products, productOf } from '../../corpus/products.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import {
  CandidateScores,
  type MechanismContext,
  type MechanismInput,
  type MechanismOutput,
  type MemoryMechanism,
} from './mechanism.js';

export interface FeedbackOptions {
  /** The strongest bonus; default 0.02, the reciprocal score at base rank 50. */
  readonly largestBonus?: number;
}

/**
 * Positive-feedback cache (PIT Discovery section 5.2): the product of a similar earlier request stands in for perfectly
 * observed clicks. An oracle, tagged as such; it asks whether a memory that helps stays vulnerable to the future.
 *
 *     bonus(a) = max over selected j with a in product(j) of s_ij^2, scaled so that the strongest is 0.02
 *
 * Score = 1/base rank + bonus.
 */
export class FeedbackMechanism implements MemoryMechanism {
  readonly name = 'feedback';
  readonly version = '1';
  readonly usesGold = true;
  readonly reads = 'feedback';
  readonly parameters: Readonly<Record<string, number | string>>;
  readonly #largestBonus: number;
  readonly #products: Products;
  readonly #candidates: CandidateScores;

  /** @throws InvalidArgumentError when the bonus is negative or not finite */
  constructor(context: Pick<MechanismContext, 'idOrder'>, products: Products, options: FeedbackOptions = {}) {
    const { largestBonus = 0.02 } = options;
    if (!(largestBonus >= 0 && Number.isFinite(largestBonus))) {
      throw new InvalidArgumentError({
        argument: 'feedback.largestBonus',
        value: largestBonus,
        expected: 'a finite number, 0 or more',
      });
    }
    this.#largestBonus = largestBonus;
    this.#products = products;
    this.parameters = { largestBonus };
    this.#candidates = new CandidateScores(context.idOrder);
  }

  rank(input: MechanismInput, output: MechanismOutput): void {
    const candidates = this.#candidates;
    candidates.begin(input.baseRows);
    for (let k = 0; k < input.entryCount; k++) {
      const similarity = input.entrySimilarities[k]!;
      const clicked = productOf(this.#products, input.entryRequests[k]!);
      for (let c = 0; c < clicked.length; c++) {
        const row = clicked[c]!;
        if (row < input.visibleRows) candidates.raise(row, similarity * similarity);
      }
    }
    const largest = candidates.collect();
    candidates.rank(largest > 0 ? this.#largestBonus / largest : 0, largest, output);
  }
}
