import path from 'node:path';
import ts from 'typescript';
import type { Snippet } from './markdown.js';

/** A TypeScript program of a page: a snippet, and those that go on where it ended. */
export interface SnippetProgram {
  readonly place: string;
  readonly text: string;
}

/** Programs of a page by the place of their last snippet, where they are run. */
export function programsOf(snippets: readonly Snippet[]): SnippetProgram[] {
  const programs: { place: string; text: string }[] = [];
  for (const { language, text, place, marks } of snippets) {
    if (language !== 'ts' || marks.notRun !== undefined) continue;
    if (!marks.continues) programs.push({ place, text });
    else Object.assign(programs.at(-1)!, { place, text: `${programs.at(-1)!.text}\n${text}` });
  }
  return programs;
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
};

/**
 * Type errors of programs as if they stood in a folder, each with its place in the page.
 *
 * @param folder one with a `node_modules` in which the programs find what they import
 */
export function typeErrors(programs: readonly SnippetProgram[], folder: string): string[] {
  const texts = new Map(programs.map(({ place, text }) => [path.join(folder, fileNameOf(place)), text]));
  const host = ts.createCompilerHost({ ...options });
  const { readFile, fileExists } = host;
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, version, ...rest) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, version, ...rest) : ts.createSourceFile(file, text, version);
  };
  host.getCurrentDirectory = () => folder;
  const program = ts.createProgram(
    [...texts.keys()],
    { ...options, typeRoots: [path.join(folder, 'node_modules/@types')] },
    host,
  );
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : ts.getLineAndCharacterOfPosition(file, start ?? 0).line + 1;
    const place = programs.find(({ place }) => path.join(folder, fileNameOf(place)) === file?.fileName)?.place;
    return `${place ?? file?.fileName}, line ${line} of the program: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** TypeScript as JavaScript. */
export function transpile(text: string): string {
  return ts.transpileModule(text, { compilerOptions: options, fileName: 'snippet.mts' }).outputText;
}

export function fileNameOf(place: string): string {
  return `${place.replace(/[^\w]+/g, '-')}.mts`;
}

/** @throws SyntaxError where a text is not JavaScript */
export function requireSyntax(text: string): void {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true, fileName: 'snippet.mjs' });
  const [first] = diagnostics;
  if (first !== undefined) throw new SyntaxError(ts.flattenDiagnosticMessageText(first.messageText, ' '));
}
