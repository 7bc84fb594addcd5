/**
 * A pattern for what a page says that a snippet prints. `…` within a line stands for any text, a line of `…` or `...`
 * alone for any lines; spaces at the ends of lines, and of the whole, do not count.
 */
export function outputPattern(expected: string): RegExp {
  const lines = expected.trimEnd().split('\n');
  const source = lines.map((line, index) => {
    const end = index === lines.length - 1 ? '' : '\\n';
    if (/^\s*(…|\.\.\.)$/.test(line)) return `(?:[^\\n]*${end || '\\n?'})*?`;
    const parts = line.trimEnd().split('…');
    return `${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^\\n]*?')}[^\\S\\n]*${end}`;
  });
  return new RegExp(`^\\n*${source.join('')}\\s*$`);
}
