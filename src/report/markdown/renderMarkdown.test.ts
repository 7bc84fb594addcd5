import { describe, expect, it } from 'vitest';
import { buildReport } from '../report.js';
import { hostileCells, hostileTexts } from '../testing/hostile.js';
import { type CellSketch, sketchContract, sketchRun } from '../testing/sketches.js';
import { codeBlock, codeSpan, escapeMarkdown } from './escapeMarkdown.js';
import { renderMarkdown } from './renderMarkdown.js';

const oracle: CellSketch = { key: { mechanism: 'feedback', mechanismUsesGold: true }, pit: 0.1, future: 0.2 };
const stress: CellSketch = { key: { stream: 'gold-overlap', streamKind: 'gold-overlap', streamUsesGold: true } };

/** Rows of every table, header and rule included, by the number of their cells. */
function tableRows(text: string): string[][] {
  const lines = text.replace(/^(`{3,})[\s\S]*?\n\1$/gm, '').split('\n');
  return lines.filter((line) => line.startsWith('|')).map((line) => line.split(/(?<!\\)\|/).slice(1, -1));
}

describe('renderMarkdown', () => {
  it('is as it was reviewed', async () => {
    const input = sketchRun([{}, { key: { stream: 'semantic', streamKind: 'semantic' } }, oracle, stress], {
      recorded: { command: 'asof replay sketch.yaml' },
      contract: sketchContract(),
    });
    await expect(renderMarkdown(buildReport(input))).toMatchFileSnapshot('../testing/snapshots/report.md');
  });

  it('keeps hostile names inside their cells', () => {
    const text = renderMarkdown(
      buildReport(
        sketchRun(hostileCells(), { note: hostileTexts.join(' '), recorded: { command: hostileTexts.join('\n') } }),
      ),
    );
    const rows = tableRows(text);
    const rules = rows.flatMap((row, index) => (row.every((cell) => cell.trim() === '---') ? [index] : []));
    let columns = 0;
    for (const [index, row] of rows.entries()) {
      if (rules.includes(index + 1)) columns = row.length;
      expect(row).toHaveLength(columns);
    }
    const outside = text.replace(/^(`{3,})[\s\S]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/(?<!\\)<(script|img|svg|u|b)/);
    expect(outside).not.toMatch(/(?<!\\)\]\(/);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028]|NaN|undefined/u);
  });

  it('shows violations with examples, and no decision', () => {
    const text = renderMarkdown(buildReport(sketchRun([{}], { contract: sketchContract(['selfExclusion']) })));
    expect(text).toContain('| anchor 40, PIT | position 41 | a position below 40 |');
    expect(text).toContain('**trace: Historical claim fails.**');
    expect(renderMarkdown(buildReport(sketchRun([{}], { contract: null })))).toContain('No audit is recorded.');
  });

  it('copes with a run without cells', () => {
    expect(renderMarkdown(buildReport(sketchRun([])))).toContain('No anchor was replayed');
  });
});

describe('Markdown text', () => {
  it('prints as it is', () => {
    expect(escapeMarkdown('a_b *c* <d> `e` |f| [g](h) [3.01, 4.26]')).toBe(
      'a\\_b \\*c\\* \\<d\\> \\`e\\` \\|f\\| [g\\](h) [3.01, 4.26]',
    );
  });

  it('is fenced by more backticks than it holds', () => {
    expect(codeSpan('plain')).toBe('`plain`');
    expect(codeSpan('a``b|c')).toBe('``` a``b\\|c ```');
    expect(codeBlock('a\n```\nb\n', 'sh')).toBe('````sh\na\n```\nb\n````\n');
  });
});
