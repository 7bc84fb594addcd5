import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CheckName } from '../../src/audit/contract/check.js';
import { runIdOf } from '../../src/audit/describeRun.js';
import { type Manifest, manifestHash } from '../../src/audit/manifest.js';
import { modelVersionId } from '../../src/lineage/modelVersion.js';
import type { RunEffects } from '../../src/replay/effects/runEffects.js';
import { refit, rewriteParquet } from './forgeRun.js';

/** One kind of tampering with a good run: what is done to its files, and the check that must find it. */
export interface Tampering {
  readonly name: string;
  /** `timed`: a natural stream over a corpus with clocks, read as of each anchor; `lines`: a run that also has rows.jsonl. */
  readonly of: 'plain' | 'timed' | 'lines';
  readonly reason: CheckName;
  /** Changes a copy of the run, bookkeeping included. */
  readonly apply: (folder: string) => Promise<void>;
}

type Options = { readonly of?: Tampering['of'] };

/** The forger keeps the books: after the change, digests and manifest hash are made to fit again. */
function forged(
  name: string,
  reason: CheckName,
  change: (folder: string) => Promise<void>,
  options: Options = {},
): Tampering {
  const apply = async (folder: string) => {
    await change(folder);
    await refit(folder);
  };
  return { name, of: options.of ?? 'plain', reason, apply };
}

function inFile(file: string, statements: readonly string[]) {
  return (folder: string) => rewriteParquet(path.join(folder, file), ...statements);
}

const rows = (name: string, reason: CheckName, ...statements: readonly string[]) =>
  forged(name, reason, inFile('rows.parquet', statements));

const assets = (name: string, reason: CheckName, statement: string, options?: Options) =>
  forged(name, reason, inFile('domains/small/assets.parquet', [statement]), options);

const requests = (name: string, reason: CheckName, statement: string, options?: Options) =>
  forged(name, reason, inFile('domains/small/requests.parquet', [statement]), options);

const baseLists = (name: string, statement: string) =>
  forged(name, 'index', inFile('domains/small/base.bm25.parquet', [statement]));

const manifest = (name: string, reason: CheckName, change: (manifest: Manifest) => void, options: Options = {}) => ({
  name,
  of: options.of ?? 'plain',
  reason,
  apply: (folder: string) => refit(folder, change),
});

/** The first row of a condition that selected something. */
const first = (condition: string) => `n = (SELECT min(n) FROM t WHERE condition = '${condition}' AND slots_filled > 2)`;
const flipped = (column: string) => `(CASE ${column}[1] WHEN '0' THEN '1' ELSE '0' END) || ${column}[2:]`;
const hashColumn = (column: string, reason: CheckName) =>
  rows(
    `${column} of one row altered`,
    reason,
    `UPDATE t SET ${column} = ${flipped(column)} WHERE n = (SELECT min(n) FROM t WHERE condition = 'Stateless')`,
  );

/** What a PIT row takes over when it quietly uses the memory of Future, its own bookkeeping included. */
const leakedColumns = [
  ...['slots_filled', 'selected_positions', 'selected_event_ids', 'selected_observed_at', 'newest_dependency_at'],
  ...['similarities', 'ranking', 'list_length', 'recall_5', 'recall_10', 'selection_hash', 'ranking_hash'],
];

/** Takes files off the manifest's list, and makes its hash fit. */
async function unlist(folder: string, isTaken: (file: string) => boolean): Promise<void> {
  const file = path.join(folder, 'manifest.json');
  const run = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  run.artefacts = run.artefacts.filter((artefact) => !isTaken(artefact.path));
  run.hash = manifestHash(run);
  await writeFile(file, JSON.stringify(run));
}

const shardOf = (run: Manifest) => run.domains[0]!.shards[0]!;
const experimentOf = (run: Manifest) => run.experiment as Record<string, unknown>;
const effects = (name: string, change: (effects: Effects) => void) =>
  forged(name, 'effects', async (folder) => {
    const file = path.join(folder, 'effects.json');
    const parsed = JSON.parse(await readFile(file, 'utf8')) as Effects;
    change(parsed);
    await writeFile(file, JSON.stringify(parsed));
  });

