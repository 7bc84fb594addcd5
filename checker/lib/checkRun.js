import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkDomain } from './domain.js';
import { Cells, checkEffects } from './effects.js';
import { canonicalJson, hex } from './hashing.js';
import { conditionsOf, isKnownMechanism } from './memory.js';
import { checkDomainModels, checkModels, checkState } from './models.js';
import { digestOf, jsonLines, layout, parquetRows, readJson } from './read.js';
import { Report, same, UnreadableRun } from './report.js';
import { checkRows } from './rows.js';
import { checkSignature } from './signature.js';
import { checkStream } from './stream.js';

export { UnreadableRun } from './report.js';

/**
 * Checks a run folder. Nothing in it is believed because it is stored there: commitments, views, rankings, metrics and means
 * are computed again from assets, requests, base lists and streams.
 *
 * @param folder that `asof replay` wrote
 * @param options.key file of the signer's public key; the attestation is checked when it is given
 * @param options.rows `parquet`, or `jsonl` for a run that has rows.jsonl alone
 * @returns { runId, rows, accepted, violated, checks, signature, notes }
 * @throws UnreadableRun when there is nothing that a verdict could be about
 */
export async function checkRun(folder, options = {}) {
  const manifest = await readJson(folder, 'manifest.json');
  if (manifest?.format !== 'asof-run/1') throw new UnreadableRun('manifest.json: not of format asof-run/1');
  const report = new Report();
  const notes = [`corpus: ${manifest.experiment.corpus}`];
  checkManifest(manifest, report);
  await checkFiles(folder, manifest, report);
  const versions = checkModels(manifest, report);
  const reader = rowReader(folder, manifest, options.rows ?? 'parquet', report);
  const cells = new Cells();
  const inPlace = await checkDomains(folder, manifest, versions, reader.next, report, cells);
  if (inPlace) {
    report.equal('population', 'rows after the last', (await reader.next()) ?? null, null);
    report.equal('population', 'manifest, rows', manifest.rows, reader.count());
    checkEffects(await readJson(folder, 'effects.json'), cells.list(), manifest, report);
  } else {
    notes.push('rows were not all recomputed, and no effects: see the violations');
  }
  await reader.close();
  const signature = options.key === undefined ? null : await checkSignature(folder, options.key);
  if (signature === null && existsSync(path.join(folder, 'attestation.dsse.json'))) {
    notes.push('signed; the signature was not checked, since no key was given');
  }
  if (manifest.repairs) notes.push(`repairs run ${manifest.repairs.runId}, manifest ${manifest.repairs.manifest}`);
  const violated = report.violated();
  const accepted = violated.length === 0 && signature?.ok !== false;
  const checks = Object.fromEntries(report.checks);
  return { runId: manifest.runId, rows: manifest.rows, accepted, violated, checks, signature, notes };
}

/** What a manifest says that follows from itself. */
function checkManifest(manifest, report) {
  const { hash, recorded: _recorded, ...determined } = manifest;
  report.equal('manifest', 'manifest.json', hash, hex(canonicalJson(determined)));
  const { tool, experiment, redacted, repairs, domains } = manifest;
  const inputs = domains.map(({ name, inputs }) => [name, inputs.map(({ sha256 }) => sha256)]);
  const identity = { version: tool.version, experiment, redact: redacted, inputs, repairs: repairs ?? undefined };
  report.equal('description', 'manifest, runId', manifest.runId, hex(canonicalJson(identity)).slice(0, 16));
  report.equal('description', 'manifest, eligibility', manifest.eligibility.version, 'asof-eligibility/1');
  report.equal('description', 'manifest, readings', manifest.readings.corpus.reading, experiment.corpus);
  report.equal(
    'description',
    'manifest, conditions',
    manifest.conditions,
    conditionsOf(experiment).map(({ name }) => name),
  );
  const reads = { trace: 'behaviour', feedback: 'feedback' };
  const mechanisms = experiment.mechanisms.map(({ kind: name, ...parameters }, i) => {
    // What a user's module says of itself is only known by running it; that it is named by its hash can be told.
    if (name === 'module') return moduleAsNamed(manifest.mechanisms[i] ?? {}, parameters);
    return { name, version: '1', usesGold: name === 'feedback', reads: reads[name], parameters };
  });
  const named = manifest.mechanisms.map(unlabelled);
  report.equal('description', 'manifest, mechanisms', named, mechanisms);
  const types = [...new Set(domains.flatMap(({ assetsByType }) => Object.keys(assetsByType)))].sort();
  report.equal('description', 'manifest, metrics', manifest.metrics, metricNames(experiment.cutoffs, types));

  const kindsOf = (items) => items.map(({ kind }) => kind);
  const streams = experiment.streams.flatMap(({ kind }) =>
    (kind === 'natural' ? [0] : experiment.seeds).map((seed) => [kind, seed]),
  );
  report.equal(
    'population',
    'manifest, domains',
    domains.map(({ name }) => name),
    experiment.datasets.map(({ name }) => name),
  );
  for (const domain of domains) {
    const where = `${domain.name}: manifest`;
    const retrievers = domain.retrievers.map(({ label }) => label.split(',')[0]);
    report.equal('population', `${where}, retrievers`, retrievers, kindsOf(experiment.retrievers));
    report.equal(
      'population',
      `${where}, streams`,
      domain.streams.map(({ kind, seed }) => [kind, seed]),
      streams,
    );
    const shards = domain.streams.length * retrievers.length * mechanisms.length;
    report.equal('population', `${where}, shards`, domain.shards.length, shards);
  }
}

