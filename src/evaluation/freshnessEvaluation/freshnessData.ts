import type { Asset } from '../../corpus/asset.js';
import { buildCorpus, type Corpus } from '../../corpus/corpus.js';
import { textRepresentation } from '../../corpus/ingest/assetContent.js';
import { expandFiles } from '../../corpus/ingest/expandFiles.js';
import { buildMapping, type MappingChoices } from '../../corpus/ingest/mapping.js';
import { RecordMapper } from '../../corpus/ingest/recordMapper.js';
import { readSourceRecords, type SourceFormat } from '../../corpus/ingest/sourceFile.js';
import { type InputRecord, InputSet } from '../../corpus/readers/inputs.js';
import { readJsonRecords } from '../../corpus/readers/jsonRecords.js';
import type { RecordFields } from '../../corpus/readers/recordFields.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import type { Instant } from '../../time/instant.js';
import { instantParser } from '../../time/parseInstant.js';

/** A query with its own t. What is relevant to it stands apart: nothing that ranks sees it. */
export interface FreshnessQuery {
  readonly id: string;
  readonly text: string;
  readonly asOf: Instant;
}

/** A corpus and queries over it, each with its relevant rows. */
export interface FreshnessData {
  readonly corpus: Corpus;
  /** In order of t, then of the file. */
  readonly queries: readonly FreshnessQuery[];
  /** [queries] corpus rows relevant to each query at any time, ascending. */
  readonly relevant: readonly Uint32Array[];
  readonly inputs: readonly InputRecord[];
}

export interface FreshnessDataOptions {
  readonly documents: readonly string[];
  readonly queries: string;
  readonly mapping?: MappingChoices | undefined;
  readonly format?: SourceFormat | undefined;
  /** Field of a document that holds its labels, which a query names as `label`; never part of its text. */
  readonly labelField?: string | undefined;
  /** Field of a query that holds its label; `label` by default. */
  readonly queryLabelField?: string | undefined;
  readonly scratchFolder: string;
  readonly stdin?: NodeJS.ReadableStream | undefined;
}

interface QueryRecord extends FreshnessQuery {
  readonly gold: readonly string[] | undefined;
  readonly aliases: readonly string[] | undefined;
  readonly label: string | undefined;
  readonly fields: RecordFields;
}

/**
 * Reads documents and queries. A document without a time of availability was available from its event time on. A query is
 * `{id?, text, asOf, ...}` and says what is relevant by `gold` (ids), `aliases` (texts of which one is in the document, in
 * any case; temporal RAG, table 4) or a label that documents carry in `labelField`.
 *
 * @throws InvalidInputError for a record that cannot be used; it names file, line and field
 * @throws MissingResourceError when a file does not exist
 */
export async function readFreshnessData(options: FreshnessDataOptions): Promise<FreshnessData> {
  const inputs = new InputSet({ stdin: options.stdin });
  const { assets, labels } = await readDocuments(options, inputs);
  if (options.labelField !== undefined && labels.size === 0) {
    const expected = 'a field that some document carries its labels in';
    throw new InvalidArgumentError({ argument: 'labelField', value: options.labelField, expected });
  }
  const corpus = buildCorpus(assets);
  const records = await readQueries(options, inputs);
  records.sort((a, b) => a.asOf - b.asOf);
  const rowsOfLabel = labelRows(corpus, labels);
  const lowerTexts = records.some(({ aliases }) => aliases !== undefined)
    ? corpus.texts.map((text) => text.toLowerCase())
    : [];
  return {
    corpus,
    queries: records.map(({ id, text, asOf }) => ({ id, text, asOf })),
    relevant: records.map((record) => relevantRows(record, corpus, rowsOfLabel, lowerTexts)),
    inputs: inputs.records,
  };
}

async function readDocuments(
  { documents, mapping, format, labelField, scratchFolder }: FreshnessDataOptions,
  inputs: InputSet,
): Promise<{ assets: Asset[]; labels: Map<string, readonly string[]> }> {
  const mapper = new RecordMapper(buildMapping(mapping));
  const assets: Asset[] = [];
  const labels = new Map<string, readonly string[]>();
  for (const { path } of await expandFiles(documents)) {
    for await (const batch of readSourceRecords(path, inputs, { format, scratchFolder })) {
      for (const located of batch) {
        if ('fault' in located) throw located.fault;
        const { id, content, availableAt } = mapper.map(located.record, located.location);
        const eventAt = content.eventAt ?? availableAt;
        const clocks = {
          ...(eventAt !== undefined && { eventAt }),
          ...((availableAt ?? eventAt) !== undefined && { availableAt: (availableAt ?? eventAt)! }),
        };
        assets.push({ id, type: content.type, text: textRepresentation(content), ...clocks });
        if (labelField === undefined) continue;
        const value = located.record[labelField] ?? [];
        const names = Array.isArray(value) ? value : [value];
        if (names.some((name) => typeof name !== 'string')) {
          const location = { ...located.location, field: labelField };
          throw new InvalidInputError({ location, value, expected: 'a label, or a list of labels, as text' });
        }
        labels.set(id, names as string[]);
      }
    }
  }
  return { assets, labels };
}

async function readQueries(
  { queries: file, queryLabelField = 'label' }: FreshnessDataOptions,
  inputs: InputSet,
): Promise<QueryRecord[]> {
  const parser = instantParser();
  const records: QueryRecord[] = [];
  const seen = new Set<string>();
  for await (const batch of readJsonRecords(inputs.read(file, 'requests'), file)) {
    for (const record of batch) {
      if ('fault' in record) throw record.fault;
      const { fields } = record;
      const id = fields.has('id') ? fields.id('id') : `line ${record.line}`;
      if (seen.has(id)) throw fields.fault('id', id, 'an id that no other query has');
      seen.add(id);
      const asOf = fields.optionalInstant('asOf', parser);
      if (asOf === undefined) throw fields.fault('asOf', undefined, 'the time to answer for');
      const query = {
        id,
        text: fields.text('text'),
        asOf,
        gold: fields.optionalIds('gold'),
        aliases: fields.optionalIds('aliases'),
        label: fields.optionalText(queryLabelField),
        fields,
      };
      if (query.gold === undefined && query.aliases === undefined && query.label === undefined) {
        throw fields.fault(queryLabelField, undefined, `what is relevant: gold, aliases or ${queryLabelField}`);
      }
      records.push(query);
    }
  }
  return records;
}

function labelRows(corpus: Corpus, labels: ReadonlyMap<string, readonly string[]>): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (let row = 0; row < corpus.size; row++) {
    for (const label of new Set(labels.get(corpus.ids[row]!))) {
      const known = rows.get(label);
      if (known === undefined) rows.set(label, [row]);
      else known.push(row);
    }
  }
  return rows;
}

function relevantRows(
  { gold, aliases, label, fields }: QueryRecord,
  corpus: Corpus,
  rowsOfLabel: ReadonlyMap<string, readonly number[]>,
  lowerTexts: readonly string[],
): Uint32Array {
  const rows = new Set<number>(label === undefined ? [] : rowsOfLabel.get(label));
  for (const [at, id] of (gold ?? []).entries()) {
    const row = corpus.rowOf(id);
    if (row === undefined) throw fields.fault(`gold[${at}]`, id, 'the id of a document');
    rows.add(row);
  }
  const lowerAliases = (aliases ?? []).map((alias) => alias.toLowerCase());
  for (const [row, text] of lowerTexts.entries()) {
    if (lowerAliases.some((alias) => text.includes(alias))) rows.add(row);
  }
  return Uint32Array.from(rows).sort();
}
