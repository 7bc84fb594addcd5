import { bytesOf, hex, isPrefix } from './hashing.js';
import { candidatesAt, conditionsOf, metricsOf, rank, select, similarityOf } from './memory.js';
import { eventLog } from './stream.js';

/**
 * Checks the rows of a stream, shard by shard in the order of the file, each against what follows from the artefacts.
 * @param next gives the next row of the run, or undefined
 * @param collect takes each anchor's rows, once they are known to be the anchor's
 * @returns false where the rows are not those of the run, so that none after them can be laid beside anything
 */
export async function checkRows(next, manifest, recorded, domain, stream, report, collect) {
  const { experiment } = manifest;
  const conditions = conditionsOf(experiment);
  const similarity = similarityOf(domain.requests);
  const candidates = stream.anchors.map(({ position }) => candidatesAt(position, stream.order, similarity));
  for (const retriever of domain.retrievers) {
    const log = eventLog(stream, domain, retriever, experiment.traceDepth);
    for (const mechanism of manifest.mechanisms) {
      const { label, seed } = stream.entry;
      const shard = recorded.shards.find(
        (each) =>
          each.stream === label &&
          each.seed === seed &&
          each.retriever === retriever.label &&
          each.mechanism === mechanism.label,
      );
      const where = [domain.name, label, seed, retriever.label, mechanism.label].join(' / ');
      const rows = stream.anchors.length * conditions.length;
      if (!report.equal('population', `${where}: manifest, rows`, shard?.rows, rows)) return false;
      report.equal('eventLog', `${where}: manifest`, shard.eventLog, { size: log.size, root: log.root });
      const setting = { manifest, recorded, domain, stream, retriever, mechanism, log, shard, conditions };
      for (const [index, anchor] of stream.anchors.entries()) {
        const group = [];
        for (const condition of conditions) {
          const row = await next();
          const names = [row?.run_id, row?.domain, row?.stream, row?.seed, row?.retriever, row?.mechanism];
          const expected = [manifest.runId, domain.name, label, seed, retriever.label, mechanism.label];
          const found = [...names, row?.anchor_position, row?.condition];
          const inPlace = [...expected, anchor.position, condition.name];
          if (!report.equal('population', `${where}, next row`, found, inPlace)) return false;
          group.push(row);
        }
        checkAnchor(setting, group, index, candidates[index], report);
        collect(group);
      }
    }
  }
  return true;
}

function checkAnchor(setting, rows, index, candidates, report) {
  const { manifest, domain, stream, retriever, mechanism, log, conditions } = setting;
  const { experiment } = manifest;
  const { position } = stream.anchors[index];
  const request = stream.order[position];
  const visible = domain.visibleRows[request];
  const product = domain.requests[request].product.filter((row) => row < visible);
  const clock = stream.observedAt[position];
  const newest = stream.newest[mechanism.reads];
  const context = {
    base: retriever.base,
    requests: domain.requests,
    idOrder: domain.idOrder,
    traceDepth: experiment.traceDepth,
    outputDepth: experiment.outputDepth || experiment.baseDepth,
  };
  const known = new Map();
  for (const [i, condition] of conditions.entries()) {
    const row = rows[i];
    const where = `${domain.name} / ${stream.entry.label} / ${stream.entry.seed} / ${retriever.label} / ${mechanism.label}, anchor ${position}, ${condition.name}`;
    const chosen = select(condition, position, clock, candidates, newest, experiment.capacity);
    const key = chosen.map((entry) => entry.position).join(' ');
    if (!known.has(key)) {
      const entries = chosen.map((entry) => ({ ...entry, request: stream.order[entry.position] }));
      const ranking = rank(mechanism, retriever.base[request].ranked, entries, visible, context);
      const typeOf = (asset) => domain.assets[asset].type;
      known.set(key, { ranking, metrics: metricsOf(manifest.metrics, ranking, product, typeOf) });
    }
    checkIdentity(setting, row, index, condition, where, report);
    checkSelection({ row, where, condition, chosen, newest, clock, position, index }, setting, report);
    const { ranking, metrics } = known.get(key);
    report.equal('ranking', `${where}: ranking`, row.ranking, ranking);
    report.equal('ranking', `${where}: list_length`, row.list_length, row.ranking.length);
    report.equal('ranking', `${where}: ranking_hash`, row.ranking_hash, hex(bytesOf(ranking, 4)));
    for (const name of manifest.metrics) report.equal('metrics', `${where}: ${name}`, row[name], metrics[name]);
  }
  checkPrefixes(rows[0], log, setting, report);
  const [naive, future] = ['Naive', 'Future'].map((name) => rows[conditions.findIndex((each) => each.name === name)]);
  for (const name of ['selected_positions', 'similarities', 'ranking', 'tvr', ...manifest.metrics]) {
    report.equal(
      'control',
      `${domain.name}, anchor ${position}, Naive beside Future: ${name}`,
      naive[name],
      future[name],
    );
  }
}

