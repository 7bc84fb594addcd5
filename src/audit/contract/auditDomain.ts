import { sha256Hex } from '../../commitment/sha256.js';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { type Products, productOf } from '../../corpus/products.js';
import type { CommittedRequests } from '../../replay/commitments.js';
import type { DomainParts, ReplayDomain } from '../../replay/domain/domain.js';
import type { Experiment } from '../../replay/experiment/experiment.js';
import { compareRanked, type RankedBlock, rankedRows, rankedScores } from '../../retrieval/ranking.js';
import type { TextVectors } from '../../retrieval/vectors.js';
import { describeDomain } from '../describeRun.js';
import type { ManifestDomain } from '../manifest.js';
import type { DomainArtefacts } from './artefacts.js';
import type { Check, CheckName, Checks } from './check.js';
import { clockText } from './clockText.js';
import { compareJson } from './compareJson.js';
import { isDatable } from './recomputeDomain.js';

/** Where the parts of the manifest's account of a domain belong; streams and shards are compared one by one. */
const checkOf: Partial<Record<keyof ManifestDomain, CheckName>> = {
  name: 'description',
  assets: 'corpus',
  assetsByType: 'types',
  requests: 'requests',
  meanProductSize: 'requests',
  corpus: 'corpus',
  types: 'types',
  requestsHash: 'requests',
  products: 'requests',
};

/** Compares what all streams of a domain share with the manifest, and the files with one another. */
export function auditDomain(
  recorded: ManifestDomain,
  domain: ReplayDomain,
  artefacts: DomainArtefacts,
  experiment: Experiment,
  redacted: boolean,
  checks: Checks,
): void {
  const described = describeDomain({ domain, streams: [], shards: [] });
  for (const [member, check] of Object.entries(checkOf) as [keyof typeof described, CheckName][]) {
    compareJson(checks[check], `${recorded.name}: manifest, ${member}`, recorded[member], described[member]);
  }
  const { vectors, model, ...similarity } = recorded.similarity;
  compareJson(checks.description, `${recorded.name}: manifest, similarity`, vectors, described.similarity.vectors);
  compareJson(checks.model, `${recorded.name}: manifest, similarity`, model, described.similarity.model);
  checks.description.holds(
    similarity.id !== '' && similarity.hash !== '',
    () => `${recorded.name}: manifest, similarity`,
    () => similarity.id,
    () => 'a name and a hash',
  );
  for (const [i, retriever] of recorded.retrievers.entries()) {
    const where = `${recorded.name}: manifest, retriever ${retriever.label}`;
    const expected = described.retrievers[i]!;
    checks.index.equal(() => where, retriever.index, expected.index);
    checks.index.equal(() => where, retriever.emptyLists, expected.emptyLists);
    checks.model.equal(() => where, retriever.model, expected.model);
  }
  auditCorpusOrder(recorded.name, domain.assets, checks.corpus);
  auditTexts(recorded.name, artefacts, redacted, checks.requests);
  auditSnapshots(recorded.name, domain, artefacts, experiment, checks);
  for (const { label, base } of domain.retrievers) {
    auditBaseLists(`${recorded.name}, ${label}`, base, domain, experiment.baseDepth, checks.index);
  }
}

/**
 * What makes the files of a domain unusable for the recomputation of rows: indices that lead nowhere, lists out of order.
 * @returns undefined where there is nothing, else which check it violates, where, and what was found and expected
 */
export function domainFault(
  artefacts: DomainArtefacts,
): { check: CheckName; where: string; found: string; expected: string } | undefined {
  const { requests, products, vectors, bases, assets } = artefacts;
  const size = requests.ids.length;
  const rows = assets.ids.length;
  const product = faultyProduct(products, size, rows);
  if (product !== undefined) {
    const found = productOf(products, product).join(', ');
    return { check: 'requests', where: `product of request ${product}`, found, expected: 'ascending corpus rows' };
  }
  if (requests.dependsOn.requests.some((dependency) => dependency >= size)) {
    return {
      check: 'requests',
      where: 'depends_on',
      found: 'a request that is not there',
      expected: 'request indices',
    };
  }
  const vector = faultyVectors(vectors, size);
  if (vector !== undefined)
    return { check: 'eventLog', where: 'vectors', found: vector, expected: 'one for each request' };
  for (const [label, base] of bases) {
    const outside = base.lengths.length !== size || base.rows.some((row) => row >= rows);
    if (outside) {
      const found = `${base.lengths.length} lists, rows up to ${base.rows.reduce((most, row) => Math.max(most, row), 0)}`;
      return {
        check: 'index',
        where: `base lists of ${label}`,
        found,
        expected: `${size} lists of rows below ${rows}`,
      };
    }
  }
  return undefined;
}

