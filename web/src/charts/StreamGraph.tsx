import { areaY, axisX, ruleX, stackY, text } from '@observablehq/plot';
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
];

/** What stands on the stream for a label. */
export const labelMarks: Readonly<Record<string, string>> = {
  emergence: '✱',
  growth: '▲',
  decay: '▼',
  drift: '↝',
};

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
      color: { domain: [...topics], range: palette },
      marks: [
        areaY(points, stackY(stack, { ...channels, fill: 'topic', fillOpacity: 0.85, curve: 'monotone-x' as const })),
        text(
          points,
          stackY(stack, {
            ...channels,
            text: (point: StreamPoint) => (point.size === 0 ? '' : (labelMarks[point.label ?? ''] ?? '')),
            fill: colours.ink,
            stroke: 'var(--paper)',
            strokeWidth: 3,
          }),
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
