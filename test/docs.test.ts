import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Command } from 'commander';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { processContext } from '../src/cli/context.js';
import { buildProgram } from '../src/cli/runCli.js';
import { type Page, parsePage, type Snippet } from './support/docs/markdown.js';
import { outputPattern } from './support/docs/outputPattern.js';
import { isBuilt, PageRunner, type SnippetRun } from './support/docs/PageRunner.js';
import { asofCommands, callsOfAsof } from './support/docs/shellCommands.js';
import { programsOf, requireSyntax, typeErrors } from './support/docs/typeScriptSnippets.js';

const pages: Page[] = globSync(['*.md', 'docs/**/*.md', 'bench/results/*.md', 'checker/*.md', '!docs/api'])
  .sort()
  .map((file) => parsePage(file, readFileSync(file, 'utf8')));

/** Pages whose snippets are of another kind, and why they are not run. */
const apart: readonly (readonly [path: string, reason: string])[] = [
  ['bench/results/', 'benchmarks take minutes each, and peers that are installed apart'],
  ['docs/cli.md', 'how commands are called; another test compares the page with the code'],
  ['docs/results/', 'the commands of results take minutes to hours, and collections that are not part of the project'],
];

/** Why a snippet is not run, if it is not. */
function reasonOf({ place, marks }: Snippet): string | undefined {
  return marks.notRun ?? apart.find(([start]) => place.startsWith(start))?.[1];
}

/** CI runs the tests under two time zones; a shell, a server and programs, which take long, are for the first. */
const runsPrograms = isBuilt();

describe('the runner of snippets', () => {
  it('reads fences with their marks, and no mark that it does not know', () => {
    const text = '# A page\n\n<!-- ends with 3 -->\n```sh\nasof x\n```\n\n[there](other.md#a-b)';
    const page = parsePage('p.md', text);
    const snippet = { place: 'p.md:4', language: 'sh', text: 'asof x', marks: { endsWith: 3 } };
    expect(page).toMatchObject({ snippets: [snippet], links: [{ place: 'p.md:8', target: 'other.md#a-b' }] });
    expect([...page.anchors]).toEqual(['a-page']);
    expect(() => parsePage('p.md', '<!-- not run in CI -->\n```sh\n```')).toThrow('p.md:1');
    expect(() => parsePage('p.md', '<!-- output -->\nwords')).toThrow('p.md:2');
    expect(() => parsePage('p.md', '```sh\nasof')).toThrow('p.md:1');
  });

  it('takes calls of asof apart as a shell does, and leaves the rest to a shell', () => {
    const snippet = 'npx asof init && asof search "two words" --as-of 2024   # why\nasof export \\\n  -w x > "a b"';
    expect(asofCommands(snippet)).toEqual([
      { words: ['init'] },
      { words: ['search', 'two words', '--as-of', '2024'] },
      { words: ['export', '-w', 'x'], outputFile: 'a b' },
    ]);
    for (const other of [
      'asof search $QUERY',
      'asof status | head',
      'ls',
      'asof ingest *.jsonl',
      'asof status; asof',
    ]) {
      expect([other, asofCommands(other)]).toEqual([other, undefined]);
    }
    expect(callsOfAsof('for d in 1 2; do\n  npx asof replay x --depth $d\ndone')).toEqual([
      ['replay', 'x', '--depth', 'd'],
    ]);
  });

  it('compares outputs but for what an ellipsis stands for', () => {
    const printed = 'first line  \nsecond\nthird 12 ms\n';
    for (const expected of ['first line\nsecond\nthird 12 ms', 'first line\n…\nthird … ms', '…', 'first line\n...']) {
      expect(printed).toMatch(outputPattern(expected));
    }
    for (const expected of ['first line', 'first line\nthird 12 ms', 'second\n…', 'first line\nsecond\nthird 1. ms']) {
      expect(printed).not.toMatch(outputPattern(expected));
    }
  });
});

describe('links', () => {
  const linked = pages.filter(({ links }) => links.length > 0);
  it.each(linked.map((page) => [page.path, page] as const))(
    'of %s lead to files and headings that exist',
    (_, page) => {
      const dead = page.links.filter(({ target }) => isDead(page.path, target));
      expect(dead).toEqual([]);
    },
  );

  function isDead(from: string, target: string): boolean {
    if (/^(https?|mailto):/.test(target)) return false;
    const [file, anchor] = target.split('#');
    const to = file === '' ? from : path.posix.join(path.posix.dirname(from), decodeURI(file!));
    if (!existsSync(to)) return true;
    return anchor !== undefined && pages.find((page) => page.path === to)?.anchors.has(anchor) !== true;
  }
});

