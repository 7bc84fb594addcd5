import { areaY, axisX, initializer, ruleX, stackY, text } from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { colours, PlotFigure } from './PlotFigure.js';

/** A topic's volume in a slice. */
export interface StreamPoint {
  readonly topic: string;
  readonly start: number;
  readonly size: number;
  /** Trend label; null for none. */
  readonly label: string | null;
}

const palette = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#b8860b',
  '#56b4e9',
  '#8c6bb1',
  '#41ab5d',
  '#7f7f7f',
  '#e7298a',
  '#7fb8d8',
  '#eaaf7f',
  '#7fcdb9',
  '#e5bcd3',
  '#dbc285',
  '#2f5f8a',
  '#c5b5d8',
  '#a0d5ad',
  '#8a5a2b',
  '#f2a6cc',
];

/** The band of all topics that have none of their own, and its colour. */
export const others = 'others';
export const othersColour = 'var(--rule)';

/** What stands on the stream for a label. */
export const labelMarks: Readonly<Record<string, string>> = {
  emergence: '✱',
  growth: '▲',
  decay: '▼',
  drift: '↝',
};

type Scale = (value: number) => number;

/** Height that a band must have for a mark, and the distance that marks keep, in pixels. */
const markHeight = 12;
const markDistance = 16;

/**
 * Which marks are drawn: those where a topic's label begins, the largest volumes first, each only where its band is high
 * enough for it and no mark stands near.
 * @param points slice by slice, as the stream takes them
 * @param at where the middle of a point's band is, in pixels
 * @param heightOf height of a band, in pixels
 * @returns indexes of points
 */
export function markedPoints(
  points: readonly StreamPoint[],
  at: (index: number) => readonly [number, number],
  heightOf: (size: number) => number,
): number[] {
  const lastLabels = new Map<string, string | null>();
  const candidates: number[] = [];
  for (const [index, { topic, label, size }] of points.entries()) {
    const begins = label !== (lastLabels.get(topic) ?? null);
    lastLabels.set(topic, label);
    if (begins && label !== null && label in labelMarks && heightOf(size) >= markHeight) candidates.push(index);
  }
  candidates.sort((a, b) => points[b]!.size - points[a]!.size || a - b);
  const placed: (readonly [number, number])[] = [];
  return candidates.filter((index) => {
    const [x, y] = at(index);
    if (placed.some(([otherX, otherY]) => Math.hypot(x - otherX, y - otherY) < markDistance)) return false;
    placed.push([x, y]);
    return true;
  });
}

/** Volumes of topics over time as one stream, trend labels on it. */
export function StreamGraph({
  points,
  topics,
  asOf,
}: {
  points: readonly StreamPoint[];
  topics: readonly string[];
  asOf: number;
}) {
  const options = useCallback(() => {
    const stack = { offset: 'center' as const, order: [...topics] };
    const channels = { x: (point: StreamPoint) => new Date(point.start), y: 'size', z: 'topic' };
    return {
      height: 340,
      marginTop: 18,
      marginBottom: 34,
      x: { type: 'utc' as const, label: null },
      y: { axis: null },
      color: {
        domain: [...topics],
        range: topics.map((topic, place) => (topic === others ? othersColour : topicColour(place))),
      },
      marks: [
        areaY(points, stackY(stack, { ...channels, fill: 'topic', fillOpacity: 0.85, curve: 'monotone-x' as const })),
        text(
          points,
          initializer(
            stackY(stack, {
              ...channels,
              text: (point: StreamPoint) => labelMarks[point.label ?? ''] ?? '',
              fill: colours.ink,
              stroke: 'var(--paper)',
              strokeWidth: 3,
            }),
            (data, _facets, { x, y }, scales) => {
              const [scaleX, scaleY] = [scales.x as unknown as Scale, scales.y as unknown as Scale];
              const [xs, ys] = [x!.value as unknown as ArrayLike<number>, y!.value as unknown as ArrayLike<number>];
              const marked = markedPoints(
                points,
                (index) => [scaleX(xs[index]!), scaleY(ys[index]!)],
                (size) => Math.abs(scaleY(size) - scaleY(0)),
              );
              return { data, facets: [marked] };
            },
          ),
        ),
        axisX({ anchor: 'bottom' }),
        ruleX([new Date(asOf)], { stroke: colours.muted, strokeDasharray: '3 3' }),
      ],
    };
  }, [points, topics, asOf]);
  return (
    <PlotFigure
      label={`Volumes of ${topics.length} topics over time. The table below has the same figures.`}
      options={options}
    />
  );
}

/** The colour of a topic in the stream, by its place. */
export function topicColour(place: number): string {
  return palette[place % palette.length]!;
}
