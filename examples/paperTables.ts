import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CellEffects, RunEffects } from '../src/index.js';

/**
 * Prints the effects of a run of the full design as Markdown tables in the form of PIT Discovery's Tables 5 and 6, Figure 3
 * and section 6.5, each beside the paper's figure. Recall in points.
 *
 *     npx tsx examples/paperTables.ts runs/full-design
 */

/** Table 5: hindsight gain of trace memory, its 95% interval. */
const paperGain: Readonly<Record<string, string>> = {
  'convfinqa random bm25': '+4.79 [4.18, 5.40]',
  'convfinqa random hybrid': '+4.92 [4.31, 5.54]',
  'convfinqa semantic bm25': '+5.24 [4.54, 5.94]',
  'convfinqa semantic hybrid': '+4.92 [4.31, 5.53]',
  'hybridqa random bm25': '+2.62 [2.32, 2.94]',
  'hybridqa random hybrid': '+2.75 [2.41, 3.07]',
  'hybridqa semantic bm25': '+2.85 [2.50, 3.19]',
  'hybridqa semantic hybrid': '+2.80 [2.46, 3.15]',
  'tatqa random bm25': '+5.13 [4.55, 5.74]',
  'tatqa random hybrid': '+4.69 [4.11, 5.29]',
  'tatqa semantic bm25': '+4.97 [4.34, 5.62]',
  'tatqa semantic hybrid': '+4.69 [4.07, 5.33]',
};

/** Table 6: ranges of feedback memory over two streams and two retrievers. */
const paperFeedback: Readonly<Record<string, readonly [utility: string, gain: string]>> = {
  convfinqa: ['4.65 to 8.26', '4.11 to 5.91'],
  hybridqa: ['13.08 to 18.96', '5.03 to 7.39'],
  tatqa: ['13.10 to 16.15', '8.30 to 9.58'],
};

/** Section 6.4: share of the hindsight gain that horizon 500 recovers in semantic streams. */
const paperShareAt500: Readonly<Record<string, string>> = { convfinqa: '56%', hybridqa: '42%', tatqa: '96%' };

type Estimate = CellEffects['dose'][number]['gain'];

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: paperTables.ts <run>');
const { cells } = JSON.parse(await readFile(path.join(folder, 'effects.json'), 'utf8')) as RunEffects;
const trace = cells.filter(({ key }) => key.mechanism === 'trace');
const feedback = cells.filter(({ key }) => key.mechanism === 'feedback');
const domains = [...new Set(cells.map(({ key }) => key.domain))];

section('Table 5: trace memory, Asset Recall@100');
table(
  ['domain', 'stream', 'retriever', 'S', 'P', 'F', 'HG', 'HG, paper', 'PIT effect', 'MHF'],
  trace.map((cell) => [
    ...nameOf(cell),
    points(mean(cell, 'Stateless')),
    points(mean(cell, 'PIT')),
    points(mean(cell, 'Future')),
    withInterval(headline(cell).hindsightGain),
    paperGain[nameOf(cell).join(' ')] ?? '',
    withInterval(headline(cell).pitEffect),
    cell.maskedHarmFraction.value === null ? '' : `${(cell.maskedHarmFraction.value * 100).toFixed(1)}%`,
  ]),
);

section('Table 6: feedback memory, ranges over streams and retrievers');
table(
  ['domain', 'P - S', 'P - S, paper', 'F - P', 'F - P, paper', 'intervals above 0'],
  domains.map((domain) => {
    const here = feedback.filter(({ key }) => key.domain === domain);
    const contrasts = here.flatMap((cell) => [headline(cell).pitEffect, headline(cell).hindsightGain]);
    return [
      domain,
      range(here.map((cell) => headline(cell).pitEffect.mean)),
      paperFeedback[domain]?.[0] ?? '',
      range(here.map((cell) => headline(cell).hindsightGain.mean)),
      paperFeedback[domain]?.[1] ?? '',
      `${contrasts.filter(({ interval }) => interval !== null && interval.lower > 0).length} of ${contrasts.length}`,
    ];
  }),
);

section('Figure 3, top: hindsight gain by horizon, trace memory');
const horizons = trace[0]?.dose.map(({ horizon }) => horizon) ?? [];
table(
  ['domain', 'stream', 'retriever', ...horizons.map((horizon) => `h = ${horizon}`), 'share at the last', 'paper'],
  trace.map((cell) => [
    ...nameOf(cell),
    ...cell.dose.map(({ horizon, gain }) => (horizon === horizons[0] ? withInterval(gain) : points(gain.mean))),
    share(cell.dose.at(-1)?.gain.mean ?? null, headline(cell).hindsightGain.mean),
    cell.key.stream === 'semantic' && cell.key.retriever === 'hybrid' ? (paperShareAt500[cell.key.domain] ?? '') : '',
  ]),
);

