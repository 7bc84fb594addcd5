import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { InvalidInputError } from '../errors/InvalidInputError.js';
import { formatLocation } from '../errors/inputLocation.js';
import { quoteValue } from '../errors/quoteValue.js';
import {
  datasetSchema,
  type EmbedderSpec,
  type Experiment,
  embedderSchemas,
  experimentSchema,
  mechanismSchemas,
  retrieverSchemas,
  streamSchemas,
} from './experiment.js';
import { specLabel } from './specLabel.js';

type Path = readonly (string | number)[];

/** Finds the line of a key, for error messages; undefined where the experiment did not come from a text. */
export type LineOf = (path: readonly (string | number)[]) => number | undefined;

/**
 * Reads an experiment from YAML or JSON text.
 * @param source file name for error messages
 * @param overrides top-level keys that replace those of the text
 * @throws InvalidInputError naming the file, line and key
 */
export function readExperiment(
  text: string,
  source: string,
  overrides: Readonly<Record<string, unknown>> = {},
): Experiment {
  const { document, lines, lineOf } = parseText(text);
  const fault = document.errors[0];
  if (fault !== undefined) {
    throw new InvalidInputError({
      location: { file: source, line: lines.linePos(fault.pos[0]).line },
      value: fault.message,
      expected: 'valid YAML or JSON',
    });
  }
  const value: unknown = document.toJS();
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return checkExperiment(isMap ? { ...value, ...overrides } : value, source, (path) =>
    Object.hasOwn(overrides, String(path[0])) ? undefined : lineOf(path),
  );
}

/** Where an experiment's text names a key, as messages say it: file, line and key. */
export function locationInExperiment(text: string, source: string, path: Path): string {
  return formatLocation({ file: source, line: parseText(text).lineOf(path), field: fieldName(path) });
}

