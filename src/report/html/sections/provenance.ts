import type { Manifest } from '../../../audit/manifest.js';
import { type Experiment, needsEmbedder } from '../../../replay/experiment.js';
import { goldTags } from '../../cellNames.js';
import { type Markup, markup, preformatted } from '../../markup/markup.js';
import type { Report } from '../../report.js';
import { countText, valueText } from '../../words/numbers.js';
import { code, type DataTable, dataTable, dataText, details, numericColumn, prose, taggedText } from '../table.js';

type Domain = Manifest['domains'][number];
type Row = DataTable['rows'][number];

/** Inputs with their digests, seeds, budgets and hashes: what identifies the run. */
export function inputsSection({ manifest }: Report): Markup {
  const { domains } = manifest;
  return markup`<section id="inputs">
<h2>Inputs and identity</h2>
<p>The manifest hash covers everything that inputs, experiment and version determine: two runs of the same give the same hash. ${manifest.redacted ? 'Request texts were kept as hashes only.' : ''}</p>
${dataTable({
  caption: 'Domains. Product: mean number of relevant assets of a request.',
  columns: [
    { label: 'Domain' },
    numericColumn('Assets'),
    { label: 'By type' },
    numericColumn('Requests'),
    numericColumn('Product'),
    { label: 'Left out' },
  ],
  rows: domains.map(domainRow),
})}
${dataTable({
  caption: 'Input files.',
  columns: [{ label: 'Domain' }, { label: 'Role' }, { label: 'File' }, numericColumn('Bytes'), { label: 'SHA-256' }],
  rows: domains.flatMap(({ name, inputs }) =>
    inputs.map((input) => [
      dataText(name),
      dataText(input.role),
      dataText(input.name),
      countText(input.bytes),
      code(input.sha256),
    ]),
  ),
})}
${dataTable({
  caption: 'Settings, the same for every condition.',
  columns: [{ label: 'Setting', isProse: true }, { label: 'Value' }],
  rows: settingRows(manifest),
})}
${dataTable({
  caption: 'Hashes.',
  columns: [{ label: 'Of', isProse: true }, { label: 'SHA-256' }],
  rows: [['Manifest', code(manifest.hash)], ...domains.flatMap(hashRows)],
})}
${details(
  'Streams',
  dataTable({
    caption: 'Streams: each request once, in the order that the hash commits to.',
    columns: [
      { label: 'Domain' },
      { label: 'Stream' },
      numericColumn('Seed'),
      { label: 'Clock' },
      { label: 'Parameters' },
      numericColumn('Anchors'),
      numericColumn('Skipped'),
      { label: 'SHA-256 of the order' },
    ],
    rows: domains.flatMap(streamRows),
    headers: 2,
  }),
)}
${details('Event logs and models', shardTable(manifest))}
${details(
  'Files of the run',
  dataTable({
    caption: 'Files beside the manifest.',
    columns: [{ label: 'File' }, numericColumn('Bytes'), { label: 'SHA-256' }],
    rows: manifest.artefacts.map(({ path, bytes, sha256 }) => [dataText(path), countText(bytes), code(sha256)]),
  }),
)}
</section>`;
}

