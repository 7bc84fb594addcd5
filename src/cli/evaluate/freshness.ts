import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, Option } from 'commander';
import { mappingChoicesOf } from '../../corpus/ingest/mappingChoices.js';
import { type SourceFormat, sourceFormats } from '../../corpus/ingest/sourceFile.js';
import { CachedEmbedder } from '../../embedding/cache/CachedEmbedder.js';
import type { Embedder } from '../../embedding/Embedder.js';
import { openMinilm } from '../../embedding/minilm/openMinilm.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { evaluateFreshness } from '../../evaluation/freshnessEvaluation/evaluateFreshness.js';
import { readFreshnessData } from '../../evaluation/freshnessEvaluation/freshnessData.js';
import { type Similarity, SnapshotRanker } from '../../evaluation/freshnessEvaluation/SnapshotRanker.js';
import { evenTimes, statisticsLeakage } from '../../evaluation/freshnessEvaluation/statisticsLeakage.js';
import { checkOutputFile, writeOutputFile } from '../../files/outputFile.js';
import { userCacheFolder } from '../../files/userCacheFolder.js';
import type { FreshnessResults } from '../../report/freshness/freshnessRows.js';
import { renderFreshness } from '../../report/freshness/renderFreshness.js';
import { analyzerNamed, analyzers } from '../../retrieval/analysis/analyzerNamed.js';
import { freshnessMethods } from '../../retrieval/freshness/options.js';
import { parseDuration } from '../../time/duration.js';
import type { CliContext } from '../context.js';
import { addMappingOptions, type MappingOptionValues } from '../options/mappingOptions.js';
import { freshnessText } from '../output/freshnessText.js';
import { writeJson } from '../output/json.js';
import { progressFor } from '../output/progress.js';
import { packageVersion } from '../packageVersion.js';

interface FreshnessValues extends MappingOptionValues {
  queries: string;
  label?: string;
  queryLabel?: string;
  format?: SourceFormat;
  similarity: Similarity;
  analyzer: string;
  k: string;
  sweep?: boolean;
  alphas: string;
  halfLives: string;
  leakage?: string;
  intent: boolean;
  perQuery?: boolean;
  html?: string;
  force?: boolean;
  json?: boolean;
}

const queryHelp = `
A query is a line {"id", "text", "asOf", ...} of JSON that says what is relevant to it: "gold" (ids of documents),
"aliases" (a document that holds one of them), or with --label a label that documents carry. A document without a time of
availability was available from its event time on. Labels measure; nothing that ranks sees them.`;

/** `asof evaluate freshness`: do answers hold the newest relevant document? */
export function evaluateFreshnessCommand(context: CliContext): Command {
  const command = new Command('freshness')
    .description('Measure freshness: Latest@k, nDCG@k, P@k by method; sweep, selection protocols, statistics leakage')
    .argument('<documents...>', 'files of documents, patterns such as data/*.jsonl.gz, or -')
    .requiredOption('--queries <file>', 'queries, each with its own time (JSONL)')
    .option('--label <field>', 'field of a document that holds its labels; it is never part of the text')
    .option('--query-label <field>', 'field of a query that names its label', 'label')
    .addOption(new Option('--format <format>', 'format of the documents').choices(sourceFormats))
    .addOption(
      new Option('--similarity <kind>', 'what cosine-like methods rank by: MiniLM, BM25, or both')
        .choices(['lexical', 'semantic', 'hybrid'])
        .default('lexical'),
    )
    .addOption(
      new Option('--analyzer <name>', 'how texts become terms').choices(Object.keys(analyzers)).default('english'),
    )
    .option('--k <number>', 'cutoff of the measures', '10')
    .option('--sweep', 'sweep alpha and half-life, and compare the two ways to choose them')
    .option('--alphas <list>', 'alphas of the sweep', '0,0.1,0.3,0.5,0.7,0.8,0.9,0.95,1')
    .option('--half-lives <list>', 'half-lives of the sweep; adaptive is one', '7d,14d,30d,90d,180d,adaptive')
    .option('--leakage <times>', 'measure statistics leakage at so many times')
    .option('--no-intent', 'do not interpret words of time in queries')
    .option('--per-query', 'print every query')
    .option('--html <file>', 'write a report with heat maps')
    .option('--force', 'replace the file of --html')
    .option('--json', 'print JSON')
    .addHelpText('after', queryHelp);
  return addMappingOptions(command).action((documents: string[], values: FreshnessValues) =>
    evaluate(context, documents, values),
  );
}

async function evaluate(context: CliContext, documents: string[], values: FreshnessValues): Promise<void> {
  const { similarity, analyzer, sweep = false, intent: readsIntent } = values;
  const cutoff = integerOf('k', values.k);
  const leakageTimes = values.leakage === undefined ? 0 : integerOf('leakage', values.leakage);
  const alphas = values.alphas.split(',').map(alphaOf);
  const halfLives = values.halfLives
    .split(',')
    .map((text) => (text === 'adaptive' ? text : parseDuration(text.trim())));
  const { html, force = false } = values;
  const inputs = [...documents, values.queries].filter((file) => file !== '-');
  const output = html === undefined ? undefined : await checkOutputFile(html, { argument: '--html', force, inputs });
  const progress = progressFor(context);
  const scratchFolder = await mkdtemp(path.join(tmpdir(), 'asof-'));
  let embedder: Embedder | undefined;
  let ranker: SnapshotRanker | undefined;
  try {
    progress.stage('reading');
    const data = await readFreshnessData({
      documents,
      queries: values.queries,
      mapping: mappingChoicesOf(values),
      format: values.format,
      labelField: values.label,
      queryLabelField: values.queryLabel,
      scratchFolder,
      stdin: context.stdin,
    });
    if (similarity !== 'lexical')
      embedder = new CachedEmbedder(await openMinilm(), path.join(userCacheFolder(), 'embeddings'));
    ranker = new SnapshotRanker(data.corpus, analyzerNamed(analyzer), embedder);
    const evaluation = await evaluateFreshness(data, ranker, {
      cutoff,
      similarity,
      readsIntent,
      methods: freshnessMethods,
      alphas: sweep ? alphas : [],
      halfLives: sweep ? halfLives : [],
      sweeps: sweep ? ['fused', 'coverage'] : [],
      onProgress: (done, total) => progress.update(done, total, 'queries', 'ranking'),
    });
    progress.stop();
    const times = evenTimes(data.corpus.availableAt, leakageTimes);
    const leakage = [];
    for (const method of times.length === 0 ? [] : (['coverage', 'bm25'] as const)) {
      progress.stage(`statistics leakage of ${method}`);
      leakage.push(await statisticsLeakage(data, ranker, { method, cutoff, times, readsIntent }));
    }
    const results: FreshnessResults = { ...evaluation, leakage };
    if (output !== undefined) {
      const page = renderFreshness(results, `asof ${packageVersion()}`);
      await writeOutputFile(output, (file) => file.writeFile(page));
    }
    if (values.json) writeJson(context.stdout, results);
    else context.stdout.write(freshnessText(results, context, values.perQuery === true));
  } finally {
    progress.stop();
    await ranker?.close();
    await embedder?.close();
    await rm(scratchFolder, { recursive: true, force: true });
  }
}

function integerOf(argument: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError({ argument, value: text, expected: 'a positive integer' });
}

function alphaOf(text: string): number {
  if (/^\s*\d*\.?\d+\s*$/.test(text)) return Number(text);
  throw new InvalidArgumentError({ argument: 'alphas', value: text, expected: 'numbers in [0, 1], parted by commas' });
}
