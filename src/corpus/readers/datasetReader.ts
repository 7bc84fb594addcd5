import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { InstantFormat } from '../../time/parseInstant.js';
import { type InputRole, type InputSet, inputLabel } from './inputs.js';
import { type JsonRecord, readJsonRecords } from './jsonRecords.js';
import type { RecordFields } from './recordFields.js';
import type { RecordSink } from './recordSink.js';

/** Formats of data sets with requests. `dpdisc` is the release of DPDisc (DPBench). */
export type DatasetFormat = 'asof' | 'tatqa' | 'dpdisc' | 'freshstack' | 'beir' | 'trec';

/** A file of a data set and what it holds. */
export interface DatasetFile {
  readonly path: string;
  readonly role: InputRole;
}

/** Choices that some formats offer; the others ignore them. */
export interface ReadOptions {
  /** How times are written in formats that do not fix it themselves. */
  readonly instants?: InstantFormat | undefined;
  /** `tatqa`: the product is the evidence that the answer names (default), or every asset of the report page. */
  readonly gold?: 'evidence' | 'page' | undefined;
  /**
   * The split to read, for example `test`: of judgements (`beir`, `trec`), where a folder that has several needs the
   * choice, or of requests (`dpdisc`), all of them by default.
   */
  readonly split?: string | undefined;
}

/** Reads one format. */
export interface DatasetReader {
  readonly format: DatasetFormat;
  /** What the format is, in a line. */
  readonly summary: string;
  /** The files that `find` looks for, for messages. */
  readonly layout: string;
  /** What its files may be; the first is what a file is that is named without a role. */
  readonly roles: readonly [InputRole, ...InputRole[]];
  /** Roles whose files may be plain text; the files of all others are JSON. */
  readonly textRoles: readonly InputRole[];
  /**
   * The files that make up a data set among the files of a folder, or undefined when they are not there. Names are
   * relative to the folder, with `/` between parts, in code-unit order.
   *
   * @throws InvalidArgumentError when `options` leave several choices
   */
  find(names: readonly string[], options: ReadOptions): DatasetFile[] | undefined;
  /** Whether the first record of a JSON file of this role may be of this format. */
  recognises(fields: RecordFields, role: InputRole): boolean;
  /** Hands every record to the sink. */
  read(files: readonly DatasetFile[], inputs: InputSet, sink: RecordSink, options: ReadOptions): Promise<void>;
}

/** A name without `.gz`. */
export function withoutGz(name: string): string {
  return name.endsWith('.gz') ? name.slice(0, -3) : name;
}

/**
 * The name that is `stem`, or `stem` with `.gz`.
 *
 * @throws InvalidArgumentError when both are there: nothing says which of them is meant
 */
export function findFile(names: readonly string[], stem: string): string | undefined {
  const found = names.filter((name) => withoutGz(name) === stem);
  if (found.length <= 1) return found[0];
  const expected = `one of ${found.join(' and ')}: remove the other, or name the files (--assets, --requests)`;
  throw new InvalidArgumentError({ argument: 'path', value: found, expected });
}

/** The files of these roles, in their order. */
export function filesOf(files: readonly DatasetFile[], ...roles: InputRole[]): DatasetFile[] {
  return files.filter((file) => roles.includes(file.role));
}

/**
 * The one file of several that a split names.
 *
 * @param splitOf the split of a name, for example `test` of `qrels/test.tsv`
 * @throws InvalidArgumentError when none is of that split, or no split is given and there are several
 */
export function chooseSplit(
  names: readonly string[],
  splitOf: (name: string) => string,
  split: string | undefined,
): string {
  const matching = split === undefined ? names : names.filter((name) => splitOf(name) === split);
  if (matching.length === 1) return matching[0]!;
  const expected = names.map(splitOf).join(', ');
  throw new InvalidArgumentError({ argument: 'split', value: split, expected: `one of the splits there: ${expected}` });
}

/** The records of a JSON file of a data set. */
export function recordsOf({ path, role }: DatasetFile, inputs: InputSet): AsyncGenerator<readonly JsonRecord[]> {
  return readJsonRecords(inputs.read(path, role), inputLabel(path));
}
