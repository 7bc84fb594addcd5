import { Command, Option } from 'commander';
import type { TemporalIntent } from '../retrieval/intent/temporalIntent.js';
import type { ModelState, SearchAnswer, SearchHit } from '../search/answer.js';
import { answerJson } from '../search/answerJson.js';
import { type FusionMethod, type SearchMode, type SearchOptions, searchModes } from '../search/settings.js';
import { formatDuration, parseDuration } from '../time/duration.js';
import { formatInstant } from '../time/formatInstant.js';
import { millisecondsPerDay } from '../time/instant.js';
import { parseInstant } from '../time/parseInstant.js';
import type { CliContext } from './context.js';
import { namedOption } from './options/namedOption.js';
import { countOption, numberOption } from './options/numberOption.js';
import { addAsOfOption, addWorkspaceOption, asOfOf, type WorkspaceOptionValues } from './options/workspaceOptions.js';
import { writeJson } from './output/json.js';
import { numberOf } from './output/numberOf.js';
import { stylerFor } from './output/style.js';
import { formatTable } from './output/table.js';
import { withSearch } from './withSearch.js';

interface SearchValues extends WorkspaceOptionValues {
  asOf?: string;
  mode?: SearchMode;
  limit?: string;
  from?: string;
  to?: string;
  pool?: string;
  fusion?: FusionMethod;
  semanticWeight?: string;
  alpha?: string;
  halfLife?: string;
  floor?: string;
  thenNewest?: boolean;
  approximate?: boolean;
  intent: boolean;
  json?: boolean;
}

/** `asof search`: what could have been found at a time. */
export function searchCommand(context: CliContext): Command {
  const command = new Command('search')
    .description('Search what was available as of a time, with the statistics of that time')
    .argument('<query>', 'what to look for');
  return addAsOfOption(addWorkspaceOption(command))
    .addOption(
      new Option(
        '--mode <mode>',
        'fresh: coverage of the query and recency; lexical: BM25; semantic: cosine; hybrid: both (default: fresh)',
      ).choices(searchModes),
    )
    .option('-k, --limit <count>', 'hits at most (default: 10)')
    .option('--from <time>', 'only what happened from this time on')
    .option('--to <time>', 'only what happened before this time')
    .option('--pool <count>', 'only the best so many by relevance take part (default: all)')
    .addOption(new Option('--fusion <method>', 'of hybrid (default: convex)').choices(['convex', 'rrf']))
    .option('--semantic-weight <number>', 'weight of cosine in convex fusion, 0 to 1 (default: 0.5)')
    .option('--approximate', 'semantic and hybrid: candidates from graphs, scored exactly; may miss some')
    .option('--alpha <number>', 'weight of relevance against recency, 0 to 1')
    .option('--half-life <duration>', 'age at which recency counts half, such as 14d; or adaptive')
    .option('--floor <number>', 'leave out what is less relevant than this, however fresh')
    .option('--then-newest', 'the best 50 (or --pool) by relevance, newest first')
    .option('--no-intent', 'search for words such as latest or in 2019, instead of doing what they say')
    .option('--json', 'print JSON')
    .action(async (query: string, values: SearchValues) => {
      const asOf = asOfOf(values, context);
      const options = searchOptionsOf(values);
      await withSearch(values, context, { readOnly: true }, async (workspace) => {
        const answer = await workspace.search(query, { ...options, asOf, interpretTime: values.intent });
        if (values.json) writeJson(context.stdout, answerJson(answer));
        else writeAnswer(context, answer);
      });
    });
}

function searchOptionsOf(values: SearchValues): SearchOptions {
  const { from, to, halfLife, thenNewest, approximate, mode, fusion } = values;
  return {
    mode,
    approximate,
    fusion,
    limit: countOption('--limit', values.limit),
    from: from === undefined ? undefined : namedOption('--from', () => parseInstant(from)),
    to: to === undefined ? undefined : namedOption('--to', () => parseInstant(to)),
    pool: countOption('--pool', values.pool),
    semanticWeight: numberOption('--semantic-weight', values.semanticWeight),
    freshness: {
      method: thenNewest ? 'semantic-then-newest' : undefined,
      alpha: numberOption('--alpha', values.alpha),
      halfLife:
        halfLife === undefined || halfLife === 'adaptive'
          ? halfLife
          : namedOption('--half-life', () => parseDuration(halfLife)),
      floor: numberOption('--floor', values.floor),
    },
  };
}

/** How the words about time were understood; nothing where there are none. */
function describeIntent({ phrases, text, from, before, isStrict, recentSpan }: TemporalIntent): string {
  if (phrases.length === 0) return '';
  const parts = phrases.map((phrase) => `"${phrase.text}" (${phrase.meaning})`);
  const since = from === null ? '' : ` from ${formatInstant(from)}`;
  const until = before === null ? '' : ` before ${formatInstant(before)}`;
  if (isStrict) parts.push(`event times${since}${until} only`);
  else if (recentSpan !== null) parts.push(`half-life ${shortAge(recentSpan)}`);
  return `understood: ${parts.join(', ')}; searched for "${text}"\n`;
}

const textWidth = 60;

function writeAnswer(context: CliContext, answer: SearchAnswer): void {
  const { stdout } = context;
  const style = stylerFor(stdout, context);
  const { asOf, intent, documents, state, hits, note } = answer;
  stdout.write(`as of ${formatInstant(asOf)}: ${numberOf(documents, 'asset')}\n`);
  if (intent !== undefined) stdout.write(describeIntent(intent));
  if (note !== undefined) stdout.write(`${note}\n`);
  if (hits.length > 0) {
    const header = [
      '',
      'id',
      'score',
      isLexical(state.model) ? 'BM25' : 'relevance',
      'by rel.',
      'age',
      'decay',
      'event at',
      'text',
    ];
    stdout.write(
      formatTable(
        hits.map((hit) => hitCells(hit, isLexical(state.model))),
        {
          header,
          alignments: ['right', 'left', 'right', 'right', 'right', 'right', 'right', 'left', 'left'],
          styleHeader: (line) => style('bold', line),
        },
      ),
    );
  }
  const { corpus, model } = state;
  stdout.write(style('dim', `state: corpus ${corpus.size} operations, root ${corpus.root}; model ${model.hash}`));
  stdout.write('\n');
}

/** Scaled to [0, 1] for a sum with recency, the weakest match has a relevance of 0: people are shown BM25 itself. */
function isLexical({ parameters }: ModelState): boolean {
  return (parameters as { mode?: SearchMode }).mode === 'lexical';
}

function hitCells({ rank, id, score, eventAt, title, text, explanation }: SearchHit, showsBm25: boolean): string[] {
  const { relevanceRank, age, decay, lexical } = explanation;
  const relevance = showsBm25 && lexical !== undefined ? lexical.score : explanation.relevance;
  return [
    `${rank}`,
    id,
    score.toFixed(4),
    relevance.toFixed(4),
    `${relevanceRank}`,
    shortAge(age),
    decay.toFixed(4),
    formatInstant(eventAt),
    shorten([title ?? '', text].filter((part) => part !== '').join(': ')),
  ];
}

/** Whole days from two on; exact below. */
function shortAge(age: number): string {
  return age < 2 * millisecondsPerDay ? formatDuration(age) : `${Math.floor(age / millisecondsPerDay)}d`;
}

function shorten(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  return characters.length <= textWidth ? characters.join('') : `${characters.slice(0, textWidth - 1).join('')}…`;
}
