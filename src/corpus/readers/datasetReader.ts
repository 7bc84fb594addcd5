import type { InstantFormat } from '../../time/parseInstant.js';
import type { InputRole, InputSet } from './inputs.js';
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
  /** `beir`, `trec`: the split whose judgements to read, for example `test`; needed where a folder has several. */
  readonly split?: string | undefined;
}

/** Reads one format. */
export interface DatasetReader {
  readonly format: DatasetFormat;
  /** What the format is, in a line. */
  readonly summary: string;
  /** The file names that `find` looks for, for messages. */
  readonly layout: string;
  /**
   * The files that make up a data set among the files of a folder, or undefined when they are not there. Names are
   * relative to the folder, with `/` between parts, in code-unit order.
   *
   * @throws InvalidArgumentError when `options` leave several choices
   */
  find(names: readonly string[], options: ReadOptions): DatasetFile[] | undefined;
  /** Whether a record is the first of a file of assets (or of assets and requests in one) in this format. */
  recognises(fields: RecordFields): boolean;
  /** Hands every record to the sink. */
  read(files: readonly DatasetFile[], inputs: InputSet, sink: RecordSink, options: ReadOptions): Promise<void>;
}

/** The name that is exactly `stem`, or `stem` with `.gz`. */
export function findFile(names: readonly string[], stem: string): string | undefined {
  return names.find((name) => name === stem) ?? names.find((name) => name === `${stem}.gz`);
}

/** A name without `.gz`. */
export function withoutGz(name: string): string {
  return name.endsWith('.gz') ? name.slice(0, -3) : name;
}

/** The files of one role, in code-unit order of their paths as `find` or the caller gave them. */
export function filesOf(files: readonly DatasetFile[], ...roles: InputRole[]): DatasetFile[] {
  return files.filter((file) => roles.includes(file.role));
}
