import { formatInstant } from '../../time/formatInstant.js';
import type { TopicView } from '../../topics/evaluation/topicViews.js';
import type { PublishedSlice, TopicPoint } from '../../topics/publishedSlice.js';
import type { StateValue } from '../../topics/state/stateValue.js';
import type { TopicEvent } from '../../topics/trackers/TopicTracker.js';
import { numberOf } from './numberOf.js';
import { sparkline } from './sparkline.js';
import { type Alignment, formatTable, type TableOptions } from './table.js';

export interface TopicTableOptions {
  /** Topics shown, those with most documents in the last published slice first. */
  readonly most: number;
  /** Published slices whose volumes are drawn. */
  readonly drawn: number;
  readonly styleHeader?: TableOptions['styleHeader'];
}

/** The topics that are alive after the last published slice, one a line, with their course; '' where there are none. */
export function topicTable(
  slices: readonly PublishedSlice[],
  views: readonly TopicView[],
  { most, drawn, styleHeader }: TopicTableOptions,
): string {
  const published = slices.filter(({ provisional }) => !provisional);
  const last = published.at(-1);
  const open = slices.find(({ provisional }) => provisional);
  const shown = last ?? open;
  if (shown === undefined) return '';
  const sizes = new Map(views.map((view) => [view.topic, view.sizes]));
  const soFar = new Map(open?.points.map(({ topic, size }) => [topic, size]));
  const points = shown.points
    .filter(({ label }) => label !== 'ended')
    .sort((a, b) => b.size - a.size || a.topic - b.topic)
    .slice(0, most);
  const isBoth = last !== undefined && open !== undefined;
  const rows = points.map((point) => [
    `${point.topic}`,
    `${point.size}`,
    ...(isBoth ? [`${soFar.get(point.topic) ?? 0}`] : []),
    point.label ?? '(open)',
    point.ratio?.toFixed(2) ?? '',
    sparkline((sizes.get(point.topic) ?? new Float64Array(0)).slice(-drawn)),
    point.about.slice(0, 6).join(' '),
  ]);
  if (rows.length === 0) return '';
  const header = ['topic', shown.id, ...(isBoth ? [`${open.id} so far`] : []), 'label', 'ratio', 'volume', 'terms'];
  const numeric = new Set(['topic', 'ratio', shown.id, `${open?.id} so far`]);
  const alignments = header.map((name): Alignment => (numeric.has(name) ? 'right' : 'left'));
  return formatTable(rows, { header, alignments, styleHeader });
}

/** Why a list of topics is empty. */
export function noTopicText(slices: readonly PublishedSlice[], parameters: StateValue): string {
  if (slices.some(({ points }) => points.length > 0)) return 'no topic is alive any more';
  const documents = slices.reduce((sum, slice) => sum + slice.documents, 0);
  const { tracker } = parameters as { tracker: { parameters: { leastDocuments: number } } };
  const count = documents === 1 ? 'one document' : `${documents} documents`;
  return `no topic: ${count}; a topic needs ${tracker.parameters.leastDocuments} that are alike`;
}

/** One topic's course, a line a slice, and what happened to it. */
export function topicCourse(
  slices: readonly PublishedSlice[],
  topic: number,
  styleHeader?: TableOptions['styleHeader'],
): string {
  const course = slices.flatMap(({ id, provisional, points }) => {
    const point = points.find((own) => own.topic === topic);
    return point === undefined ? [] : [{ id, provisional, point }];
  });
  const largest = course.reduce((most, { point }) => Math.max(most, point.size), 1);
  const rows = course.map(({ id, provisional, point }) => [
    id,
    `${point.size}`,
    '█'.repeat(Math.ceil((point.size / largest) * 20)),
    provisional ? '(open)' : (point.label ?? ''),
    point.ratio?.toFixed(2) ?? '',
    point.drift?.toFixed(2) ?? '',
    point.terms.slice(0, 6).join(' '),
    entitiesText(point),
  ]);
  const header = ['slice', 'documents', '', 'label', 'ratio', 'drift', 'terms', 'entities'];
  const alignments: Alignment[] = ['left', 'right', 'left', 'left', 'right', 'right'];
  const table = formatTable(rows, { header, alignments, styleHeader });
  const events = slices.flatMap(({ id, events: ofSlice }) =>
    ofSlice
      .filter((event) => event.topic === topic || event.other === topic)
      .map((event) => `${id}  ${eventText(event)}\n`),
  );
  return events.length === 0 ? table : `${table}\n${events.join('')}`;
}

function entitiesText({ entities }: TopicPoint): string {
  return entities
    .slice(0, 3)
    .map(({ entity, share }) => `${entity} ${Math.round(share * 100)}%`)
    .join(', ');
}

/** What happened, in words. */
export function eventText({ kind, topic, other, cosine, documents }: TopicEvent): string {
  const nearness = cosine === null ? '' : ` (cosine ${cosine.toFixed(2)})`;
  switch (kind) {
    case 'emergence':
      return `${topic} emerged with ${numberOf(documents, 'document')}${other === null ? '' : `, beside ${other}${nearness}`}`;
    case 'split':
      return `${topic} split off ${other} with ${numberOf(documents, 'document')}${nearness}`;
    case 'merge':
      return `${topic} became part of ${other}${nearness}`;
    case 'succession':
      return `${topic} went on with other documents, ${other === null ? `${documents} so far` : `those of ${other}`}${nearness}`;
    case 'return':
      return `${topic} is back with ${numberOf(documents, 'document')}${nearness}`;
    case 'end':
      return `${topic} ended`;
  }
}

/** What a list of topics is of, a line each. */
export function slicesText(
  slices: readonly PublishedSlice[],
  asOf: number,
  coveredUntil: number,
  rule: string,
): string[] {
  const documents = slices.reduce((sum, slice) => sum + slice.documents, 0);
  const unassigned = slices.reduce((sum, slice) => sum + slice.unassigned, 0);
  const share = documents === 0 ? '' : `, ${Math.round((100 * unassigned) / documents)}% of them in no topic`;
  const range = slices.length === 0 ? '' : ` (${slices[0]!.id} to ${slices.at(-1)!.id})`;
  return [
    `as of ${formatInstant(asOf)}, complete until ${formatInstant(coveredUntil)}`,
    `${numberOf(slices.length, 'slice')} by ${rule}${range}, ${numberOf(documents, 'document')}${share}`,
  ];
}