interface Effects {
  cells: {
    anchors: number;
    means: Record<string, Record<string, number>>;
    contrasts: Record<string, Record<string, { mean: number; interval: { lower: number; upper: number } }>>;
  }[];
}

/** Changes a model version and gives it, and all that was made from it, the ids that their content then has. */
async function reviseModel(folder: string, kind: string, change: (version: Manifest['models'][number]) => void) {
  const renamed = new Map<string, string>();
  await refit(folder, (run) => {
    change(run.models.find((version) => version.kind === kind)!);
    for (const version of run.models) {
      version.parents = version.parents.map((parent) => renamed.get(parent) ?? parent);
      const id = modelVersionId(version);
      renamed.set(version.id, id);
      version.id = id;
    }
    const [domain] = run.domains;
    for (const item of [domain!.similarity, ...domain!.retrievers, ...domain!.shards]) {
      item.model = renamed.get(item.model)!;
    }
  });
  const cases = [...renamed].map(([before, after]) => `WHEN '${before}' THEN '${after}'`).join(' ');
  await rewriteParquet(path.join(folder, 'rows.parquet'), `UPDATE t SET model_hash = CASE model_hash ${cases} END`);
  await refit(folder);
}

export const tamperings: readonly Tampering[] = [
  // Memory that was not there yet.
  rows(
    'a post-anchor event in a PIT selection',
    'eligibility',
    `UPDATE t SET selected_positions = list_concat([(anchor_position + 1)::INTEGER], selected_positions[2:]) WHERE ${first('PIT')}`,
  ),
  rows(
    'every PIT row takes over what Future selected, and says that its rate is 0',
    'eligibility',
    `CREATE TABLE f AS SELECT * FROM t WHERE condition = 'Future'`,
    `UPDATE t SET ${leakedColumns.map((column) => `${column} = f.${column}`).join(', ')} FROM f
     WHERE t.condition = 'PIT' AND t.anchor_position = f.anchor_position AND t.mechanism = f.mechanism`,
  ),
  rows(
    'a dependency of a PIT entry later than the anchor',
    'eligibility',
    `UPDATE t SET newest_dependency_at = list_concat([anchor_clock + 5], newest_dependency_at[2:]) WHERE ${first('PIT')}`,
  ),
  rows(
    'the anchor’s own event selected',
    'selfExclusion',
    `UPDATE t SET selected_positions = list_concat([anchor_position], selected_positions[2:]) WHERE ${first('Future')}`,
  ),
  requests(
    'a request that depends on a later one, not said in its rows',
    'requests',
    'UPDATE t SET depends_on = [(n + 1)::INTEGER] WHERE n < 60',
  ),
  // Selections.
  rows(
    'an entry left out of a selection',
    'selection',
    `UPDATE t SET selected_positions = selected_positions[2:], slots_filled = slots_filled - 1 WHERE ${first('Future')}`,
  ),
  rows(
    'a selection in another order',
    'selection',
    `UPDATE t SET selected_positions = list_reverse(selected_positions) WHERE ${first('PIT')}`,
  ),
  rows(
    'a similarity raised',
    'selection',
    `UPDATE t SET similarities = list_concat([similarities[1] + 1e-9], similarities[2:]) WHERE ${first('PIT')}`,
  ),
  rows(
    'a selected event under another id',
    'selection',
    `UPDATE t SET selected_event_ids = list_concat(['q0'], selected_event_ids[2:]) WHERE ${first('PIT')} AND selected_event_ids[1] <> 'q0'`,
  ),
  rows(
    'an observation time moved back',
    'selection',
    `UPDATE t SET selected_observed_at = list_concat([selected_observed_at[1] - 1], selected_observed_at[2:]) WHERE ${first('Future')}`,
  ),
  rows('a number of filled slots', 'selection', `UPDATE t SET slots_filled = slots_filled - 1 WHERE ${first('PIT')}`),
  rows(
    'more entries than the capacity',
    'budget',
    `UPDATE t SET selected_positions = list_concat(selected_positions, selected_positions, selected_positions, selected_positions) WHERE ${first('PIT')}`,
  ),
  // Temporal Violation Rate.
  rows('a violation rate set to 0', 'violationRate', `UPDATE t SET tvr = 0 WHERE condition = 'Future' AND tvr > 0`),
  rows('a count of future slots', 'violationRate', `UPDATE t SET future_slots = 0 WHERE condition = 'Future'`),
  // Rankings and metrics.
  rows(
    'two ranks exchanged',
    'ranking',
    `UPDATE t SET ranking = list_concat([ranking[2], ranking[1]], ranking[3:]) WHERE ${first('PIT')}`,
  ),
  rows('a ranking cut short', 'ranking', `UPDATE t SET ranking = ranking[:5], list_length = 5 WHERE ${first('PIT')}`),
  rows('a list length', 'ranking', `UPDATE t SET list_length = list_length - 1 WHERE ${first('PIT')}`),
  rows('a recall improved', 'metrics', `UPDATE t SET recall_10 = 1 WHERE condition = 'PIT' AND recall_10 < 1`),
  rows(
    'a recall by type that is not defined, given a value',
    'metrics',
    `UPDATE t SET recall_10_table = 1 WHERE recall_10_table IS NULL`,
  ),
  rows('a success improved', 'metrics', `UPDATE t SET complete_10 = 1 WHERE condition = 'PIT' AND complete_10 = 0`),
  rows('a rank that was never reached', 'metrics', `UPDATE t SET rank_80 = 3 WHERE condition = 'PIT'`),
  rows(
    'a control that differs from Future',
    'control',
    `UPDATE t SET recall_10 = recall_10 / 2 + 0.01 WHERE condition = 'Naive'`,
  ),
  // Hashes that a row carries.
  hashColumn('corpus_hash', 'corpus'),
  hashColumn('types_hash', 'types'),
  hashColumn('requests_hash', 'requests'),
  hashColumn('index_hash', 'index'),
  hashColumn('stream_hash', 'stream'),
  hashColumn('event_log_hash', 'eventLog'),
  hashColumn('snapshot_hash', 'prefix'),
  hashColumn('memory_hash', 'prefix'),
  hashColumn('model_hash', 'model'),
  hashColumn('selection_hash', 'selection'),
  hashColumn('ranking_hash', 'ranking'),
  rows(
    'a memory that reaches one event further',
    'prefix',
    `UPDATE t SET memory_events = memory_events + 1 WHERE condition = 'PIT'`,
  ),
  // Anchors and budgets.
  rows('a snapshot of another size', 'anchor', `UPDATE t SET corpus_rows = corpus_rows - 1 WHERE ${first('PIT')}`),
  rows('an anchor moved in time', 'anchor', `UPDATE t SET anchor_clock = anchor_clock + 1 WHERE ${first('PIT')}`),
  rows('another request at an anchor', 'anchor', `UPDATE t SET request_id = 'q0x' WHERE ${first('PIT')}`),
  rows('another quartile', 'anchor', `UPDATE t SET quartile = quartile % 4 + 1 WHERE ${first('PIT')}`),
  rows('a larger capacity for PIT', 'budget', `UPDATE t SET capacity = capacity + 1 WHERE condition = 'PIT'`),
  rows('a deeper trace for PIT', 'budget', `UPDATE t SET trace_depth = trace_depth + 1 WHERE condition = 'PIT'`),
  rows('a deeper output for PIT', 'budget', `UPDATE t SET output_depth = output_depth + 1 WHERE condition = 'PIT'`),
  // Which rows there are.
  rows(
    'anchors dropped after scoring',
    'population',
    'DELETE FROM t WHERE anchor_position = (SELECT max(anchor_position) FROM t)',
  ),
  rows('rows doubled', 'population', 'INSERT INTO t SELECT * FROM t WHERE n < 5'),
  rows('rows of another run', 'population', `UPDATE t SET run_id = '0123456789abcdef' WHERE n < 5`),
  rows('rows of two anchors exchanged', 'population', 'UPDATE t SET n = (n + 5) % 10 WHERE n < 10'),
  rows(
    'PIT and Stateless exchanged',
    'population',
    `UPDATE t SET condition = CASE condition WHEN 'PIT' THEN 'Stateless' ELSE 'PIT' END WHERE condition IN ('PIT', 'Stateless')`,
  ),
  rows('an oracle that passes for a mechanism', 'population', 'UPDATE t SET mechanism_uses_gold = false'),
  rows('a stress stream tag', 'population', 'UPDATE t SET stream_uses_gold = true WHERE n < 5'),
  rows('another horizon', 'population', 'UPDATE t SET horizon = horizon + 1 WHERE horizon IS NOT NULL'),
  // The asset log.
  assets('a text replaced', 'corpus', `UPDATE t SET text_sha256 = repeat('a', 64) WHERE n = 1`),
  assets(
    'a type changed',
    'types',
    `UPDATE t SET type = CASE type WHEN 'text' THEN 'table' ELSE 'text' END WHERE n = 1`,
  ),
  assets(
    'an asset that became available earlier',
    'corpus',
    'UPDATE t SET available_at = available_at - 7200000 WHERE n = 9',
    {
      of: 'timed',
    },
  ),
  assets('an asset removed', 'corpus', 'DELETE FROM t WHERE n = (SELECT max(n) FROM t)', { of: 'timed' }),
  // Requests.
  requests('a text that its hash does not fit', 'requests', `UPDATE t SET text = text || '!' WHERE n = 1`),
  requests('a product made easier', 'requests', 'UPDATE t SET product = product[:1] WHERE len(product) > 1'),
  requests('a product that leads nowhere', 'requests', 'UPDATE t SET product = [100000]::INTEGER[] WHERE n = 1'),
  requests('a request made earlier', 'requests', 'UPDATE t SET observed_at = observed_at - 3600000 WHERE n = 20', {
    of: 'timed',
  }),
  requests('a snapshot that holds more', 'corpus', 'UPDATE t SET corpus_rows = corpus_rows + 1 WHERE n = 3', {
    of: 'timed',
  }),
  requests(
    'a query vector',
    'eventLog',
    'UPDATE t SET vector_weights = list_reverse(vector_weights) WHERE vector_weights <> list_reverse(vector_weights)',
  ),
  // Base lists, streams, proofs.
  baseLists('a base list reversed', 'UPDATE t SET ranked = list_reverse(ranked) WHERE n = 2'),
  baseLists('a score in a base list', 'UPDATE t SET scores = list_concat([scores[1] + 1], scores[2:]) WHERE n = 2'),
  baseLists('an asset twice in a base list', 'UPDATE t SET ranked = list_concat([ranked[2]], ranked[2:]) WHERE n = 2'),
  forged(
    'two requests of a stream exchanged',
    'stream',
    inFile('domains/small/stream.random.1.parquet', [
      'UPDATE t SET request = (SELECT request FROM t AS o WHERE o.n = 1 - t.n) WHERE n < 2',
    ]),
  ),
  forged(
    'a stream that repeats a request',
    'stream',
    inFile('domains/small/stream.random.1.parquet', [
      'UPDATE t SET request = (SELECT request FROM t WHERE n = 1) WHERE n = 0',
    ]),
  ),
  forged(
    'an event log with other times',
    'stream',
    inFile('domains/small/stream.natural.0.parquet', ['UPDATE t SET observed_at = observed_at - 7200000 WHERE n > 20']),
    { of: 'timed' },
  ),
  forged(
    'a hash in a consistency proof',
    'prefix',
    inFile('domains/small/proofs.random.1.parquet', [
      `UPDATE t SET memory_proof = list_concat([repeat('0', 64)], memory_proof[2:]) WHERE len(memory_proof) > 0`,
    ]),
  ),
  forged(
    'a proof left out',
    'prefix',
    inFile('domains/small/proofs.natural.0.parquet', ['DELETE FROM t WHERE n = 3']),
    { of: 'timed' },
  ),
  forged(
    'a snapshot proof emptied',
    'prefix',
    inFile('domains/small/proofs.natural.0.parquet', ['UPDATE t SET snapshot_proof = []::VARCHAR[]']),
    { of: 'timed' },
  ),
  // Effects.
  effects('an effect improved', ({ cells }) => {
    cells[0]!.contrasts.recall_10!.pitEffect!.mean += 0.01;
  }),
  effects('an interval moved above zero', ({ cells }) => {
    cells[0]!.contrasts.recall_10!.futureEffect!.interval = { lower: 0.2, upper: 0.4 };
  }),
  effects('a mean of a condition', ({ cells }) => {
    cells[0]!.means.PIT!.recall_5! += 0.1;
  }),
  effects('more anchors than there were', ({ cells }) => {
    cells[0]!.anchors += 1;
  }),
  manifest('a summary that flatters', 'effects', (run) => {
    (run.summary as { pitEffect: { lowest: number } }[])[0]!.pitEffect.lowest = 0.5;
  }),
  // The manifest.
  {
    name: 'a manifest edited without its hash',
    of: 'plain',
    reason: 'manifest',
    apply: async (folder) => {
      const file = path.join(folder, 'manifest.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"redacted": false', '"redacted": true'));
    },
  },
  {
    name: 'a file edited without its digest',
    of: 'plain',
    reason: 'artefacts',
    apply: (folder) => appendFile(path.join(folder, 'effects.json'), '\n'),
  },
  {
    name: 'a listed file that is not there',
    of: 'lines',
    reason: 'artefacts',
    apply: async (folder) => {
      const file = path.join(folder, 'manifest.json');
      const run = JSON.parse(await readFile(file, 'utf8')) as Manifest;
      run.artefacts.push({ path: 'domains/small/notes.txt', bytes: 1, sha256: '0'.repeat(64) });
      run.hash = manifestHash(run);
      await writeFile(file, JSON.stringify(run));
    },
  },
  forged(
    'a line of rows.jsonl that is not the row',
    'artefacts',
    async (folder) => {
      const file = path.join(folder, 'rows.jsonl');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"tvr":0.0', '"tvr":0.5'));
    },
    { of: 'lines' },
  ),
  {
    name: 'a rows.jsonl that the manifest does not list',
    of: 'lines',
    reason: 'artefacts',
    apply: async (folder) => {
      const rows = path.join(folder, 'rows.jsonl');
      await writeFile(rows, (await readFile(rows, 'utf8')).replace('"tvr":0.0', '"tvr":0.5'));
      await unlist(folder, (file) => file === 'rows.jsonl');
    },
  },
  { name: 'no list of files', of: 'plain', reason: 'artefacts', apply: (folder) => unlist(folder, () => true) },
  {
    name: 'an effects.csv that the manifest does not list',
    of: 'plain',
    reason: 'artefacts',
    apply: (folder) => unlist(folder, (file) => file === 'effects.csv'),
  },
  manifest('a model that says another origin under the same id', 'model', (run) => {
    run.models[0]!.origin = run.models[0]!.origin === 'fixed' ? 'pretrained' : 'fixed';
  }),
  forged('a summary of all cells that they do not have', 'effects', async (folder) => {
    const file = path.join(folder, 'effects.json');
    const effects = JSON.parse(await readFile(file, 'utf8')) as RunEffects;
    const gain = { lowest: 0.1, highest: 0.2, cells: 1, intervalsAboveZero: 1, intervalsBelowZero: 0 };
    const summary = effects.summary.map((each) => ({ ...each, pitEffect: gain }));
    await writeFile(file, JSON.stringify({ ...effects, summary }));
    await refit(folder, (run) => {
      (run as { summary: unknown }).summary = summary;
    });
  }),
  manifest('another run id', 'description', (run) => {
    run.runId = 'ffffffffffffffff';
  }),
  manifest('an input that was another', 'description', (run) => {
    run.domains[0]!.inputs[0]!.sha256 = '0'.repeat(64);
  }),
  {
    name: 'an input that is in place and is not what it was',
    of: 'plain',
    reason: 'inputs',
    apply: async (folder) => {
      const other = path.join(folder, 'other.jsonl');
      const file = path.join(folder, 'manifest.json');
      const run = JSON.parse(await readFile(file, 'utf8')) as Manifest;
      const inputs = run.recorded.inputs as Record<string, Record<string, string>>;
      await cp(path.resolve(folder, inputs.small!['assets.jsonl']!), other);
      await appendFile(other, '\n');
      inputs.small!['assets.jsonl'] = other;
      await writeFile(file, JSON.stringify(run));
    },
  },
  manifest('another reading of the corpus, in words alone', 'description', (run) => {
    run.readings.corpus.reading = 'as-of';
  }),
  manifest('a mechanism that is not the one declared', 'model', (run) => {
    (experimentOf(run).mechanisms as { weight: number }[])[0]!.weight = 2;
    run.mechanisms[0]!.parameters.weight = 2;
    run.runId = runIdOf(run);
  }),
  {
    name: 'a larger capacity in the experiment, under the run id that follows',
    of: 'plain',
    reason: 'budget',
    apply: async (folder) => {
      let runId = '';
      await refit(folder, (run) => {
        experimentOf(run).capacity = 7;
        runId = runIdOf(run);
        run.runId = runId;
      });
      await rewriteParquet(path.join(folder, 'rows.parquet'), `UPDATE t SET run_id = '${runId}'`);
      await refit(folder);
    },
  },
  manifest('an oracle that is not tagged', 'description', (run) => {
    run.mechanisms[1]!.usesGold = false;
  }),
  manifest('fewer conditions than the experiment has', 'description', (run) => {
    run.conditions.pop();
  }),
  manifest('a corpus commitment', 'corpus', (run) => {
    run.domains[0]!.corpus.root = '0'.repeat(64);
  }),
  manifest('an event log commitment', 'eventLog', (run) => {
    shardOf(run).eventLog.size += 1;
  }),
  manifest('the hash of a stream', 'stream', (run) => {
    run.domains[0]!.streams[0]!.hash = '0'.repeat(64);
  }),
  manifest('the count of skipped anchors', 'stream', (run) => {
    run.domains[0]!.streams[0]!.skippedAnchors += 1;
  }),
  manifest('a shard that is not listed', 'population', (run) => {
    run.domains[0]!.shards.pop();
  }),
  manifest('a seed that was not run', 'population', (run) => {
    experimentOf(run).seeds = [1, 2];
    run.runId = runIdOf(run);
  }),
  // Lineage of what was fitted.
  manifest('a model under an id that its content does not have', 'model', (run) => {
    run.models[0]!.id = '0'.repeat(64);
  }),
  manifest('a model whose parent is not registered', 'lineage', (run) => {
    run.models.shift();
  }),
  manifest('a model that nothing was ranked with', 'model', (run) => {
    const other = { ...run.models[0]!, name: 'a better one' };
    run.models.unshift({ ...other, id: modelVersionId(other) });
  }),
  {
    name: 'statistics that were fitted after the first anchor',
    of: 'timed',
    reason: 'lineage',
    apply: (folder) =>
      reviseModel(folder, 'statistics', (version) => {
        version.availableAt = 4e12;
        (version.training as { newestAt: number }).newestAt = 4e12;
      }),
  },
  {
    name: 'statistics of a corpus that is not this one',
    of: 'plain',
    reason: 'model',
    apply: (folder) =>
      reviseModel(folder, 'statistics', (version) => {
        (version.training as { root: string }).root = '0'.repeat(64);
      }),
  },
  {
    name: 'a model that is declared frozen in a run that reads as of each anchor',
    of: 'timed',
    reason: 'model',
    apply: (folder) =>
      reviseModel(folder, 'statistics', (version) => {
        version.reading = 'frozen';
      }),
  },
];

/** Damage after which there is nothing to give a verdict on. */
export const damages: readonly { readonly name: string; readonly apply: (folder: string) => Promise<void> }[] = [
  { name: 'no rows', apply: (folder) => rm(path.join(folder, 'rows.parquet')) },
  { name: 'no manifest', apply: (folder) => rm(path.join(folder, 'manifest.json')) },
  { name: 'a manifest cut off', apply: (folder) => writeFile(path.join(folder, 'manifest.json'), '{"format":') },
  { name: 'rows cut off', apply: (folder) => writeFile(path.join(folder, 'rows.parquet'), 'PAR1') },
];
