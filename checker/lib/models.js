import { canonicalJson, hex } from './hashing.js';

/**
 * The versions of everything fitted or tuned: ids are hashes of their content, ancestors are registered before what was made
 * from them, and what a version says of itself follows from experiment and corpus.
 */
export function checkModels(manifest, report) {
  const { experiment, models } = manifest;
  const modelReading = experiment.models === 'frozen' ? 'frozen' : experiment.corpus;
  const known = new Map();
  for (const version of models) {
    const { id, ...description } = version;
    const where = `model ${version.name}`;
    report.equal('model', `${where}: id`, id, hex(canonicalJson(description)));
    report.holds('lineage', !known.has(id), where, id, 'each version once');
    for (const parent of version.parents)
      report.holds('lineage', known.has(parent), where, parent, 'parents before it');
    known.set(id, version);
    if (version.kind === 'statistics') report.equal('model', `${where}: reading`, version.reading, experiment.corpus);
    if (version.kind !== 'embedder') continue;
    const { availableAt } = experiment.embedder;
    const date = availableAt === undefined ? null : Date.parse(availableAt);
    report.equal('model', `${where}: reading`, version.reading, modelReading);
    report.equal('model', `${where}: availableAt`, version.availableAt, date);
  }
  const used = new Set(manifest.domains.flatMap(({ shards }) => shards.map(({ model }) => model)));
  for (const id of used) for (const parent of known.get(id)?.parents ?? []) used.add(parent);
  const unused = models.filter(({ id }) => !used.has(id)).map(({ name }) => name);
  report.equal('model', 'models that nothing was ranked with', unused, []);
  return known;
}

/** That a domain names the versions of its retrievers and its similarity, and statistics were fitted on its corpus. */
export function checkDomainModels(versions, { experiment }, recorded, domain, report) {
  const { name, similarity, retrievers } = recorded;
  const named = [
    ['similarity', similarity.id, similarity],
    ...retrievers.map((retriever) => ['retriever', retriever.label, retriever]),
  ];
  const least = domain.visibleRows.reduce((fewest, rows) => Math.min(fewest, rows), domain.assets.length);
  for (const [kind, label, { hash, model }] of named) {
    const version = versions.get(model);
    const where = `${name}: ${kind} ${label}`;
    const found = version && [version.kind, version.name, version.content];
    report.equal('model', where, found, [kind, label, hash]);
    for (const parent of version?.parents ?? []) {
      const training = versions.get(parent)?.training;
      if (training?.size === undefined) continue;
      const size = kind === 'similarity' ? least : domain.assets.length;
      const newestAt = domain.assets[size - 1]?.available_at ?? null;
      const expected = { log: 'corpus', newestAt, size, root: domain.snapshotRoots.get(size) };
      report.equal('model', `${where}: statistics`, training, expected);
      const { availableAt, parameters } = versions.get(parent);
      report.equal('model', `${where}: statistics, availableAt`, availableAt, newestAt);
      const analyzer = experiment.retrievers.find((each) => each.analyzer)?.analyzer ?? 'plain';
      if (kind === 'similarity') report.equal('model', `${where}: analyzer`, parameters.analyzer, analyzer);
    }
  }
}

/** θ of a shard: made of its retriever, similarity and mechanism, and of nothing that reaches the first anchor. */
export function checkState(versions, manifest, recorded, stream, shard, retriever, mechanism, report) {
  const where = `${stream.where}, ${retriever.label}, ${mechanism.label}`;
  const state = versions.get(shard.model);
  if (!report.holds('lineage', state !== undefined, where, shard.model, 'a version of the manifest')) return;
  const { name, version, parameters } = mechanism;
  const content = hex(canonicalJson({ name, version, parameters }));
  const third = versions.get(state.parents[2]);
  report.equal('model', where, state.parents.slice(0, 2), [retriever.model, recorded.similarity.model]);
  report.equal('model', where, third && [third.kind, third.content], ['mechanism', content]);
  const [first] = stream.anchors;
  if (manifest.experiment.corpus === 'frozen' || first === undefined) return;
  const firstAt = stream.observedAt[first.position];
  const reached = new Set([shard.model]);
  for (const id of reached) {
    const ancestor = versions.get(id);
    if (ancestor === undefined || ancestor.reading === 'frozen') continue;
    for (const parent of ancestor.parents) reached.add(parent);
    const at = Math.max(ancestor.availableAt ?? -Infinity, ancestor.training?.newestAt ?? -Infinity);
    const dated = ancestor.origin !== 'pretrained' || ancestor.availableAt !== null;
    report.holds(
      'lineage',
      dated && at < firstAt,
      where,
      `${ancestor.name}, of ${at}`,
      `before the first anchor, ${firstAt}`,
    );
  }
}
