import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { MatrixProduct } from '../../inference/MatrixProduct.js';
import { type EvaluatedWay, evaluateTopics, type TopicsEvaluation } from '../../store/topics/evaluateTopics.js';
import type { SeriesEvaluation } from '../../topics/evaluation/evaluateSeries.js';
import type { CliContext } from '../context.js';
import { countOption, numberOption } from '../options/numberOption.js';
import { addTopicOptions, type TopicOptionValues, topicChoicesOf } from '../options/topicOptions.js';
import { writeJson } from '../output/json.js';
import { numberOf } from '../output/numberOf.js';
import { stylerFor } from '../output/style.js';
import { type Alignment, formatTable } from '../output/table.js';
import { withTopics } from './withTopics.js';

interface EvaluateValues extends TopicOptionValues {
  series: string[];
  seriesPrefix?: string;
  names?: string;
  leastDocuments?: string;
  leastNamed?: string;
  most?: string;
  burnIn?: string;
  step?: string;
  compare?: boolean;
}

/** `asof topics evaluate`: labels of topics against series whose volumes are known. */
export function evaluateTopicsCommand(context: CliContext): Command {
  return addTopicOptions(new Command('evaluate'))
    .description('compare labels with those of series whose volumes are known, and measure what hindsight adds')
    .option('--series <field>', "field whose values are the series, or 'entities'; may be repeated", collect, [])
    .option('--series-prefix <text>', 'of values such as vendor:product, the part before this text is the series')
    .option('--names <file>', 'JSON file of other names of series: {"CWE-79": ["xss", "cross site scripting"]}')
    .option('--least-documents <n>', 'documents that a series must have (default 60)')
    .option('--least-named <share>', 'share of them whose text must name it (default 0.5)')
    .option('--most <n>', 'series at most, the largest first (default 40)')
    .option('--burn-in <n>', 'slices before volumes are looked at (default 13)')
    .option('--step <n>', 'evaluate every n-th slice (default 1)')
    .option('--compare', 'evaluate global clustering of the same vectors too, fitted anew after each slice (slow)')
    .action(async (files: string[], values: EvaluateValues) => {
      const fields = values.series.length === 0 ? ['entities'] : values.series;
      const names = values.names === undefined ? undefined : await readNames(values.names);
      const selection = {
        leastDocuments: countOption('--least-documents', values.leastDocuments),
        leastNamed: numberOption('--least-named', values.leastNamed),
        most: countOption('--most', values.most),
      };
      const { rule, lateness, seed = 1 } = topicChoicesOf(values);
      const burnIn = countOption('--burn-in', values.burnIn, 0);
      const step = countOption('--step', values.step);
      await withTopics(files, values, context, async ({ embedder, progress, track }) => {
        const topics = await track();
        const product = await MatrixProduct.open();
        try {
          const evaluation = await evaluateTopics(topics, {
            fields,
            prefixUntil: values.seriesPrefix,
            names,
            selection,
            rule,
            lateness,
            burnIn,
            step,
            compare: values.compare ? { embedder, product, seed } : undefined,
            onProgress: (way, done, total) => progress.update(done, total, 'slices', way),
          });
          progress.stop();
          if (values.json) writeJson(context.stdout, evaluation);
          else writeEvaluation(context, evaluation);
        } finally {
          await product.close();
        }
      });
    });
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}

async function readNames(file: string): Promise<Record<string, string[]>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new MissingResourceError({ resource: file, remedy: 'no such file; check the path', cause });
    }
    throw new InvalidInputError({ location: { file }, expected: 'JSON', value: (cause as Error).message, cause });
  }
  const isNames =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((list) => Array.isArray(list) && list.every((name) => typeof name === 'string'));
  if (isNames) return value as Record<string, string[]>;
  throw new InvalidInputError({ location: { file }, value, expected: 'an object of lists of names' });
}

function writeEvaluation(context: CliContext, { slices, documents, series, ways }: TopicsEvaluation): void {
  const { stdout } = context;
  const style = stylerFor(stdout, context);
  const styleHeader = (text: string) => style('bold', text);
  const items = ways[0]!.asOf.scores.items;
  stdout.write(
    `${series.length} series over ${numberOf(slices, 'slice')} and ${numberOf(documents, 'document')}: ${numberOf(items, 'label')}\n\n`,
  );
  const rows = ways.flatMap(({ way, asOf, hindsight }) => [
    [`${way}, as of each slice`, ...scoreCells(asOf)],
    [`${way}, in hindsight`, ...scoreCells(hindsight)],
  ]);
  const header = ['topics', 'macro-F1', 'growth F1', 'decay F1', 'accuracy', 'correlation'];
  const alignments: Alignment[] = ['left', ...header.slice(1).map((): Alignment => 'right')];
  stdout.write(formatTable(rows, { header, alignments, styleHeader }));
  stdout.write(`\n${ways.map(leakageText).join('')}\n`);
  const perSeries = series.map(({ name, documents: size }, index) => {
    const found = ways.map(({ asOf }) => asOf.bySeries[index]!);
    return [name, `${size}`, ...found.flatMap((own) => [fixed(own.scores.macroF1), fixed(own.correlation)])];
  });
  const columns = ways.flatMap(({ way }) => [`${way} F1`, 'corr.']);
  const right = ['documents', ...columns].map((): Alignment => 'right');
  stdout.write(
    formatTable(perSeries, {
      header: ['series', 'documents', ...columns],
      alignments: ['left', ...right],
      styleHeader,
    }),
  );
}

function scoreCells({ scores, bySeries }: SeriesEvaluation): string[] {
  const f1 = (wanted: string) => {
    const { f1: value, actual, predicted } = scores.labels.find(({ label }) => label === wanted)!;
    return `${fixed(value)} (${predicted} of ${actual})`;
  };
  const correlations = bySeries.map(({ correlation }) => correlation ?? 0);
  const mean = correlations.reduce((sum, value) => sum + value, 0) / correlations.length;
  return [fixed(scores.macroF1), f1('growth'), f1('decay'), fixed(scores.accuracy), fixed(mean)];
}

function leakageText({ way, leakage }: EvaluatedWay): string {
  const { changed, items, changedShare, macroF1Gain } = leakage;
  const share = changedShare === null ? '' : ` (${(100 * changedShare).toFixed(1)}%)`;
  return `${way}: hindsight changes ${changed} of ${items} labels${share}, macro-F1 by ${fixed(macroF1Gain)}\n`;
}

function fixed(value: number | null): string {
  return value === null ? '-' : value.toFixed(3);
}
