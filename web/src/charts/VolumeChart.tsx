import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { count, day } from '../lib/format.js';

export interface Timeline {
  readonly first: string | null;
  readonly last: string | null;
  readonly bins: readonly { readonly from: string; readonly to: string; readonly versions: number }[];
}

/** How much became available over time, behind the as-of slider. */
export function VolumeChart({ timeline, from, to }: { timeline: Timeline; from: number; to: number }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
    const draw = () => {
      // As the theme in force gives it: what the property holds may be a pair of colours.
      const colour = (name: string) => {
        element.style.color = `var(${name})`;
        const { color } = getComputedStyle(element);
        element.style.color = '';
        return color;
      };
      const bins = timeline.bins;
      const chart = new uPlot(
        {
          width: element.clientWidth,
          height: 72,
          legend: { show: false },
          cursor: { show: false },
          padding: [4, 0, 0, 0],
          scales: {
            x: { time: true, range: () => [from / 1000, to / 1000] },
            y: { range: (_, __, top) => [0, top || 1] },
          },
          axes: [
            {
              stroke: colour('--muted'),
              grid: { show: false },
              ticks: { stroke: colour('--rule') },
              size: 26,
              values: (_, ticks) => ticks.map((tick) => day(tick * 1000)),
              space: 96,
            },
            { show: false },
          ],
          series: [
            {},
            {
              stroke: colour('--pit'),
              fill: colour('--pit').replace(/^rgb\((.*)\)$/, 'rgba($1, 0.2)'),
              width: 1,
              paths: uPlot.paths.stepped!({ align: 1 }),
              points: { show: false },
            },
          ],
          tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        },
        [bins.map((bin) => Date.parse(bin.from) / 1000), bins.map((bin) => bin.versions)],
        element,
      );
      return chart;
    };
    let chart = draw();
    const again = () => {
      chart.destroy();
      chart = draw();
    };
    const resized = new ResizeObserver(() => element.clientWidth !== chart.width && again());
    resized.observe(element);
    // The canvas takes its colours once: another theme is another drawing.
    const themed = new MutationObserver(again);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const media = matchMedia('(prefers-color-scheme: dark)');
    media.addEventListener('change', again);
    return () => {
      resized.disconnect();
      themed.disconnect();
      media.removeEventListener('change', again);
      chart.destroy();
    };
  }, [timeline, from, to]);
  const total = timeline.bins.reduce((sum, bin) => sum + bin.versions, 0);
  return (
    <div
      class="volume"
      role="img"
      aria-label={`${count(total)} versions of assets became available from ${day(from)} to ${day(to)}`}
      ref={place}
    />
  );
}