function faultyProduct({ offsets, rows }: Products, requests: number, assets: number): number | undefined {
  if (offsets.length !== requests + 1) return Math.min(offsets.length - 1, requests - 1);
  for (let request = 0; request < requests; request++) {
    const product = rows.subarray(offsets[request]!, offsets[request + 1]!);
    if (product.length === 0 || product.some((row, i) => row >= assets || (i > 0 && row <= product[i - 1]!))) {
      return request;
    }
  }
  return undefined;
}

function faultyVectors(vectors: TextVectors, requests: number): string | undefined {
  if (vectors.kind === 'dense') {
    const { dimension, values } = vectors;
    return values.length === requests * dimension && values.every((value) => Number.isFinite(value))
      ? undefined
      : `${values.length} numbers of ${requests} vectors of ${dimension}`;
  }
  const { offsets, terms, weights } = vectors;
  if (terms.length !== weights.length) return `${terms.length} terms with ${weights.length} weights`;
  for (let request = 0; request < requests; request++) {
    for (let at = offsets[request]!; at < offsets[request + 1]!; at++) {
      if (!(weights[at]! > 0 && Number.isFinite(weights[at]!))) return `weight ${weights[at]} of request ${request}`;
      if (at > offsets[request]! && terms[at]! <= terms[at - 1]!) return `terms of request ${request} out of order`;
    }
  }
  return undefined;
}

/** A snapshot is a prefix only of rows in availability order, ties by id. */
function auditCorpusOrder(name: string, { ids, availableAt }: DomainParts['assets'], check: Check): void {
  for (let row = 1; row < ids.length; row++) {
    const [before, at] = [availableAt[row - 1]!, availableAt[row]!];
    check.holds(
      before < at || (before === at && compareCodeUnits(ids[row - 1]!, ids[row]!) < 0),
      () => `${name}: assets.parquet, row ${row}`,
      () => `${ids[row - 1]} at ${clockText('recorded', before)} before ${ids[row]} at ${clockText('recorded', at)}`,
      () => 'assets by availability, then id',
    );
  }
}

function auditTexts(
  name: string,
  { requests, texts }: { readonly requests: CommittedRequests; readonly texts: readonly (string | null)[] },
  redacted: boolean,
  check: Check,
): void {
  for (const [request, id] of requests.ids.entries()) {
    const where = () => `${name}: requests.parquet, request ${id}`;
    const text = texts[request]!;
    check.equal(where, text === null, redacted);
    if (text !== null) check.equal(where, sha256Hex(text), requests.textHashes[request]);
    check.holds(
      request === 0 || compareCodeUnits(requests.ids[request - 1]!, id) < 0,
      where,
      () => `after ${requests.ids[request - 1]}`,
      () => 'requests by id, each once',
    );
  }
}

function auditSnapshots(
  name: string,
  { visibleRows, requests }: ReplayDomain,
  artefacts: DomainArtefacts,
  experiment: Experiment,
  { corpus, requests: check }: Checks,
): void {
  const datable = isDatable(artefacts, experiment);
  check.equal(() => `${name}: requests.parquet, every request has a time`, datable, true);
  for (const [request, id] of requests.ids.entries()) {
    const where = () => `${name}: requests.parquet, snapshot of request ${id}`;
    corpus.equal(where, artefacts.snapshots[request], visibleRows[request]);
  }
}

/** Base lists as a retriever would leave them: best first by the one comparator, within the snapshot, each row once. */
function auditBaseLists(
  where: string,
  base: RankedBlock,
  { assets, visibleRows, requests }: ReplayDomain,
  depth: number,
  check: Check,
): void {
  const { idOrder } = assets;
  for (const [request, id] of requests.ids.entries()) {
    const rows = rankedRows(base, request);
    const scores = rankedScores(base, request);
    let fault = new Set(rows).size === rows.length && rows.length <= depth ? -1 : rows.length;
    for (let k = 0; k < rows.length && fault < 0; k++) {
      const inOrder =
        k === 0 || compareRanked(scores[k - 1]!, idOrder[rows[k - 1]!]!, scores[k]!, idOrder[rows[k]!]!) < 0;
      if (!inOrder || !Number.isFinite(scores[k]!) || rows[k]! >= visibleRows[request]!) fault = k;
    }
    check.holds(
      fault < 0,
      () => `${where}: base list of request ${id}`,
      () => `row ${rows[fault] ?? 'twice'} at rank ${fault + 1}`,
      () => `rows of the first ${visibleRows[request]}, best first`,
    );
  }
}
