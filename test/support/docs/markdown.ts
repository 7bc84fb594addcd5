/**
 * What the tests of the documentation read in a page of Markdown: fenced snippets with the marks above them, headings
 * and links.
 *
 * Marks are HTML comments directly above a fence, and say what the test is to do with it:
 *
 * | mark | |
 * | --- | --- |
 * | `not run in CI: REASON` | the snippet is left out, and the test prints why |
 * | `in CI first: COMMAND` | a shell command that makes what the snippet takes for granted |
 * | `ends with N` | the exit code of a shell snippet, 0 without it |
 * | `file: NAME` | the snippet is the content of this file, which the snippets below it find |
 * | `schema: NAME` | a JSON or YAML snippet keeps to `schemas/NAME` |
 * | `output` | the snippet is what the one before it prints, as every `text` snippet is |
 * | `continues` | a TypeScript snippet goes on where the one before it ended |
 */
export interface Snippet {
  /** Path of the page, and line of the opening fence from 1: `docs/search.md:12`. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  readonly marks: Marks;
}

export interface Marks {
  readonly notRun?: string;
  readonly first?: string;
  readonly endsWith?: number;
  readonly file?: string;
  readonly schema?: string;
  readonly output?: true;
  readonly continues?: true;
}

export interface Page {
  readonly path: string;
  readonly snippets: readonly Snippet[];
  /** Ids that GitHub gives the headings. */
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly { readonly place: string; readonly target: string }[];
}

const fencePattern = /^\s*(```+)(\S*)\s*$/;

export function parsePage(path: string, text: string): Page {
  const lines = text.split('\n');
  const snippets: Snippet[] = [];
  const anchors = new Set<string>();
  const links: { place: string; target: string }[] = [];
  let marks: Marks = {};
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const place = `${path}:${index + 1}`;
    const fence = fencePattern.exec(line);
    if (fence !== null) {
      const start = index + 1;
      do index++;
      while (index < lines.length && lines[index]!.trim() !== fence[1]);
      if (index === lines.length) throw new Error(`${place}: the fence is never closed`);
      snippets.push({ place, language: fence[2]!, text: lines.slice(start, index).join('\n'), marks });
      marks = {};
      continue;
    }
    const comment = /^<!-- (.*) -->$/.exec(line);
    if (comment !== null) marks = { ...marks, ...parseMark(comment[1]!, place) };
    else if (line.trim() !== '' && Object.keys(marks).length > 0) throw new Error(`${place}: a mark without a snippet`);
    const heading = /^#{1,6} (.*)$/.exec(line);
    if (heading !== null) anchors.add(anchorOf(heading[1]!, anchors));
    for (const [, target] of withoutCode(line).matchAll(/\]\(<?([^)\s>]+)>?\)/g))
      links.push({ place, target: target! });
  }
  return { path, snippets: withOutputsOf(snippets), anchors, links };
}

/** Where a snippet is not run, neither is what it prints compared. */
function withOutputsOf(snippets: readonly Snippet[]): Snippet[] {
  let notRun: string | undefined;
  return snippets.map((snippet) => {
    const { language, marks } = snippet;
    const isOutput = language === 'text' || marks.output === true;
    if (isOutput && notRun !== undefined) return { ...snippet, marks: { ...marks, notRun } };
    if (language === 'sh' || language === 'ts') notRun = marks.notRun;
    return snippet;
  });
}

function parseMark(comment: string, place: string): Marks {
  const [, name, value = ''] = /^([a-zA-Z ]+?)(?:: (.*)| (\d+))?$/.exec(comment) ?? [];
  const code = /^ends with (\d+)$/.exec(comment);
  if (code !== null) return { endsWith: Number(code[1]) };
  if (name === 'not run in CI' && value !== '') return { notRun: value };
  if (name === 'in CI first' && value !== '') return { first: value };
  if (name === 'file' && value !== '') return { file: value };
  if (name === 'schema' && value !== '') return { schema: value };
  if (comment === 'output') return { output: true };
  if (comment === 'continues') return { continues: true };
  throw new Error(`${place}: unknown mark "${comment}"`);
}

/** The id of a heading: lower case, without punctuation, hyphens for spaces, numbered when taken. */
function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  const anchor = words.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-');
  let unique = anchor;
  for (let count = 1; taken.has(unique); count++) unique = `${anchor}-${count}`;
  return unique;
}

function withoutCode(line: string): string {
  return line.replace(/`[^`]*`/g, '');
}