function checkIdentity(
  { manifest, domain, stream, retriever, mechanism, log, shard },
  row,
  index,
  condition,
  where,
  report,
) {
  const { experiment } = manifest;
  const { position, quartile } = stream.anchors[index];
  const request = stream.order[position];
  const visible = domain.visibleRows[request];
  const expected = {
    population: {
      stream_kind: stream.entry.kind,
      stream_uses_gold: stream.entry.usesGold,
      mechanism_uses_gold: mechanism.usesGold,
      horizon: condition.horizon,
    },
    anchor: {
      request,
      request_id: domain.requests[request].id,
      anchor_clock: stream.observedAt[position],
      quartile,
      corpus_rows: visible,
    },
    budget: {
      trace_depth: experiment.traceDepth,
      capacity: experiment.capacity,
      base_depth: experiment.baseDepth,
      output_depth: experiment.outputDepth || experiment.baseDepth,
    },
    corpus: { corpus_hash: domain.hashes.corpus },
    types: { types_hash: domain.hashes.types },
    requests: { requests_hash: domain.hashes.requests },
    index: { index_hash: retriever.indexHash },
    stream: { stream_hash: stream.entry.hash },
    eventLog: { event_log_hash: log.root },
    prefix: {
      snapshot_hash: domain.snapshotRoots.get(visible),
      memory_events: stream.memorySizes[index],
      memory_hash: log.roots.get(stream.memorySizes[index]),
    },
    model: { model_hash: shard.model },
  };
  for (const [check, columns] of Object.entries(expected)) {
    for (const [column, value] of Object.entries(columns))
      report.equal(check, `${where}: ${column}`, row[column], value);
  }
}

function checkSelection({ row, where, condition, chosen, newest, clock, position, index }, { domain, stream }, report) {
  const positions = row.selected_positions;
  const times = chosen.map((entry) => newest[entry.position]);
  const idAt = (at) => domain.requests[stream.order[at]]?.id;
  report.holds(
    'budget',
    positions.length <= row.capacity,
    where,
    `${positions.length} entries`,
    `at most ${row.capacity}`,
  );
  const expected = {
    selected_positions: chosen.map((entry) => entry.position),
    similarities: chosen.map((entry) => entry.similarity),
    newest_dependency_at: times,
    selected_event_ids: positions.map(idAt),
    selected_observed_at: positions.map((at) => stream.observedAt[at]),
    slots_filled: positions.length,
    selection_hash: hex(
      bytesOf(
        chosen.map((entry) => entry.position),
        4,
      ),
      bytesOf(
        chosen.map((entry) => entry.similarity),
        'double',
      ),
      bytesOf(times, 'double'),
    ),
  };
  for (const [column, value] of Object.entries(expected))
    report.equal('selection', `${where}: ${column}`, row[column], value);
  report.holds('selfExclusion', !positions.includes(position), where, `position ${position}`, 'any other position');
  if (condition.name === 'PIT') {
    for (const [k, at] of positions.entries()) {
      const isPast = Math.max(newest[at], row.newest_dependency_at[k]) < clock && at < stream.memorySizes[index];
      report.holds('eligibility', isPast, where, `position ${at}`, `all that it depends on before ${clock}`);
    }
  }
  const future = positions.filter((at) => !(newest[at] < clock)).length;
  const rate = positions.length === 0 ? 0 : future / positions.length;
  report.equal('violationRate', `${where}: future_slots`, row.future_slots, future);
  report.equal('violationRate', `${where}: tvr`, row.tvr, rate);
  if (condition.name === 'PIT') report.equal('violationRate', `${where}: rate of PIT`, rate, 0);
}

/** By nothing but the row, the stored proof and what the manifest commits to. */
function checkPrefixes(row, log, { recorded, stream, shard }, report) {
  const proof = stream.proofs.get(`${row.retriever}@${row.anchor_position}`);
  const memory = { size: row.memory_events, root: row.memory_hash };
  const snapshot = { size: row.corpus_rows, root: row.snapshot_hash };
  const where = `${stream.where}, anchor ${row.anchor_position}`;
  report.holds('prefix', isPrefix(memory, shard.eventLog, proof?.memory_proof), `${where}: memory`, memory, log.root);
  report.holds(
    'prefix',
    isPrefix(snapshot, recorded.corpus, proof?.snapshot_proof),
    `${where}: snapshot`,
    snapshot,
    recorded.corpus,
  );
}
