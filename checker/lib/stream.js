import { canonicalJson, hex, prefixRoots } from './hashing.js';
import { randomOrder } from './random.js';
import { layout, readTable } from './read.js';

/**
 * A stream: its order, its clocks, what each event depends on, its anchors, and the stored proofs.
 * @returns undefined where the order is none
 */
export async function checkStream(folder, manifest, entry, domain, report) {
  const { experiment } = manifest;
  const { label, seed, kind } = entry;
  const where = `${domain.name}, stream ${label}/${seed}`;
  const { requests } = domain;
  const table = await readTable(folder, layout.stream(domain.name, label, seed));
  const order = table.map(({ request }) => request);
  const isOrder =
    order.length === requests.length && new Set(order).size === order.length && order.every((r) => requests[r]);
  if (!report.holds('stream', isOrder, where, 'requests repeated or left out', 'each request once')) return undefined;

  const clock = kind === 'natural' ? 'recorded' : 'position';
  report.equal('stream', `${where}: clock`, entry.clock, clock);
  report.equal('stream', `${where}: usesGold`, entry.usesGold, kind === 'gold-overlap');
  report.equal(
    'stream',
    `${where}: hash`,
    entry.hash,
    hex(order.map((request) => `${requests[request].id}\n`).join('')),
  );
  const again = orderAgain(entry, requests);
  if (again) report.equal('stream', `${where}: order made again`, order, again);

  const time = (column) => order.map((request, i) => (clock === 'recorded' ? requests[request][column] : i));
  const observedAt = time('observed_at');
  const feedbackAt = time('feedback_at');
  report.equal(
    'stream',
    `${where}: observed_at`,
    table.map((row) => row.observed_at),
    observedAt,
  );
  report.equal(
    'stream',
    `${where}: feedback_at`,
    table.map((row) => row.feedback_at),
    feedbackAt,
  );

  const newest = { behaviour: closure(order, observedAt, requests), feedback: closure(order, feedbackAt, requests) };
  report.holds('requests', newest.behaviour !== undefined, where, 'requests that depend on one another', 'no cycle');
  if (newest.behaviour === undefined) return undefined;
  const planned = kind === 'natural' ? naturalAnchors(observedAt, experiment) : windowAnchors(order.length, experiment);
  const anchors = planned.filter(({ position }) => {
    const request = order[position];
    return requests[request].product[0] < domain.visibleRows[request];
  });
  report.equal('stream', `${where}: anchors`, entry.anchors, anchors.length);
  report.equal('stream', `${where}: skippedAnchors`, entry.skippedAnchors, planned.length - anchors.length);

  const stored = await readTable(folder, layout.proofs(domain.name, label, seed));
  const proofs = new Map(stored.map((row) => [`${row.retriever}@${row.anchor_position}`, row]));
  report.equal('prefix', `${where}: proofs`, stored.length, domain.retrievers.length * anchors.length);
  return {
    entry,
    where,
    order,
    observedAt,
    feedbackAt,
    newest,
    anchors,
    proofs,
    memorySizes: memorySizes(observedAt, anchors),
  };
}

/** The event log of a stream under a retriever: its root, and the roots of the memory before each anchor. */
export function eventLog({ order, observedAt, feedbackAt, memorySizes }, domain, retriever, traceDepth) {
  const entries = order.map((request, position) => {
    const dependsOn = domain.requests[request].depends_on.map((other) => domain.requests[other].id);
    return canonicalJson({
      position,
      request: domain.requests[request].id,
      query: domain.vectorHashes[request],
      trace: retriever.listHashes[request],
      depth: traceDepth,
      observedAt: observedAt[position],
      feedbackAt: feedbackAt[position],
      dependsOn: dependsOn.length > 0 ? dependsOn : undefined,
      recipe: 'asof-event/1',
    });
  });
  const roots = prefixRoots(entries, [entries.length, ...memorySizes]);
  return { size: entries.length, root: roots.get(entries.length), roots };
}

/** The order from its seed, where the files allow; a semantic stream and a stress stream are left to `asof audit`. */
function orderAgain({ kind, seed }, requests) {
  if (kind === 'random') return randomOrder(requests.length, seed);
  if (kind !== 'natural') return undefined;
  return [...requests.keys()].sort((a, b) => requests[a].observed_at - requests[b].observed_at || a - b);
}

/**
 * Newest time among each event and all that it depends on, directly or through others (max over ancestors of o(e)), by
 * position; undefined where events depend on one another in a cycle.
 */
function closure(order, times, requests) {
  const newest = new Array(requests.length);
  const waiting = requests.map(({ depends_on }) => new Set(depends_on).size);
  const dependents = requests.map(() => []);
  for (const [request, { depends_on }] of requests.entries()) {
    for (const other of new Set(depends_on)) dependents[other].push(request);
  }
  for (const [position, request] of order.entries()) newest[request] = times[position];
  const ready = [...requests.keys()].filter((request) => waiting[request] === 0);
  for (const request of ready) {
    for (const dependent of dependents[request]) {
      newest[dependent] = Math.max(newest[dependent], newest[request]);
      if (--waiting[dependent] === 0) ready.push(dependent);
    }
  }
  return ready.length === requests.length ? order.map((request) => newest[request]) : undefined;
}

/** Windows of `anchorsPerWindow` positions around 20, 40, 60 and 80% of the stream. */
function windowAnchors(size, { anchorsPerWindow: width }) {
  return [20, 40, 60, 80].flatMap((percent, window) => {
    const start = Math.round((size * percent) / 100) - Math.floor(width / 2);
    return Array.from({ length: width }, (_, k) => ({ position: start + k, quartile: window + 1 }));
  });
}

/** Positions with enough events observed strictly before, and enough positions after. */
function naturalAnchors(observedAt, { naturalMinimum, capacity }) {
  const minimum = naturalMinimum || capacity;
  const size = observedAt.length;
  const before = memorySizes(
    observedAt,
    [...observedAt.keys()].map((position) => ({ position })),
  );
  return [...observedAt.keys()]
    .filter((position) => before[position] >= minimum && size - 1 - position >= minimum)
    .map((position) => ({ position, quartile: Math.floor((4 * position) / size) + 1 }));
}

/** Events observed strictly before each anchor: observation times ascend, so they are a prefix. */
function memorySizes(observedAt, anchors) {
  let size = 0;
  return anchors.map(({ position }) => {
    while (observedAt[size] < observedAt[position]) size++;
    return size;
  });
}
