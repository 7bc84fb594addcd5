import { type InputLocation, InvalidInputError } from '../errors/InvalidInputError.js';
import { formatInstant } from '../time/formatInstant.js';
import { type Corpus, compareCodeUnits } from './corpus.js';
import { type DropReason, type Reject, rejectByThrowing } from './dropped.js';
import type { Products } from './products.js';
import type { RequestRecord, Requests } from './request.js';
import { dropUnresolvable, resolveDependencies } from './requestDependencies.js';

export interface BuildRequestsOptions {
  /** Where record `index` came from, for messages. Its row in `requests` by default. */
  locate?: (index: number) => InputLocation;
  /** What to do with a record that cannot be used. It throws by default. */
  reject?: Reject;
}

/** Requests without labels, and the labels apart. */
export interface SplitRequests {
  readonly requests: Requests;
  readonly products: Products;
  /** [size] index of each request among the records that it was built from. */
  readonly sources: Uint32Array;
}

/**
 * Splits records into requests, in id order, and their products, as corpus rows. The order of the records does not
 * matter, except that of two with one id the first is kept. A gold id named twice counts once: a product is a set.
 *
 * @throws InvalidInputError, unless `reject` decides otherwise, for a request without text, an id that came before, an
 * empty product, a gold id that no asset has, feedback that precedes its request, or a dependency that cannot be followed
 */
export function buildRequests(
  records: readonly RequestRecord[],
  corpus: Corpus,
  options: BuildRequestsOptions = {},
): SplitRequests {
  const locate = options.locate ?? ((index: number) => ({ file: 'requests', row: index + 1 }));
  const reject = options.reject ?? rejectByThrowing;
  const productRows: Uint32Array[] = [];
  const kept: number[] = [];
  const firstWithId = new Map<string, number>();
  for (const [index, record] of records.entries()) {
    const fault = findFault(record, corpus, firstWithId.get(record.id), locate);
    if (fault === undefined) {
      firstWithId.set(record.id, index);
      kept.push(index);
      productRows[index] = Uint32Array.from(new Set(record.gold.map((id) => corpus.rowOf(id)!))).sort();
    } else {
      const { field, value, expected } = fault;
      reject(fault.reason, new InvalidInputError({ location: { ...locate(index), field }, value, expected }));
    }
  }
  const resolved = dropUnresolvable(records, kept, locate, reject);
  resolved.sort((a, b) => compareCodeUnits(records[a]!.id, records[b]!.id));

  const size = resolved.length;
  const observedAt = new Float64Array(size);
  const feedbackAt = new Float64Array(size);
  const offsets = new Uint32Array(size + 1);
  for (const [row, index] of resolved.entries()) {
    const record = records[index]!;
    observedAt[row] = record.observedAt ?? Number.NaN;
    feedbackAt[row] = record.feedbackAt ?? observedAt[row]!;
    offsets[row + 1] = offsets[row]! + productRows[index]!.length;
  }
  const rows = new Uint32Array(offsets[size]!);
  for (const [row, index] of resolved.entries()) rows.set(productRows[index]!, offsets[row]!);
  const requests = {
    size,
    ids: resolved.map((index) => records[index]!.id),
    texts: resolved.map((index) => records[index]!.text),
    observedAt,
    feedbackAt,
    dependsOn: resolveDependencies(records, resolved),
  };
  return { requests, products: { offsets, rows }, sources: Uint32Array.from(resolved) };
}

interface Fault {
  reason: DropReason;
  field: string;
  value: unknown;
  expected: string;
}

function findFault(
  record: RequestRecord,
  corpus: Corpus,
  earlier: number | undefined,
  locate: (index: number) => InputLocation,
): Fault | undefined {
  const { id, text, gold, observedAt, feedbackAt } = record;
  const subject = `of request ${JSON.stringify(id)}`;
  if (earlier !== undefined) {
    const { file, line, row } = locate(earlier);
    const place = line === undefined ? `${file} row ${row}` : `${file}:${line}`;
    const expected = `an id that no other request has (first at ${place})`;
    return { reason: 'duplicateRequest', field: 'id', value: id, expected };
  }
  if (text.trim() === '') {
    return { reason: 'requestWithoutText', field: 'text', value: text, expected: `the text ${subject}` };
  }
  if (feedbackAt !== undefined && (observedAt === undefined || feedbackAt < observedAt)) {
    const after =
      observedAt === undefined ? 'feedback only beside observedAt' : `no earlier than ${formatInstant(observedAt)}`;
    const value = formatInstant(feedbackAt);
    return { reason: 'malformed', field: 'feedbackAt', value, expected: `${after} ${subject}` };
  }
  if (gold.length === 0) {
    return {
      reason: 'emptyProduct',
      field: 'gold',
      value: gold,
      expected: `at least one asset in the product ${subject}`,
    };
  }
  const unknown = gold.findIndex((asset) => corpus.rowOf(asset) === undefined);
  if (unknown !== -1) {
    const expected = `the id of an asset in the corpus, in the product ${subject}`;
    return { reason: 'unknownGold', field: `gold[${unknown}]`, value: gold[unknown], expected };
  }
  return undefined;
}
