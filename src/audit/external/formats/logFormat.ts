import type { Instant } from '../../../time/instant.js';
import type { InstantFormat } from '../../../time/parseInstant.js';
import type { AnswerRecord } from '../AnswerAuditor.js';
import type { EventRecord } from '../EventGraph.js';

/** A record with the line of its file on which it starts, counted from 1. */
export interface LocatedEvent extends EventRecord {
  readonly line: number;
}

/** An answer with the line of its file on which it starts, counted from 1. */
export interface LocatedAnswer extends AnswerRecord {
  readonly line: number;
}

/** Where the parts of events and answers are in a record: paths as `compileFieldPath` takes them. */
export interface FieldMap {
  readonly eventId?: string | undefined;
  readonly observedAt?: string | undefined;
  readonly dependsOn?: string | undefined;
  readonly answerId?: string | undefined;
  readonly askedAt?: string | undefined;
  readonly used?: string | undefined;
}

/** How the records of a log are to be understood. */
export interface LogOptions {
  /** Fields that are elsewhere than the format has them. */
  readonly fields?: FieldMap | undefined;
  /** How times are written, in formats that do not fix it. */
  readonly instants?: InstantFormat | undefined;
  /** What stands between ids in one cell of a CSV file; `;` by default. */
  readonly listSeparator?: string | undefined;
  /** When all answers of a file without clock were asked for: the instant of the snapshot. */
  readonly askedAt?: Instant | undefined;
}

/** Reads the logs of one kind of system, in batches. `file` is how messages name the input. */
export interface LogFormat {
  readonly name: LogFormatName;
  /** What it is, in a line. */
  readonly summary: string;
  /** Events of a log in batches. @throws InvalidInputError at a record that cannot be read */
  readEvents(
    chunks: AsyncGenerator<Buffer>,
    file: string,
    options: LogOptions,
  ): AsyncGenerator<readonly LocatedEvent[]>;
  /** Answers of a log in batches. @throws InvalidInputError at a record that cannot be read */
  readAnswers(
    chunks: AsyncGenerator<Buffer>,
    file: string,
    options: LogOptions,
  ): AsyncGenerator<readonly LocatedAnswer[]>;
}

/** Names of the formats; `asof audit-log --preset` takes them. */
export type LogFormatName = 'json' | 'csv' | 'tsv' | 'otel-genai' | 'langsmith' | 'longeval';
