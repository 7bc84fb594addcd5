import type { InvalidInputError } from '../errors/InvalidInputError.js';

/**
 * Why a record was left out, where leaving out is allowed:
 * - `malformed`: no JSON object, or a field that is not what its format says
 * - `duplicateAsset`, `duplicateRequest`: its id came before; the first one stays
 * - `requestWithoutText`, `emptyProduct`
 * - `unknownGold`: a gold id that no asset has; the whole request goes, since its product could never be complete
 * - `unknownDependency`: it depends on a request that is not there, or that was left out itself
 * - `unjudged`: a query that the judgements of its split do not name; never an error, since a file of queries serves
 *   every split
 */
export type DropReason =
  | 'malformed'
  | 'duplicateAsset'
  | 'duplicateRequest'
  | 'requestWithoutText'
  | 'emptyProduct'
  | 'unknownGold'
  | 'unknownDependency'
  | 'unjudged';

/** How many records were left out, by reason. */
export type DroppedCounts = Record<DropReason, number>;

export function noneDropped(): DroppedCounts {
  return {
    malformed: 0,
    duplicateAsset: 0,
    duplicateRequest: 0,
    requestWithoutText: 0,
    emptyProduct: 0,
    unknownGold: 0,
    unknownDependency: 0,
    unjudged: 0,
  };
}

/** What to do with a record that cannot be used: throw the error, or count it and go on. */
export type Reject = (reason: DropReason, error: InvalidInputError) => void;

export const rejectByThrowing: Reject = (_reason, error) => {
  throw error;
};
