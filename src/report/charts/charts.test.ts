import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectsForest } from '../figures/effectsForest.js';
import { horizonPanels } from '../figures/horizonPanels.js';
import { positionPanels } from '../figures/positionPanels.js';
import { buildReport, type Report } from '../report.js';
import { type CellSketch, sketchRun } from '../testing/sketches.js';
import { coordinates, overlaps, textBoxes } from '../testing/svgTexts.js';
import { forestPlot } from './forestPlot.js';
import { linePanels } from './linePanels.js';

const charts: readonly (readonly [string, (report: Report) => string])[] = [
  ['forest plot', (report) => forestPlot(effectsForest(report)).text],
  ['horizon panels', (report) => linePanels(horizonPanels(report)).text],
  ['position panels', (report) => linePanels(positionPanels(report)).text],
];

/** Cells of every combination; enough of each to reach 48. */
function crossed(domains: number, streams: number, retrievers: number, mechanisms: number, name = ''): CellSketch[] {
  const keys: CellSketch[] = [];
  for (let domain = 0; domain < domains; domain++)
    for (let stream = 0; stream < streams; stream++)
      for (let retriever = 0; retriever < retrievers; retriever++)
        for (let mechanism = 0; mechanism < mechanisms; mechanism++)
          keys.push({
            key: {
              domain: `domain${domain}${name}`,
              stream: stream === 0 ? 'random' : `semantic,clusters=${stream}${name}`,
              retriever: retriever === 0 ? 'bm25' : `bm25,k1=0.9,b=0.${retriever}${name}`,
              mechanism: mechanism === 0 ? 'trace' : `feedback${mechanism}${name}`,
              mechanismUsesGold: mechanism > 0,
            },
            anchors: 12,
            requests: 6,
            pit: mechanism > 0 ? 0.15 : -0.15,
            future: mechanism > 0 ? 0.25 : -0.1,
          });
  return keys;
}

const stress: CellSketch = { key: { stream: 'gold-overlap', streamKind: 'gold-overlap', streamUsesGold: true } };

const layouts: readonly (readonly [string, readonly CellSketch[]])[] = [
  ['1 cell', [{}]],
  ['2 cells', crossed(1, 1, 1, 2)],
  ['3 mechanisms and a stress stream', [...crossed(1, 1, 1, 3), stress]],
  ['24 cells', crossed(3, 2, 2, 2)],
  ['48 cells', crossed(4, 3, 2, 2)],
  ['48 cells with long names', crossed(4, 2, 2, 3, '-and-a-name-that-goes-on-and-on-without-an-end-in-sight-of-it')],
  [
    'undefined, constant and lone cells',
    [{ isUndefined: true }, { key: { domain: 'b' }, noise: 0 }, { key: { domain: 'c' }, requests: 1 }],
  ],
  [
    'all in Chinese and Arabic',
    [{ key: { domain: '检索系统', mechanism: 'ذاكرة' } }, { key: { domain: 'x', mechanism: '記憶' } }],
  ],
  ['no horizons', [{ horizons: [] }]],
  ['horizons side by side', [{ horizons: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 500, 501] }]],
];

describe.each(layouts)('charts of %s', (_, sketches) => {
  const report = buildReport(sketchRun(sketches));

  it.each(charts)('%s: no text over another, and none outside', (_, draw) => {
    const svg = draw(report);
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!.map(Number);
    const boxes = textBoxes(svg);
    expect(boxes.length).toBeGreaterThan(3);
    expect(overlaps(boxes)).toEqual([]);
    for (const { text, left, right, top, bottom } of boxes) {
      expect({ text, isInside: left >= -1 && right <= width! + 1 && top >= -1 && bottom <= height! + 1 }).toEqual({
        text,
        isInside: true,
      });
    }
  });

  it.each(charts)('%s: says what it shows, and is the same every time', (_, draw) => {
    const svg = draw(report);
    expect(svg).toMatch(/^<svg class="chart" role="img" aria-labelledby="([\w-]+)-title \1-description"/);
    expect(svg).toMatch(/<title id="[\w-]+-title">[^<]+<\/title><desc id="[\w-]+-description">[^<]+<\/desc>/);
    expect(draw(buildReport(sketchRun(sketches)))).toBe(svg);
  });

  it.each(charts)('%s: every coordinate is a finite number', (_, draw) => {
    for (const { name, value } of coordinates(draw(report))) {
      expect({ name, isFinite: Number.isFinite(value) }).toEqual({ name, isFinite: true });
    }
    expect(draw(report)).not.toMatch(/NaN|undefined|Infinity|null/);
  });
});

describe('forestPlot', () => {
  const estimate = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { nil: null });

  it('keeps every mark inside the picture, whatever the values', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(estimate, estimate, estimate), { minLength: 1, maxLength: 12 }), (values) => {
        const rows = values.map(([mean, a, b], index) => ({
          labels: [{ text: `row ${index}`, tag: index % 2 === 0 ? 'oracle' : null }],
          marks: [
            {
              tone: 'pit' as const,
              mean,
              interval: a === null || b === null ? null : { lower: Math.min(a, b), upper: Math.max(a, b) },
              text: [String(mean), ''] as const,
            },
          ],
        }));
        const svg = forestPlot({
          id: 'f',
          title: 't',
          description: 'd',
          columns: ['Row'],
          groups: [{ heading: '', rows }],
          legend: [],
          axisLabel: 'points',
          valueHeader: 'value',
          sides: ['less', 'more'],
        }).text;
        const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!.map(Number);
        for (const { value } of coordinates(svg)) {
          expect(value).toBeGreaterThanOrEqual(-1);
          expect(value).toBeLessThanOrEqual(Math.max(width!, height!));
        }
        expect(svg.match(/class="mark /g) ?? []).toHaveLength(values.filter(([mean]) => mean !== null).length);
      }),
      { numRuns: 60 },
    );
  });

  it('prints what is not defined and what has no interval, and fills no mark without one', () => {
    const report = buildReport(
      sketchRun([
        { key: { domain: 'a' }, isUndefined: true },
        { key: { domain: 'b' }, requests: 1 },
      ]),
    );
    const svg = forestPlot(effectsForest(report)).text;
    expect(svg.match(/>not defined</g)).toHaveLength(2);
    expect(svg.match(/>\(no interval\)</g)).toHaveLength(2);
    expect(svg.match(/class="mark (pit|future) hollow"/g)).toHaveLength(2);
  });
});

describe('reviewed pictures', () => {
  const report = buildReport(sketchRun([...crossed(2, 2, 1, 2), stress]));

  it.each(charts)('%s', async (name, draw) => {
    await expect(`${draw(report)}\n`).toMatchFileSnapshot(`../testing/snapshots/${name.replace(' ', '-')}.svg`);
  });
});
