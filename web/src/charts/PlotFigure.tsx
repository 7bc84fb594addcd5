import { type PlotOptions, plot } from '@observablehq/plot';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Colours of the page by role; they follow the theme. */
export const colours = {
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  grid: 'var(--grid)',
  pit: 'var(--pit)',
  future: 'var(--future)',
} as const;

/** A chart of Observable Plot as wide as its place, with a text for those who do not see it. */
export function PlotFigure({ label, options }: { label: string; options: (width: number) => PlotOptions }) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width === 0) return;
    const chart = plot({
      width,
      style: { background: 'transparent', fontSize: '12px', color: 'var(--ink)' },
      ...options(width),
    });
    // The place has one label for the whole chart; those of its parts have no role that may carry one.
    for (const part of chart.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
    place.current!.replaceChildren(chart);
  }, [width, options]);
  return <div class="chart" role="img" aria-label={label} ref={place} />;
}
