import type { CellEffects } from '../../replay/effects/effects.js';
import { type CellDimension, goldTags } from '../cellNames.js';
import { allCells, type Report } from '../report.js';

/** Cells that differ in their stream only: one panel of a figure, one line for each stream. */
export interface Facet {
  /** What it belongs to, and the mechanism. */
  readonly title: readonly [string, string];
  readonly tag: string | null;
  readonly cells: readonly CellEffects[];
}

/** Panels of a run, in the order of its cells; streams that look at labels get panels of their own. */
export function facetsOf({ cells, stressCells, varying }: Pick<Report, 'cells' | 'stressCells' | 'varying'>): Facet[] {
  const named = varying.filter((dimension) => dimension !== 'stream' && dimension !== 'mechanism');
  return [cells, stressCells].flatMap((list) => {
    const facets = new Map<string, CellEffects[]>();
    for (const { effects } of list) {
      const { domain, retriever, mechanism } = effects.key;
      const identity = JSON.stringify([domain, retriever, mechanism]);
      facets.set(identity, [...(facets.get(identity) ?? []), effects]);
    }
    return Array.from(facets.values(), (own) => facetOf(own, named));
  });
}

function facetOf(cells: readonly CellEffects[], named: readonly CellDimension[]): Facet {
  const { key } = cells[0]!;
  const tags = [key.mechanismUsesGold && goldTags.mechanism, key.streamUsesGold && goldTags.stream].filter(Boolean);
  return {
    title: [named.map((dimension) => key[dimension]).join(' · '), key.mechanism],
    tag: tags.length === 0 ? null : tags.join(', '),
    cells,
  };
}

/** Streams of a run by label, in the order of its cells: their patterns in every figure. */
export function streamsOf(report: Report): string[] {
  return [...new Set(allCells(report).map(({ effects }) => effects.key.stream))];
}

/** A legend entry's words on its stream, where there are several. */
export function streamSuffix(report: Report, stream: string): string {
  if (streamsOf(report).length === 1) return '';
  const isStress = report.stressCells.some(({ effects }) => effects.key.stream === stream);
  return `, ${stream}${isStress ? ` [${goldTags.stream}]` : ''}`;
}

/** Panels in a row: mechanisms side by side, so that a column holds one of them. */
export function panelsPerRow(report: Report): number {
  const mechanisms = new Set(allCells(report).map(({ effects }) => effects.key.mechanism)).size;
  const panels = facetsOf({ ...report, varying: [] }).length;
  if (mechanisms === 2) return panels > 4 ? 4 : 2;
  return mechanisms === 4 ? 4 : Math.min(3, panels);
}