function domainRow({ name, assets, assetsByType, requests, meanProductSize, dropped }: Domain): Row {
  const types = Object.entries(assetsByType).map(([type, count]) => `${type} ${countText(count)}`);
  const left = Object.entries(dropped)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${reason} ${countText(count)}`);
  return [
    dataText(name),
    countText(assets),
    prose(types.join(', ')),
    countText(requests),
    valueText(meanProductSize, 'ranks'),
    dataText(left.length === 0 ? 'none' : left.join(', ')),
  ];
}

/** Scalars of the experiment, and the mechanisms and seeds. */
function settingRows({ experiment, mechanisms }: Manifest): Row[] {
  const isEmbedded = needsEmbedder(experiment as unknown as Experiment);
  const names: readonly (readonly [string, string])[] = [
    ['seeds', 'Seeds'],
    ['capacity', 'Memory slots (capacity)'],
    ['traceDepth', 'Trace depth d'],
    ['baseDepth', 'Base list depth'],
    ['outputDepth', 'Output depth (0: as the base list)'],
    ['cutoffs', 'Cutoffs'],
    ['horizons', 'Future horizons'],
    ['corpus', 'Corpus at an anchor'],
    ['similarity', 'Similarity of requests'],
    ['embedder', 'Embedder'],
    ['anchorsPerWindow', 'Anchors in a window'],
    ['naturalMinimum', 'Least past and future of a natural anchor (0: capacity)'],
    ['bootstrap', 'Bootstrap'],
  ];
  return [
    ...names
      .filter(([key]) => experiment[key] !== undefined && (key !== 'embedder' || isEmbedded))
      .map(([key, label]): Row => [label, prose(settingText(experiment[key]))]),
    ...mechanisms.map(
      ({ label, name, version, usesGold, parameters }): Row => [
        markup`Mechanism ${taggedText(label, usesGold && goldTags.mechanism)}`,
        prose(`${name}, version ${version}; ${settingText(parameters)}`),
      ],
    ),
  ];
}

function settingText(value: unknown): string {
  if (Array.isArray(value)) return value.map(settingText).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, entry]) => `${key} ${settingText(entry)}`)
    .join(', ');
}

function hashRows(domain: Domain): Row[] {
  const of = (what: string, hash: string): Row => [prose(`${domain.name}: ${what}`), code(hash)];
  return [
    of(`corpus (${countText(domain.corpus.size)} assets)`, domain.corpus.root),
    of('asset types', domain.types),
    of('requests', domain.requestsHash),
    of('products', domain.products),
    of(`similarity ${domain.similarity.id}`, domain.similarity.hash),
    ...domain.retrievers.flatMap(({ label, hash, index }) => [
      of(`retriever ${label}`, hash),
      of(`index of ${label}`, index),
    ]),
  ];
}

function streamRows({ name, streams }: Domain): Row[] {
  return streams.map(({ label, seed, usesGold, clock, parameters, anchors, skippedAnchors, hash }) => [
    dataText(name),
    taggedText(label, usesGold && goldTags.stream),
    String(seed),
    clock,
    prose(settingText(parameters)),
    countText(anchors),
    countText(skippedAnchors),
    code(hash),
  ]);
}

function shardTable({ domains, mechanisms }: Manifest): Markup {
  const oracles = new Set(mechanisms.filter(({ usesGold }) => usesGold).map(({ label }) => label));
  return dataTable({
    caption: 'Event log and model (retriever, similarity and mechanism) of every part of the run.',
    columns: [
      { label: 'Domain' },
      { label: 'Stream' },
      numericColumn('Seed'),
      { label: 'Retriever' },
      { label: 'Mechanism' },
      numericColumn('Rows'),
      { label: 'Event log' },
      { label: 'Model' },
    ],
    rows: domains.flatMap(({ name, shards, streams }) =>
      shards.map(({ stream, seed, retriever, mechanism, rows, eventLog, model }) => [
        dataText(name),
        taggedText(stream, streams.some(({ label, usesGold }) => label === stream && usesGold) && goldTags.stream),
        String(seed),
        dataText(retriever),
        taggedText(mechanism, oracles.has(mechanism) && goldTags.mechanism),
        countText(rows),
        code(eventLog.root),
        code(model),
      ]),
    ),
    headers: 5,
  });
}

/** How to make the run again, and where and when it was made. */
export function reproductionSection({ reproduction, manifest }: Report): Markup {
  const { inputs: _inputs, datasets: _datasets, command: _command, ...surroundings } = manifest.recorded;
  const recorded = Object.entries(surroundings);
  const { command, experiment, hasPaths } = reproduction;
  return markup`<section id="reproduce">
<h2>Reproduction</h2>
<p>${command === null ? 'The command was not recorded.' : 'The command as it was given:'}</p>
${command !== null && markup`<pre>${preformatted(command)}</pre>\n`}<p>The experiment with every default filled in. With the same inputs and the same version, asof replay makes the same rows of it, byte for byte.${hasPaths ? '' : ' The paths of the inputs were not recorded: add them under datasets.'}</p>
<pre>${preformatted(experiment)}</pre>
${
  recorded.length > 0 &&
  dataTable({
    caption: 'As recorded when it ran; outside the manifest hash.',
    columns: [{ label: 'What' }, { label: 'Value' }],
    rows: recorded.map(([key, value]) => [dataText(key), dataText(settingText(value))]),
  })
}
</section>`;
}
