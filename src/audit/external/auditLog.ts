import { compareCodeUnits } from '../../corpus/corpus.js';
import { type InputRecord, InputSet, inputLabel } from '../../corpus/readers/inputs.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import type { Duration } from '../../time/duration.js';
import { AnswerAuditor, type AnswerVerdict, type GapCounts } from './AnswerAuditor.js';
import { type AuditTotals, TotalsBuilder } from './auditTotals.js';
import { type DuplicateRule, type EventGraph, EventGraphBuilder } from './EventGraph.js';
import type { LogFormat, LogOptions } from './formats/logFormat.js';
import { collectFaults, type FaultReport, type LogFault } from './logFaults.js';

/** A file of events or answers; `-` is standard input. */
export interface LogFile {
  readonly path: string;
  readonly format: LogFormat;
}

/** Which logs are audited, and by which rules. */
export interface AuditLogOptions {
  /** Read in code-unit order of their paths, so that the order in which they are given changes nothing. */
  readonly events: readonly LogFile[];
  readonly answers: readonly LogFile[];
  readonly reading?: LogOptions;
  /** Tolerance s: an entry passes when observed strictly before o(q) + s. 0 by default. */
  readonly clockSkew?: Duration;
  readonly duplicates?: DuplicateRule;
  /** Whether ids that no record describes are a fault of the log (default), or entries that cannot be checked. */
  readonly unknown?: 'fault' | 'partial';
  /** Answers that did not pass, and faults, kept for the report; the others are only counted. 1000 by default. */
  readonly keep?: number;
  readonly inputs?: InputSet;
  /** Hears every verdict, in the order of the answers. A promise is waited for. */
  readonly onVerdict?: (verdict: AnswerVerdict, file: string) => void | Promise<void>;
  /** Hears how many records were read, after every chunk. */
  readonly onProgress?: (phase: 'events' | 'answers', records: number) => void;
}

/**
 * What the audit found.
 * - `violation`: an answer used something that was not observed strictly before it.
 * - `faulty`: no violation was found, but the log contradicts itself or is incomplete, so nothing is certain.
 * - `partial`: no violation, no fault, but some entries could not be checked, for want of a time or a record.
 * - `pass`: every entry of every answer was checked and is legal.
 */
export type AuditStatus = 'pass' | 'partial' | 'faulty' | 'violation';

/** What an audit of logs found. */
export interface LogAudit {
  readonly status: AuditStatus;
  readonly rule: {
    readonly clockSkew: Duration;
    readonly duplicates: DuplicateRule;
    readonly unknown: 'fault' | 'partial';
  };
  readonly inputs: readonly InputRecord[];
  readonly events: {
    /** Records read. */
    readonly records: number;
    /** Distinct events that a record describes. */
    readonly distinct: number;
    readonly untimed: number;
    readonly repeated: number;
    readonly dependencies: number;
  };
  readonly totals: AuditTotals;
  /** Entries that could not be checked, by reason. */
  readonly gaps: Readonly<GapCounts>;
  readonly faults: readonly LogFault[];
  /** Faults of each kind, also those that `faults` does not hold. */
  readonly faultCounts: FaultReport['counts'];
  /** Answers that did not pass, in order; the first `keep` of them. */
  readonly findings: readonly (AnswerVerdict & { readonly fileName: string })[];
}

/**
 * Audits a log of events and a log of answers of any system: every event that an answer used, and every event that it
 * depends on, must have been observed strictly before the answer was asked for (PIT Discovery sections 3.2, 3.5, 7).
 *
 * Two passes: the events into columns, whose dependency closure is computed once; then the answers as a stream. Memory:
 * about 110 bytes an event beside its id, 16 bytes a dependency, and nothing an answer, whatever their number.
 *
 * @throws InvalidInputError at the first record that cannot be read, naming file, line and field
 */
export async function auditLog(options: AuditLogOptions): Promise<LogAudit> {
  const { clockSkew = 0, duplicates = 'fault', unknown = 'fault', keep = 1000 } = options;
  const inputs = options.inputs ?? new InputSet();
  const eventFiles = inPathOrder(options.events);
  const answerFiles = inPathOrder(options.answers);

  const graph = await readEventGraph(eventFiles, inputs, duplicates, options);
  const strangers = new Map<string, { file: string; line: number; answer: string }>();
  let strangerEntries = 0;
  const auditor = new AnswerAuditor(graph, clockSkew, (id, answer, place) => {
    strangerEntries++;
    if (strangers.size < keep && !strangers.has(id)) {
      strangers.set(id, { file: inputLabel(answerFiles[place.file]!.path), line: place.line, answer: answer.id });
    }
  });

  const totals = new TotalsBuilder();
  const findings: (AnswerVerdict & { fileName: string })[] = [];
  for (const [file, { path, format }] of answerFiles.entries()) {
    const fileName = inputLabel(path);
    for await (const batch of format.readAnswers(inputs.read(path, 'answers'), fileName, options.reading ?? {})) {
      for (const answer of batch) {
        const verdict = auditor.audit(answer, { file, line: answer.line });
        totals.add(verdict);
        if (verdict.status !== 'pass' && findings.length < keep) findings.push({ ...verdict, fileName });
        const heard = options.onVerdict?.(verdict, fileName);
        if (heard !== undefined) await heard;
      }
      options.onProgress?.('answers', totals.answers);
    }
  }

  if (totals.answers === 0) {
    const file = answerFiles.map(({ path }) => inputLabel(path)).join(', ') || 'answers';
    throw new InvalidInputError({
      location: { file },
      expected: 'at least one answer: an audit of nothing passes nothing',
    });
  }
  const eventFileNames = eventFiles.map(({ path }) => inputLabel(path));
  const { faults, counts } = collectFaults({
    graph,
    closure: auditor.closure,
    fileNames: eventFileNames,
    strangers,
    strangerEntries,
    keep,
  });
  const summary = totals.totals(auditor.repeatedEntries);
  const isFaulty =
    counts.cycles > 0 ||
    (duplicates === 'fault' && counts.conflicts > 0) ||
    (unknown === 'fault' && counts.unknownEvents + counts.unknownEntries > 0);
  return {
    status: summary.violation > 0 ? 'violation' : isFaulty ? 'faulty' : summary.unverifiable > 0 ? 'partial' : 'pass',
    rule: { clockSkew, duplicates, unknown },
    inputs: inputs.records,
    events: {
      records: graph.records,
      distinct: counts.described,
      untimed: counts.untimed,
      repeated: graph.repeated,
      dependencies: graph.dependencies.length,
    },
    totals: summary,
    gaps: auditor.gaps,
    faults,
    faultCounts: counts,
    findings,
  };
}

async function readEventGraph(
  files: readonly LogFile[],
  inputs: InputSet,
  duplicates: DuplicateRule,
  options: AuditLogOptions,
): Promise<EventGraph> {
  const builder = new EventGraphBuilder(duplicates);
  for (const [file, { path, format }] of files.entries()) {
    const chunks = inputs.read(path, 'events');
    for await (const batch of format.readEvents(chunks, inputLabel(path), options.reading ?? {})) {
      for (const event of batch) builder.add(event, { file, line: event.line });
      options.onProgress?.('events', builder.records);
    }
  }
  return builder.freeze();
}

function inPathOrder(files: readonly LogFile[]): LogFile[] {
  return files.toSorted((a, b) => compareCodeUnits(a.path, b.path));
}