function parseText(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const lineOf: LineOf = (path) => {
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
  return { document, lines, lineOf };
}

/**
 * Fills in defaults and checks every key.
 * @throws InvalidInputError naming the key, and the line where `lineOf` knows it
 */
export function checkExperiment(value: unknown, source: string, lineOf: LineOf = () => undefined): Experiment {
  const context = { source, lineOf };
  const draft = check(experimentSchema, value, [], context);
  const experiment: Experiment = {
    ...draft,
    cutoffs: draft.cutoffs.toSorted((a, b) => a - b),
    datasets: draft.datasets.map((item, i) => check(datasetSchema, item, ['datasets', i], context)),
    retrievers: draft.retrievers.map((item, i) => checkKind(retrieverSchemas, item, ['retrievers', i], context)),
    embedder: checkKind(embedderSchemas, draft.embedder, ['embedder'], context),
    streams: draft.streams.map((item, i) => checkKind(streamSchemas, item, ['streams', i], context)),
    mechanisms: draft.mechanisms.map((item, i) =>
      checkKind(mechanismSchemas, withKind(item), ['mechanisms', i], context),
    ),
  };
  checkTogether(experiment, context);
  return experiment;
}

/**
 * Checks the description of an embedder, as far as it can be checked without opening it.
 *
 * @param source what to name in messages, such as an option
 * @throws InvalidInputError naming the field, its value and what was expected
 */
export function checkEmbedderSpec(value: unknown, source: string): EmbedderSpec {
  return checkKind(embedderSchemas, value, [], { source, lineOf: () => undefined });
}

interface Context {
  readonly source: string;
  readonly lineOf: LineOf;
}

function check<S extends TSchema>(schema: S, value: unknown, path: Path, context: Context) {
  const filled = Value.Default(schema, Value.Clone(value));
  if (Value.Check(schema, filled)) return filled;
  const errors = Value.Errors(schema, filled);
  const unknownKey = errors.find((error) => error.keyword === 'additionalProperties');
  if (unknownKey) {
    const keys = Object.keys((schema as { properties?: object }).properties ?? {});
    const extra = (unknownKey.params as { additionalProperties: string[] }).additionalProperties[0]!;
    throw fail(
      [...path, ...pointerPath(unknownKey.instancePath), extra],
      'this key',
      `one of ${keys.join(', ')}`,
      context,
    );
  }
  const first = errors[0]!;
  const choices =
    first.keyword === 'enum' ? (first.params as { allowedValues: unknown[] }).allowedValues.map(quoteValue) : [];
  const missing =
    first.keyword === 'required' ? (first.params as { requiredProperties: string[] }).requiredProperties[0] : undefined;
  const at = [...path, ...pointerPath(first.instancePath), ...(missing === undefined ? [] : [missing])];
  const expected =
    missing !== undefined ? 'a value' : choices.length > 0 ? `one of ${choices.join(', ')}` : expectationOf(first);
  throw fail(at, missing === undefined ? at.slice(path.length).reduce(step, filled) : undefined, expected, context);
}

/** What a rule of the schema asks for, as it reads after "expected". */
function expectationOf({ keyword, params, message }: { keyword: string; params: object; message: string }): string {
  const { limit } = params as { limit?: number };
  if (keyword === 'uniqueItems') return 'a list without repetition';
  if (keyword === 'minItems') return `a list of at least ${limit}`;
  if (keyword === 'minLength') return 'a text that is not empty';
  return message.replace(/^must (be )?/, '');
}

function step(value: unknown, key: string | number): unknown {
  return (value as Record<string | number, unknown> | null | undefined)?.[key];
}

/** `{module: file}` stands for a mechanism of kind `module`. */
function withKind(item: unknown): unknown {
  const isShort = step(item, 'module') !== undefined && step(item, 'kind') === undefined;
  return isShort ? { kind: 'module', ...(item as object) } : item;
}

/** `bm25` stands for `{kind: bm25}`. */
function checkKind<S extends Record<string, TSchema>>(schemas: S, item: unknown, path: Path, context: Context) {
  const value = typeof item === 'string' ? { kind: item } : item;
  const kind = step(value, 'kind');
  const schema = typeof kind === 'string' && Object.hasOwn(schemas, kind) ? schemas[kind] : undefined;
  if (schema === undefined) {
    throw fail([...path, 'kind'], kind, `one of ${Object.keys(schemas).join(', ')}`, context);
  }
  return check(schema as S[keyof S], value, path, context);
}

function checkTogether(experiment: Experiment, context: Context): void {
  const { baseDepth, traceDepth, outputDepth } = experiment;
  if (traceDepth > baseDepth) {
    throw fail(
      ['traceDepth'],
      traceDepth,
      `at most baseDepth (${baseDepth}): a trace is the head of the base list`,
      context,
    );
  }
  const depth = outputDepth === 0 ? baseDepth : outputDepth;
  const deepest = Math.max(...experiment.cutoffs);
  if (deepest > depth) throw fail(['cutoffs'], deepest, `cutoffs up to the length of a ranking (${depth})`, context);
  for (const [i, dataset] of experiment.datasets.entries()) {
    if (dataset.path === undefined && (dataset.assets === undefined || dataset.requests === undefined)) {
      throw fail(['datasets', i], dataset, 'a path, or assets and requests', context);
    }
  }
  for (const [i, stream] of experiment.streams.entries()) {
    if (stream.kind === 'semantic' && stream.shortestBurst > stream.longestBurst) {
      throw fail(
        ['streams', i, 'shortestBurst'],
        stream.shortestBurst,
        `at most longestBurst (${stream.longestBurst})`,
        context,
      );
    }
  }
  const stress = experiment.streams.findIndex(({ kind }) => kind === 'gold-overlap');
  if (stress >= 0 && experiment.streams.length > 1) {
    const expected = 'gold-overlap alone: a stress test that looks at labels is never mixed with other streams';
    throw fail(['streams', stress], 'gold-overlap', expected, context);
  }
  if (experiment.corpus === 'as-of' && experiment.streams.some((stream) => stream.kind !== 'natural')) {
    throw fail(
      ['corpus'],
      'as-of',
      'frozen, or natural streams only: the other streams have no clock to be as of',
      context,
    );
  }
  for (const key of ['datasets', 'retrievers', 'streams', 'mechanisms'] as const) {
    const labels = experiment[key].map((item) => ('name' in item ? item.name : specLabel(item)));
    const repeated = labels.findIndex((label, i) => labels.indexOf(label) !== i);
    if (repeated >= 0) throw fail([key, repeated], labels[repeated], 'an entry that differs from the others', context);
  }
}

function fail(path: Path, value: unknown, expected: string, { source, lineOf }: Context): InvalidInputError {
  return new InvalidInputError({
    location: { file: source, line: lineOf(path), field: fieldName(path) },
    value,
    expected,
  });
}

/** `datasets[0].path` */
function fieldName(path: Path): string | undefined {
  const name = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return name.replace(/^\./, '') || undefined;
}

function pointerPath(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key.replaceAll('~1', '/').replaceAll('~0', '~')));
}
