import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildReport, type ReportInput } from '../report.js';
import { hostileCells, hostileTexts } from '../testing/hostile.js';
import { type CellSketch, sketchContract, sketchRun } from '../testing/sketches.js';
import { renderHtml } from './renderHtml.js';

const oracle: CellSketch = { key: { mechanism: 'feedback', mechanismUsesGold: true }, pit: 0.1, future: 0.2 };
const stress: CellSketch = { key: { stream: 'gold-overlap', streamKind: 'gold-overlap', streamUsesGold: true } };
const htmlOf = (input: ReportInput) => renderHtml(buildReport(input));

const tags =
  'html head meta title style body main header section nav ul li a h1 h2 h3 p strong span bdi code pre div article figure table caption thead tbody tr th td details summary footer svg desc g path rect circle text tspan'.split(
    ' ',
  );
const attributes =
  'lang charset http-equiv content name class id href role tabindex aria-label aria-labelledby scope open width height viewBox xmlns d x y r cx cy transform font-size text-anchor dx unicode-bidi'.split(
    ' ',
  );

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Tags of a page as a parser meets them, style and doctype apart. */
function tagsOf(html: string): Tag[] {
  const body = html.replace(/<style>.*?<\/style>/s, '').replace('<!doctype html>', '');
  return Array.from(body.matchAll(/<(\/?)([^\s<>/]*)([^<>]*)>|<|>/g), ([whole, end, name, rest]) => {
    if (name === undefined) throw new Error(`a lone ${whole}`);
    const found = Array.from(
      rest!.matchAll(/([^\s"'=/]+)(?:="([^"]*)")?/g),
      ([, key, value]) => [key!, value ?? ''] as const,
    );
    return { name, isEnd: end === '/', attributes: new Map(found) };
  });
}

const pages: readonly (readonly [string, ReportInput])[] = [
  ['two cells', sketchRun([{}, oracle])],
  [
    'hostile names',
    sketchRun(hostileCells(), {
      note: hostileTexts.join(' '),
      recorded: { command: hostileTexts.join('\n'), [hostileTexts[0]!]: hostileTexts },
    }),
  ],
  ['no cell', sketchRun([])],
  ['stress streams', sketchRun([{}, oracle, stress])],
  ['stress streams alone', sketchRun([stress])],
  ['a failing contract', sketchRun([{}], { contract: sketchContract(['eligibility', 'metrics']) })],
  ['no audit', sketchRun([{}], { contract: null })],
  ['undefined metrics', sketchRun([{ isUndefined: true }])],
  ['one request', sketchRun([{ requests: 1 }])],
  ['equal anchors', sketchRun([{ noise: 0 }])],
  ['no horizon', sketchRun([{ horizons: [] }])],
];

describe.each(pages)('the page of %s', (_, input) => {
  const html = htmlOf(input);
  const found = tagsOf(html);

  it('is made of known tags and attributes, each opened and closed in turn', () => {
    const open: string[] = [];
    const isEmpty = new Set(['meta', 'path', 'rect', 'circle']);
    const names = (known: readonly string[], all: readonly string[]) =>
      [...new Set(all)].filter((name) => !known.includes(name));
    expect(
      names(
        tags,
        found.map(({ name }) => name),
      ),
    ).toEqual([]);
    expect(
      names(
        attributes,
        found.flatMap((tag) => [...tag.attributes.keys()]),
      ),
    ).toEqual([]);
    for (const tag of found) {
      if (tag.isEnd) expect(open.pop()).toBe(tag.name);
      else if (!isEmpty.has(tag.name)) open.push(tag.name);
    }
    expect(open).toEqual([]);
  });

  it('asks nothing of a network and runs nothing', () => {
    expect(
      found.filter(({ name }) => ['script', 'link', 'img', 'iframe', 'object', 'base', 'form'].includes(name)),
    ).toEqual([]);
    const ids = found.flatMap((tag) => tag.attributes.get('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const tag of found) {
      const href = tag.attributes.get('href');
      if (href !== undefined) expect(ids).toContain(href.slice(1));
    }
    const style = /<style>(.*?)<\/style>/s.exec(html)![1]!;
    expect(style).not.toMatch(/url\(|@import|@font-face|expression/);
    const policy = found.find((tag) => tag.attributes.has('http-equiv'))!.attributes.get('content')!;
    const digest = createHash('sha256').update(style).digest('base64');
    expect(policy.replaceAll('&#39;', "'")).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`,
    );
  });

  it('prints no text that is none, and no character that turns or hides others', () => {
    expect(html.replace(/not defined|undefined resamples/g, '')).not.toMatch(/NaN|Infinity|undefined|\[object|>null</);
    expect(html).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
    expect(html.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
  });
});

describe('renderHtml', () => {
  it('gives the same bytes for the same report', () => {
    expect(htmlOf(sketchRun([{}, oracle]))).toBe(htmlOf(sketchRun([{}, oracle])));
  });

  it('tags oracles and streams that use gold wherever they are named', () => {
    const html = htmlOf(sketchRun([{}, oracle, stress]));
    expect(html.match(/<bdi>feedback<\/bdi>/g)!.length).toBeGreaterThan(8);
    expect(html.match(/<bdi>feedback<\/bdi>(?! <span class="tag">oracle)/g)).toBeNull();
    expect(html.match(/<bdi>gold-overlap<\/bdi>(?! <span class="tag">uses gold)/g)).toBeNull();
    expect(html).toContain('Stress test: streams that use gold');
    expect(html).toMatch(/<tspan class="tag"[^>]*>\[uses gold\]<\/tspan>/);
  });

  it('shows the command, the note and what was recorded, and leaves out paths of inputs', () => {
    const recorded = {
      command: 'asof replay x.yaml',
      startedAt: '2025-01-02T03:04:05Z',
      inputs: { reports: { a: '/somewhere/a' } },
    };
    const html = htmlOf(sketchRun([{}], { recorded, note: 'Queries are simulated.' }));
    expect(html).toContain('<pre>asof replay x.yaml</pre>');
    expect(html).toContain('<bdi>dataset0: Queries are simulated.</bdi>');
    expect(html).toContain('<bdi>2025-01-02T03:04:05Z</bdi>');
    expect(html).not.toContain('/somewhere/a');
  });

  it('says over how many requests a metric is defined where conditions differ', () => {
    const html = htmlOf(sketchRun([{ noise: 0.1 }]));
    expect(html).toMatch(/<td>S\u00a0\d+, P\u00a0\d+, F\u00a0\d+, P\u00a0−\u00a0S\u00a0\d+, .* of\u00a020<\/td>/);
    expect(html).toContain('<td>all 20</td>');
  });

  it('shows each violated check with its examples', () => {
    const html = htmlOf(sketchRun([{}], { contract: sketchContract(['eligibility']) }));
    expect(html).toContain('<p class="contract fails"><strong>Contract fails</strong>');
    expect(html).toContain('<span class="outcome violated">violated</span>');
    expect(html).toContain('<bdi>position 41</bdi>');
    expect(html).not.toContain('Retain');
  });

  it('keeps names that run from right to left apart from what stands beside them', () => {
    const name = 'מסמך';
    const key = { domain: name, stream: name, retriever: name, mechanism: name, mechanismUsesGold: true };
    const html = htmlOf(sketchRun([{ key }, {}], { note: name }));
    const read = html.replace(/<title.*?<\/title>|<desc.*?<\/desc>|<pre>.*?<\/pre>|<p class="note">.*?<\/p>/gs, '');
    const apart = read
      .replaceAll(`<bdi>${name}</bdi>`, '')
      .replaceAll(`<tspan unicode-bidi="isolate">${name}</tspan>`, '');
    expect(read).not.toBe(apart);
    expect(apart.split('\n').filter((line) => line.includes(name))).toEqual([]);
  });

  it('is as it was reviewed', async () => {
    const input = sketchRun([{}, oracle], {
      note: 'Queries are simulated.',
      recorded: { command: 'asof replay sketch.yaml' },
    });
    await expect(htmlOf(input)).toMatchFileSnapshot('../testing/snapshots/report.html');
  });
});
