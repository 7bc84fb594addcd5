import { type InputLocation, InvalidInputError } from '../../errors/InvalidInputError.js';
import type { Asset } from '../asset.js';
import { type DroppedCounts, noneDropped, type Reject } from '../dropped.js';
import type { RequestRecord } from '../request.js';
import type { JsonRecord } from './jsonRecords.js';
import { isBlank, type LineBatch } from './lines.js';
import type { RecordFields } from './recordFields.js';

/**
 * Takes the records that a reader finds. It is the one place that decides what happens to a record that cannot be used:
 * by default the first one ends the reading; with `skipInvalid` each is left out and counted by reason.
 */
export class RecordSink {
  readonly assets: Asset[] = [];
  readonly requests: RequestRecord[] = [];
  readonly dropped: DroppedCounts = noneDropped();
  readonly reject: Reject;
  readonly #assetLocations = new Map<string, InputLocation>();
  readonly #requestLocations: InputLocation[] = [];

  constructor(options: { skipInvalid?: boolean | undefined } = {}) {
    this.reject = (reason, error) => {
      if (!options.skipInvalid) throw error;
      this.dropped[reason]++;
    };
  }

  /** Where a request came from, by its index in `requests`. */
  readonly locateRequest = (index: number): InputLocation => this.#requestLocations[index]!;

  hasAsset(id: string): boolean {
    return this.#assetLocations.has(id);
  }

  addAsset(asset: Asset, location: InputLocation): void {
    const first = this.#assetLocations.get(asset.id);
    if (first !== undefined) {
      const expected = `an id that no other asset has (first at ${first.file}:${first.line})`;
      const error = new InvalidInputError({ location: { ...location, field: 'id' }, value: asset.id, expected });
      this.reject('duplicateAsset', error);
      return;
    }
    this.#assetLocations.set(asset.id, location);
    this.assets.push(asset);
  }

  addRequest(request: RequestRecord, location: InputLocation): void {
    this.requests.push(request);
    this.#requestLocations.push(location);
  }

  /** Runs `use`; a fault of the input that it throws counts as a malformed record. */
  attempt(use: () => void): void {
    try {
      use();
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      this.reject('malformed', error);
    }
  }

  /** Counts a query that no judgement names. */
  passOverUnjudged(): void {
    this.dropped.unjudged++;
  }

  /** Hands each line that is not blank to `use`, in order; what `use` rejects is malformed. */
  async takeLines(
    batches: AsyncIterable<LineBatch>,
    file: string,
    use: (text: string, location: InputLocation) => void,
  ): Promise<void> {
    for await (const { firstLine, lines } of batches) {
      for (const [index, text] of lines.entries()) {
        if (!isBlank(text)) this.attempt(() => use(text, { file, line: firstLine + index }));
      }
    }
  }

  /** Hands each record of a JSON file to `use`, in order; what is no record, or what `use` rejects, is malformed. */
  async takeRecords(batches: AsyncIterable<readonly JsonRecord[]>, use: (fields: RecordFields) => void): Promise<void> {
    for await (const batch of batches) {
      for (const record of batch) {
        if ('fault' in record) this.reject('malformed', record.fault);
        else this.attempt(() => use(record.fields));
      }
    }
  }
}
