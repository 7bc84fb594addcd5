import { bytesOf, canonicalJson, hex, prefixRoots } from './hashing.js';
import { layout, readTable } from './read.js';

/**
 * The files of a domain that all its streams share, checked against the manifest and against one another.
 * @returns the domain, or undefined where rows cannot be recomputed from such files
 */
export async function checkDomain(folder, manifest, recorded, report) {
  const { experiment, redacted } = manifest;
  const { name } = recorded;
  const assets = await readTable(folder, layout.assets(name));
  const requests = await readTable(folder, layout.requests(name));
  const bases = new Map();
  for (const { label } of recorded.retrievers) bases.set(label, await readTable(folder, layout.base(name, label)));
  if (!isUsable(name, { assets, requests, bases }, report)) return undefined;

  checkAssets(name, assets, recorded, report);
  const typeNames = [...new Set(assets.map(({ type }) => type))].sort(byCodeUnits);
  const visibleRows = snapshots(name, assets, requests, experiment, report);
  const assetEntries = assets.map((asset) =>
    canonicalJson({
      id: asset.id,
      type: asset.type,
      availableAt: asset.available_at,
      eventAt: asset.event_at,
      text: asset.text_sha256,
    }),
  );
  const snapshotRoots = prefixRoots(assetEntries, [assets.length, ...visibleRows]);
  const hashes = {
    corpus: snapshotRoots.get(assets.length),
    types: hex(
      canonicalJson(typeNames),
      bytesOf(
        assets.map(({ type }) => typeNames.indexOf(type)),
        2,
      ),
    ),
    requests: hex(requests.map((request) => canonicalJson(requestEntry(request, requests))).join('')),
  };
  report.equal('corpus', `${name}: manifest, corpus`, recorded.corpus, { size: assets.length, root: hashes.corpus });
  report.equal('types', `${name}: manifest, types`, recorded.types, hashes.types);
  report.equal('requests', `${name}: manifest, requestsHash`, recorded.requestsHash, hashes.requests);
  checkRequests(name, requests, recorded, redacted, report);

  const idOrder = new Uint32Array(assets.length);
  const ids = assets.map(({ id }) => id);
  for (const [rank, row] of [...ids.keys()].sort((a, b) => byCodeUnits(ids[a], ids[b])).entries()) idOrder[row] = rank;
  const retrievers = recorded.retrievers.map((retriever) => {
    const base = bases.get(retriever.label);
    const where = `${name}, ${retriever.label}`;
    const listHashes = base.map(({ ranked, scores }) => hex(bytesOf(ranked, 4), bytesOf(scores, 'double')));
    const index = hex(`${retriever.hash}\n${listHashes.map((hash) => `${hash}\n`).join('')}`);
    report.equal('index', `${where}: manifest, index`, retriever.index, index);
    const empty = base.filter(({ ranked }) => ranked.length === 0).length;
    report.equal('index', `${where}: manifest, emptyLists`, retriever.emptyLists, empty);
    for (const [request, list] of base.entries()) {
      const fault = listFault(list, idOrder, visibleRows[request], experiment.baseDepth);
      report.holds('index', fault < 0, `${where}: list ${request}`, `rank ${fault + 1}`, 'best first, in the snapshot');
    }
    return { ...retriever, base, listHashes, indexHash: index };
  });
  const vectorHashes = requests.map(({ vector, vector_terms, vector_weights }) =>
    vector ? hex(bytesOf(vector, 'float')) : hex(bytesOf(vector_terms, 4), bytesOf(vector_weights, 'double')),
  );
  return { name, assets, requests, idOrder, visibleRows, snapshotRoots, hashes, retrievers, vectorHashes, typeNames };
}