section('Figure 3, bottom: by anchor position, mean over the cells of trace memory');
table(
  ['position', 'HG', 'future slots', 'nearest, PIT', 'nearest, Future', 'slots filled, PIT', 'slots filled, Future'],
  [0, 1, 2, 3].map((quartile) => {
    const here = trace.map((cell) => cell.quartiles[quartile]!);
    const average = (pick: (effects: (typeof here)[number]) => number | null) =>
      here.reduce((sum, effects) => sum + (pick(effects) ?? Number.NaN), 0) / here.length;
    return [
      `${20 * (quartile + 1)}%`,
      points(average((effects) => effects.hindsightGain.mean)),
      percent(average((effects) => effects.futureSlotShare)),
      average((effects) => effects.nearestSimilarity.pit).toFixed(3),
      average((effects) => effects.nearestSimilarity.future).toFixed(3),
      percent(average((effects) => effects.slotFill.pit)),
      percent(average((effects) => effects.slotFill.future)),
    ];
  }),
);

section('Section 6.5: by metric, ranges over the cells of trace memory');
const paperMetric: readonly (readonly [string, string])[] = [
  ['recall_10', '0.32 to 2.02'],
  ['recall_20', '0.66 to 3.71'],
  ['recall_50', '1.68 to 4.73'],
  ['recall_100', '2.62 to 5.24'],
  ['recall_100_table', '1.45 to 8.70'],
  ['recall_100_text', '2.85 to 5.93'],
  ['complete_100', 'positive'],
];
table(
  ['metric', 'HG', 'HG, paper', 'intervals above 0'],
  paperMetric.map(([metric, paper]) => {
    const gains = trace.flatMap((cell) => cell.contrasts[metric]?.hindsightGain ?? []);
    const above = gains.filter(({ interval }) => interval !== null && interval.lower > 0).length;
    return [metric, range(gains.map((gain) => gain.mean)), paper, `${above} of ${gains.length}`];
  }),
);

section('Section 6.5: files inspected to reach 80% of a product, where every condition reaches it');
table(
  ['domain', 'stream', 'retriever', 'Future - PIT', 'paper'],
  trace.map((cell) => [
    ...nameOf(cell),
    cell.contrasts.rank_80?.hindsightGain.mean?.toFixed(2) ?? '',
    '-5.69 to -0.39',
  ]),
);

section('Section 6.5: without near duplicates (similarity of 0.99 or more)');
table(
  ['domain', 'stream', 'retriever', 'anchors kept', 'HG'],
  trace.map((cell) => [
    ...nameOf(cell),
    percent(cell.withoutNearDuplicates.anchors / cell.anchors),
    withInterval(cell.withoutNearDuplicates.hindsightGain),
  ]),
);

section('Section 6.6: what the audit sees');
table(
  ['largest TVR of PIT', 'future slots of Future', 'largest Naive - Future', 'values in one only'],
  [
    [
      String(Math.max(...cells.map(({ validity }) => validity.largestPitTvr))),
      cells.every(({ validity }) => validity.futureSlotShare !== null)
        ? `${percent(Math.min(...cells.map(({ validity }) => validity.futureSlotShare!)))} to ${percent(Math.max(...cells.map(({ validity }) => validity.futureSlotShare!)))}`
        : 'not defined everywhere',
      String(Math.max(...cells.map(({ validity }) => validity.naiveDifference))),
      String(Math.max(...cells.map(({ validity }) => validity.naiveMismatches))),
    ],
  ],
);

function headline(cell: CellEffects): CellEffects['contrasts'][string] {
  return cell.contrasts[cell.headline]!;
}

function mean(cell: CellEffects, condition: string): number | null {
  return cell.means[condition]?.[cell.headline] ?? null;
}

function nameOf({ key }: CellEffects): string[] {
  return [key.domain, key.stream, key.retriever];
}

function points(value: number | null): string {
  return value === null || Number.isNaN(value) ? '' : (value * 100).toFixed(2);
}

function percent(value: number): string {
  return Number.isNaN(value) ? '' : `${(value * 100).toFixed(1)}%`;
}

function share(part: number | null, whole: number | null): string {
  return part === null || whole === null || whole <= 0 ? '' : `${Math.round((part / whole) * 100)}%`;
}

function range(values: readonly (number | null)[]): string {
  const defined = values.filter((value) => value !== null);
  if (defined.length === 0) return '';
  return `${points(Math.min(...defined))} to ${points(Math.max(...defined))}`;
}

function withInterval({ mean, interval }: Estimate): string {
  if (mean === null) return '';
  const sign = mean < 0 ? '' : '+';
  const bounds = interval === null ? '' : ` [${points(interval.lower)}, ${points(interval.upper)}]`;
  return `${sign}${points(mean)}${bounds}`;
}

function section(title: string): void {
  console.log(`\n### ${title}\n`);
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const row of [header, header.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}