function unlabelled({ label: _label, ...mechanism }) {
  return mechanism;
}

function moduleAsNamed(mechanism, { sha256 }) {
  return { ...unlabelled(mechanism), usesGold: false, parameters: { ...mechanism.parameters, module: sha256 } };
}

function metricNames(cutoffs, types) {
  const typed = types.flatMap((type) => cutoffs.map((cutoff) => `recall_${cutoff}_${type}`));
  const last = cutoffs.at(-1);
  return [...cutoffs.map((cutoff) => `recall_${cutoff}`), ...typed, `coverage_${last}`, `complete_${last}`, 'rank_80'];
}

/** Files that a run consists of, in the order of its manifest. */
function filesOf(folder, { domains }) {
  const jsonLinesFile = existsSync(path.join(folder, 'rows.jsonl')) ? ['rows.jsonl'] : [];
  const ofDomain = ({ name, retrievers, streams }) => [
    layout.assets(name),
    layout.requests(name),
    ...retrievers.map(({ label }) => layout.base(name, label)),
    ...streams.flatMap(({ label, seed }) => [layout.stream(name, label, seed), layout.proofs(name, label, seed)]),
  ];
  return ['rows.parquet', ...jsonLinesFile, 'effects.json', 'effects.csv', ...domains.flatMap(ofDomain)];
}

async function checkFiles(folder, manifest, report) {
  const listed = manifest.artefacts.map(({ path: name }) => name);
  report.equal('artefacts', 'manifest, artefacts', listed, filesOf(folder, manifest));
  for (const { path: name, sha256 } of manifest.artefacts) {
    report.equal('artefacts', name, (await digestOf(folder, name)) ?? 'no such file', sha256);
  }
  for (const { name: domain, inputs } of manifest.domains) {
    for (const { name, sha256 } of inputs) {
      // A name that two inputs have, in runs of older versions, does not say which of them the kept path means.
      if (inputs.filter((each) => each.name === name).length > 1) continue;
      const kept = manifest.recorded?.inputs?.[domain]?.[name];
      const found = kept && (await digestOf('', path.resolve(folder, kept)));
      if (found) report.equal('inputs', `${domain}: ${name}`, found, sha256);
    }
  }
}

/** @returns whether every row was laid beside what it should be */
async function checkDomains(folder, manifest, versions, next, report, cells) {
  const { mechanisms } = manifest;
  const { experiment } = manifest;
  const unknown = mechanisms
    .filter((mechanism, i) => experiment.mechanisms[i]?.kind === 'module' || !isKnownMechanism(mechanism))
    .map(({ label }) => label);
  if (!report.equal('ranking', 'mechanisms that this checker knows', unknown, [])) return false;
  for (const recorded of manifest.domains) {
    const domain = await checkDomain(folder, manifest, recorded, report);
    if (domain === undefined) return false;
    checkDomainModels(versions, manifest, recorded, domain, report);
    for (const entry of recorded.streams) {
      const stream = await checkStream(folder, manifest, entry, domain, report);
      if (stream === undefined) return false;
      for (const shard of recorded.shards.filter(({ stream, seed }) => stream === entry.label && seed === entry.seed)) {
        const retriever = recorded.retrievers.find(({ label }) => label === shard.retriever);
        const mechanism = mechanisms.find(({ label }) => label === shard.mechanism);
        if (retriever && mechanism) {
          checkState(versions, manifest, recorded, stream, shard, retriever, mechanism, report);
        }
      }
      const collect = (rows) => cells.add(rows, manifest.metrics);
      if (!(await checkRows(next, manifest, recorded, domain, stream, report, collect))) return false;
    }
  }
  return true;
}

/** Rows one after the other; those of rows.jsonl, where a run has both, are compared on the way. */
function rowReader(folder, manifest, kind, report) {
  const hasLines = manifest.artefacts.some(({ path: name }) => name === 'rows.jsonl');
  const rows = kind === 'jsonl' ? jsonLines(folder, 'rows.jsonl') : parquetRows(folder, 'rows.parquet');
  const lines = kind === 'parquet' && hasLines ? jsonLines(folder, 'rows.jsonl') : undefined;
  let count = 0;
  return {
    async next() {
      const { value } = await rows.next();
      const line = (await lines?.next())?.value;
      if (lines) report.holds('artefacts', same(line, value), `rows.jsonl, line ${count + 1}`, line, value);
      if (value !== undefined) count++;
      return value;
    },
    count: () => count,
    async close() {
      await rows.return();
      await lines?.return();
    },
  };
}