/** Whether every index leads somewhere, so that nothing below reads past an end. */
function isUsable(name, { assets, requests, bases }, report) {
  const inCorpus = (row) => Number.isInteger(row) && row >= 0 && row < assets.length;
  const usable = (check, condition, what) => report.holds(check, condition, name, what, 'rows and requests that exist');
  const ascending = (rows) =>
    rows.length > 0 && rows.every((row, i) => inCorpus(row) && (i === 0 || row > rows[i - 1]));
  const known = ({ depends_on }) => depends_on.every((request) => request >= 0 && request < requests.length);
  const isVector = ({ vector, vector_terms: terms, vector_weights: weights }) =>
    vector
      ? vector.every(Number.isFinite)
      : terms.length === weights.length &&
        terms.every((term, i) => i === 0 || term > terms[i - 1]) &&
        weights.every((weight) => weight > 0 && Number.isFinite(weight));
  const listed = (base) =>
    base.length === requests.length &&
    base.every(({ ranked, scores }) => ranked.length === scores.length && ranked.every(inCorpus));
  return [
    usable(
      'requests',
      requests.every(({ product }) => ascending(product)),
      'a product',
    ),
    usable('requests', requests.every(known), 'depends_on'),
    usable('eventLog', requests.every(isVector), 'a query vector'),
    ...[...bases].map(([label, base]) => usable('index', listed(base), `base lists of ${label}`)),
  ].every(Boolean);
}

function checkAssets(name, assets, recorded, report) {
  report.equal('corpus', `${name}: manifest, assets`, recorded.assets, assets.length);
  const counts = {};
  for (const { type } of assets) counts[type] = (counts[type] ?? 0) + 1;
  report.equal('types', `${name}: manifest, assetsByType`, recorded.assetsByType, counts);
  for (let row = 1; row < assets.length; row++) {
    const [a, b] = [assets[row - 1], assets[row]];
    const [before, at] = [a.available_at ?? -Infinity, b.available_at ?? -Infinity];
    const inOrder = before < at || (before === at && a.id < b.id);
    report.holds(
      'corpus',
      inOrder,
      `${name}: assets.parquet, row ${row}`,
      `${a.id} before ${b.id}`,
      'availability order',
    );
  }
}

function checkRequests(name, requests, recorded, redacted, report) {
  report.equal('requests', `${name}: manifest, requests`, recorded.requests, requests.length);
  const products = requests.map(({ product }) => product);
  const offsets = [0];
  for (const product of products) offsets.push(offsets.at(-1) + product.length);
  const hash = hex(bytesOf(offsets, 4), bytesOf(products.flat(), 4));
  report.equal('requests', `${name}: manifest, products`, recorded.products, hash);
  for (const [i, { id, text, text_sha256 }] of requests.entries()) {
    const where = `${name}: request ${id}`;
    report.equal('requests', `${where}: text is kept`, text !== null, !redacted);
    if (text !== null) report.equal('requests', `${where}: text`, hex(text), text_sha256);
    report.holds(
      'requests',
      i === 0 || requests[i - 1].id < id,
      where,
      requests[i - 1]?.id,
      'requests by id, each once',
    );
  }
}

function requestEntry({ id, text_sha256, observed_at, feedback_at, depends_on }, requests) {
  return [id, text_sha256, observed_at, feedback_at, depends_on.map((request) => requests[request].id)];
}

/** Rows of the snapshot D_t at each request: all of a frozen corpus, else what was available at its time. */
function snapshots(name, assets, requests, { corpus }, report) {
  return requests.map(({ id, observed_at, corpus_rows }) => {
    const count =
      corpus === 'frozen' ? assets.length : assets.filter((asset) => !(asset.available_at > observed_at)).length;
    const dated = corpus === 'frozen' || observed_at !== null;
    report.holds('requests', dated, `${name}: request ${id}`, 'no time', 'a time that the corpus is read as of');
    report.equal('corpus', `${name}: snapshot of request ${id}`, corpus_rows, count);
    return count;
  });
}

/** First rank at which a base list is not as a retriever leaves it; -1 where there is none. */
function listFault({ ranked, scores }, idOrder, visible, depth) {
  if (ranked.length > depth || new Set(ranked).size < ranked.length) return ranked.length;
  return ranked.findIndex((row, k) => {
    const worse = k === 0 || scores[k] < scores[k - 1];
    const tied = k > 0 && scores[k] === scores[k - 1] && idOrder[row] > idOrder[ranked[k - 1]];
    return !(Number.isFinite(scores[k]) && row < visible && (worse || tied));
  });
}

function byCodeUnits(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