describe('snippets', () => {
  const all = pages.flatMap(({ snippets }) => snippets);
  const left = all.filter((snippet) => reasonOf(snippet) !== undefined);
  const run = new Set<string>();
  let typeScript: string[] = [];

  beforeAll(async () => {
    const runner = await PageRunner.create();
    const programs = pages.flatMap(({ snippets }) => programsOf(snippets));
    if (runsPrograms) typeScript = typeErrors(programs, runner.folder);
    await runner.close();
  });

  it('say in which language they are', () => {
    const unnamed = all.filter((snippet) => snippet.language === '' && reasonOf(snippet) === undefined);
    expect(unnamed.map(({ place }) => place)).toEqual([]);
  });

  it('in TypeScript have the types that the package declares', ({ skip }) => {
    skip(!runsPrograms, 'dist/ is not built');
    expect(typeScript).toEqual([]);
  });

  const withSnippets = pages.filter(({ snippets }) => snippets.some((snippet) => reasonOf(snippet) === undefined));
  it.each(withSnippets.map((page) => [page.path, page] as const))('of %s run as written', async (_, page) => {
    const runner = await PageRunner.create();
    try {
      await runPage(page, runner);
    } finally {
      await runner.close();
    }
  });

  it('are all run, or said not to be', () => {
    const silent = all.filter((snippet) => reasonOf(snippet) === undefined && !run.has(snippet.place));
    expect(silent.map(({ place }) => place)).toEqual([]);
  });

  it('that are not run name commands, options and files that exist', () => {
    const faults = left.flatMap(({ place, language, text }) => {
      if (language !== 'sh') return [];
      const files = text.match(/\b(?:examples|bench|scripts)\/[\w./-]+\.\w+/g) ?? [];
      return [
        ...files.filter((file) => !existsSync(file)).map((file) => `${place}: ${file} does not exist`),
        ...callsOfAsof(text).flatMap((words) => unknownOptions(words).map((option) => `${place}: ${option}`)),
      ];
    });
    expect(faults).toEqual([]);
  });

  afterAll(() => {
    for (const reason of new Set(left.map(reasonOf))) {
      const places = left.filter((snippet) => reasonOf(snippet) === reason).map(({ place }) => place);
      console.info(`not run, since ${reason}: ${places.join(', ')}`);
    }
  });

  async function runPage({ snippets }: Page, runner: PageRunner): Promise<void> {
    const programs = new Map(programsOf(snippets).map(({ place, text }) => [place, text]));
    let last: SnippetRun | undefined;
    for (const snippet of snippets) {
      const { place, language, text, marks } = snippet;
      if (reasonOf(snippet) !== undefined) {
        last = undefined;
        continue;
      }
      run.add(place);
      if (marks.first !== undefined)
        expect([place, await runner.shell(marks.first)]).toMatchObject([place, { exitCode: 0 }]);
      if (marks.file !== undefined) await runner.write(marks.file, text);
      if (marks.schema !== undefined) expect([place, schemaFaults(marks.schema, text)]).toEqual([place, []]);
      if (language === 'text' || marks.output) {
        if (last === undefined) throw new Error(`${place}: an output of nothing`);
        expectOutput(place, last, text);
      } else if (language === 'sh') {
        last = await runner.shell(text);
        expect([place, last.exitCode, last]).toEqual([place, marks.endsWith ?? 0, last]);
      } else if (language === 'ts') {
        if (!programs.has(place)) continue;
        last = await runner.program(place.replace(/\W+/g, '-'), programs.get(place)!);
        expect([place, last.exitCode, last]).toEqual([place, 0, last]);
      } else {
        expect(() => parseData(language, text), place).not.toThrow();
      }
    }
  }
});

function expectOutput(place: string, { stdout, stderr }: SnippetRun, expected: string): void {
  const pattern = outputPattern(expected);
  if (pattern.test(stdout) || pattern.test(`${stdout}${stderr}`)) return;
  expect(`${stdout}${stderr}`.trimEnd(), place).toBe(expected);
}

function parseData(language: string, text: string): unknown {
  if (language === 'json') return JSON.parse(text);
  if (language === 'jsonl') return text.split('\n').map((line) => JSON.parse(line) as unknown);
  if (language === 'yaml') return parseYaml(text);
  if (language === 'js') return requireSyntax(text);
  throw new Error(`unknown language ${language}`);
}

function schemaFaults(name: string, text: string): unknown[] {
  const schema = JSON.parse(readFileSync(path.join('schemas', name), 'utf8')) as object;
  const validate = new Ajv2020({ strict: false }).compile(schema);
  return validate(parseYaml(text)) ? [] : validate.errors!;
}

/** What a call of asof names that the command line does not know. */
function unknownOptions(words: readonly string[]): string[] {
  let command: Command = buildProgram(processContext());
  let at = 0;
  for (; at < words.length; at++) {
    const next = command.commands.find((candidate) => candidate.name() === words[at]);
    if (next === undefined) break;
    command = next;
  }
  if (command.parent === null) return [`no command ${words[0]}`];
  // A group of commands has one that is meant where none is named.
  const candidates = command.commands.length === 0 ? [command] : command.commands;
  const known = new Set(candidates.flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])));
  return words.slice(at).flatMap((word) => {
    const option = word.split('=')[0]!;
    return /^--?[a-z]/.test(option) && !known.has(option) ? [`asof ${command.name()} has no ${option}`] : [];
  });
}
