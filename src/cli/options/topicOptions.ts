import { type Command, Option } from 'commander';
import { type SourceFormat, sourceFormats } from '../../corpus/ingest/sourceFile.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Duration } from '../../time/duration.js';
import { parseDuration } from '../../time/duration.js';
import type { Instant } from '../../time/instant.js';
import { parseInstant } from '../../time/parseInstant.js';
import { type MatchingRule, matchingRules } from '../../topics/matching/matchClusters.js';
import { type SliceRule, sliceRuleKinds } from '../../topics/slices/sliceRule.js';
import type { SliceClusterer } from '../../topics/trackers/matchedTracker.js';
import type { RuleChoice, TopicModelOptions, TrackerChoice } from '../../topics/trackTopics.js';
import { addMappingOptions, type MappingOptionValues } from './mappingOptions.js';
import { namedOption } from './namedOption.js';
import { countOption, numberOption } from './numberOption.js';
import { addAsOfOption, addWorkspaceOption, type WorkspaceOptionValues } from './workspaceOptions.js';

/** Values of the options that `addTopicOptions` adds, as commander gives them. */
export interface TopicOptionValues extends WorkspaceOptionValues, MappingOptionValues {
  format?: SourceFormat;
  asOf?: string;
  coveredUntil?: string;
  slices: SliceRule['kind'] | 'adaptive';
  sliceDocuments?: string;
  lateness: string;
  tracker?: TrackerChoice['kind'];
  similarity?: string;
  clusters?: string;
  matching?: MatchingRule;
  rule: RuleChoice['kind'];
  growth?: string;
  decay?: string;
  drift?: string;
  baselineSlices?: string;
  sustained?: string;
  evidence?: string;
  settle?: string;
  seed?: string;
  model?: string;
  publish: boolean;
  json?: boolean;
}

/** What the options say, but for the workspace. */
export interface TopicChoices extends TopicModelOptions {
  readonly coveredUntil: Instant | undefined;
  readonly slices: SliceRule;
  readonly lateness: Duration;
}

/** Adds the argument and the options that say what topics are tracked in, and how; every command on topics has them. */
export function addTopicOptions(command: Command): Command {
  addWorkspaceOption(
    command.argument('[files...]', 'files of records, or patterns, to track topics in, instead of a workspace'),
  ).addOption(
    new Option('--format <format>', 'format of the files; by their names when absent').choices(sourceFormats),
  );
  return addAsOfOption(addMappingOptions(command))
    .option('--covered-until <time>', 'the stream is complete until then (default: until its last document)')
    .addOption(
      new Option('--slices <rule>', 'how time is cut; adaptive is equal-count')
        .choices([...sliceRuleKinds, 'adaptive'])
        .default('iso-week'),
    )
    .option('--slice-documents <n>', 'equal-count: documents that fill a slice (default 200)')
    .option('--lateness <duration>', 'publish a slice this long after its end, with what has come in by then', '0s')
    .addOption(
      new Option('--tracker <kind>', 'carried: one model goes on; matched: slices clustered and matched').choices([
        'carried',
        'matched',
      ]),
    )
    .option('--similarity <cosine>', 'carried: how near a document is to its topic (default: from the stream)')
    .option('--clusters <rule>', 'matched: elbow, silhouette, hdbscan, or a number (default elbow)')
    .addOption(new Option('--matching <rule>', 'matched: which clusters go together').choices(matchingRules))
    .addOption(
      new Option('--rule <name>', 'what labels are judged by').choices(['baseline', 'delta']).default('baseline'),
    )
    .option('--growth <factor>', 'growth from this multiple on (default 1.5)')
    .option('--decay <factor>', 'decay down to this multiple (default 0.5)')
    .option('--drift <distance>', 'drift from this distance of content on, 1 - cosine (default 0.2)')
    .option('--baseline-slices <n>', "baseline: a topic's first slices that make its baseline (default 4)")
    .option(
      '--sustained <share>',
      'baseline: share of the way that counts when two slices in a row go it (default 0.5)',
    )
    .option('--evidence <deviations>', 'baseline: standard deviations that a change must exceed (default 2)')
    .option('--settle <n>', 'baseline: slices after which a state is the new baseline, 0 for never (default 13)')
    .option('--seed <n>', 'seed of clusterings (default 1)')
    .option('--model <folder>', 'sentence-embedding model in the ONNX layout, instead of all-MiniLM-L6-v2')
    .option('--no-publish', 'write nothing down in the workspace')
    .option('--json', 'print JSON');
}

/** @throws InvalidArgumentError naming the option */
export function topicChoicesOf(values: TopicOptionValues): TopicChoices {
  const { coveredUntil, seed } = values;
  return {
    coveredUntil:
      coveredUntil === undefined ? undefined : namedOption('--covered-until', () => parseInstant(coveredUntil)),
    slices: slicesOf(values),
    lateness: namedOption('--lateness', () => parseDuration(values.lateness)),
    tracker: trackerOf(values),
    rule: ruleOf(values),
    seed: countOption('--seed', seed, 0),
  };
}

function slicesOf({ slices, sliceDocuments }: TopicOptionValues): SliceRule {
  const kind = slices === 'adaptive' ? 'equal-count' : slices;
  const documents = countOption('--slice-documents', sliceDocuments);
  if (kind === 'equal-count') return { kind, documents };
  refuse('--slice-documents', sliceDocuments, '--slices equal-count beside it');
  return { kind };
}

function trackerOf({ tracker, similarity, clusters, matching }: TopicOptionValues): TrackerChoice {
  const kind = tracker ?? 'carried';
  if (kind === 'carried') {
    refuse('--clusters', clusters, '--tracker matched beside it');
    refuse('--matching', matching, '--tracker matched beside it');
    return { kind, similarity: numberOption('--similarity', similarity) };
  }
  refuse('--similarity', similarity, '--tracker carried beside it');
  return { kind, clusterer: clustererOf(clusters), matching };
}

function clustererOf(rule: string | undefined): SliceClusterer | undefined {
  if (rule === undefined) return undefined;
  if (rule === 'hdbscan') return { kind: 'hdbscan' };
  if (rule === 'elbow' || rule === 'silhouette') return { kind: 'k-means', k: rule };
  if (/^[1-9]\d{0,5}$/.test(rule)) return { kind: 'k-means', k: Number(rule) };
  const expected = 'elbow, silhouette, hdbscan, or a number of clusters';
  throw new InvalidArgumentError({ argument: '--clusters', value: rule, expected });
}

function ruleOf(values: TopicOptionValues): RuleChoice {
  const { rule } = values;
  const thresholds = {
    growth: numberOption('--growth', values.growth),
    decay: numberOption('--decay', values.decay),
    drift: numberOption('--drift', values.drift),
  };
  if (rule === 'baseline') {
    return {
      kind: rule,
      ...thresholds,
      window: countOption('--baseline-slices', values.baselineSlices),
      sustained: numberOption('--sustained', values.sustained),
      evidence: numberOption('--evidence', values.evidence),
      settle: countOption('--settle', values.settle, 0),
    };
  }
  for (const option of ['baselineSlices', 'sustained', 'evidence', 'settle'] as const) {
    refuse(
      `--${option === 'baselineSlices' ? 'baseline-slices' : option}`,
      values[option],
      '--rule baseline beside it',
    );
  }
  return { kind: rule, ...thresholds };
}

/** An option that would be without effect is a mistake. */
function refuse(argument: string, value: unknown, expected: string): void {
  if (value !== undefined) throw new InvalidArgumentError({ argument, value, expected });
}
