import type { DependencyGraph } from '../../lineage/dependencyClosure.js';
import type { Instant } from '../../time/instant.js';
import { withRoom } from './growable.js';
import { IdTable } from './IdTable.js';

/** One event of a log under audit. */
export interface EventRecord {
  /** At most `longestId` code units. */
  readonly id: string;
  /** When it was observed, o(e); undefined when the log does not say. */
  readonly observedAt: Instant | undefined;
  /** Ids of the events that it was made from. */
  readonly dependsOn: readonly string[];
}

/** Where a record stood: the number of the file in the order read, and its line or row from 1. */
export interface RecordPlace {
  readonly file: number;
  readonly line: number;
}

/**
 * What to make of two different times for one event id: a fault of the log (the later time is taken, so that nothing
 * passes that may not), or two versions of one event, of which the earliest or the latest counts.
 */
export type DuplicateRule = 'fault' | 'earliest' | 'latest';

/** Two records that give one event different times. */
export interface TimeConflict {
  readonly event: number;
  /** The time known until then, and where its event was first read. */
  readonly known: Instant;
  /** The other time, and where it was read. */
  readonly other: Instant;
  readonly place: RecordPlace;
}

/** How many conflicts are kept by name; all are counted. */
export const keptConflicts = 1000;

/** The events of a log and what they depend on, column by column; an event is its number. */
export interface EventGraph extends DependencyGraph {
  /** Events, those included that are only named by others. */
  readonly size: number;
  readonly ids: IdTable;
  /** [size] file of the first record (or of the first record that names it). */
  readonly files: Uint16Array;
  /** [size] line of the first record (or of the first record that names it). */
  readonly lines: Uint32Array;
  /** Records read. */
  readonly records: number;
  /** Records that repeated an id with the same time, or where one of the two had none. */
  readonly repeated: number;
  /** Records that gave a known id another time; the first `keptConflicts` of them. */
  readonly conflicts: readonly TimeConflict[];
  readonly conflictCount: number;
}

/**
 * Collects the events of a log, in any order, and freezes them into columns. Bounded memory: while reading, about 50
 * bytes an event and its id, and 8 bytes a dependency.
 *
 * Events that share an id are one event: it depends on all that any of its records names, and its time is the latest
 * of theirs unless the rule says otherwise.
 */
export class EventGraphBuilder {
  readonly #rule: DuplicateRule;
  readonly #ids = new IdTable();
  #observedAt = new Float64Array(0);
  #defined = new Uint8Array(0);
  #files = new Uint16Array(0);
  #lines = new Uint32Array(0);
  #sources = new Uint32Array(0);
  #targets = new Uint32Array(0);
  #edges = 0;
  #records = 0;
  #repeated = 0;
  readonly #conflicts: TimeConflict[] = [];
  #conflictCount = 0;

  constructor(rule: DuplicateRule = 'fault') {
    this.#rule = rule;
  }

  get records(): number {
    return this.#records;
  }

  add(record: EventRecord, place: RecordPlace): void {
    this.#records++;
    const event = this.#intern(record.id, place);
    const time = record.observedAt ?? Number.NaN;
    if (this.#defined[event] === 1) {
      this.#repeat(event, time, place);
    } else {
      this.#defined[event] = 1;
      this.#observedAt[event] = time;
      this.#files[event] = place.file;
      this.#lines[event] = place.line;
    }
    for (const id of record.dependsOn) this.#connect(event, this.#intern(id, place));
  }

  freeze(): EventGraph {
    const size = this.#ids.size;
    const offsets = new Uint32Array(size + 1);
    for (let edge = 0; edge < this.#edges; edge++) offsets[this.#sources[edge]! + 1]!++;
    for (let event = 0; event < size; event++) offsets[event + 1]! += offsets[event]!;
    const dependencies = new Uint32Array(this.#edges);
    const next = offsets.slice();
    for (let edge = 0; edge < this.#edges; edge++) dependencies[next[this.#sources[edge]!]!++] = this.#targets[edge]!;
    return {
      size,
      ids: this.#ids,
      observedAt: this.#observedAt.subarray(0, size),
      defined: this.#defined.subarray(0, size),
      files: this.#files.subarray(0, size),
      lines: this.#lines.subarray(0, size),
      offsets,
      dependencies,
      records: this.#records,
      repeated: this.#repeated,
      conflicts: this.#conflicts,
      conflictCount: this.#conflictCount,
    };
  }

  #intern(id: string, place: RecordPlace): number {
    const known = this.#ids.size;
    const event = this.#ids.intern(id);
    if (event === known) {
      const size = known + 1;
      this.#observedAt = withRoom(this.#observedAt, size);
      this.#defined = withRoom(this.#defined, size);
      this.#files = withRoom(this.#files, size);
      this.#lines = withRoom(this.#lines, size);
      this.#observedAt[event] = Number.NaN;
      this.#files[event] = place.file;
      this.#lines[event] = place.line;
    }
    return event;
  }

  #repeat(event: number, time: number, place: RecordPlace): void {
    const known = this.#observedAt[event]!;
    if (Number.isNaN(known) || Number.isNaN(time) || known === time) {
      this.#repeated++;
      if (Number.isNaN(known)) this.#observedAt[event] = time;
      return;
    }
    if (this.#conflictCount++ < keptConflicts) this.#conflicts.push({ event, known, other: time, place });
    this.#observedAt[event] = this.#rule === 'earliest' ? Math.min(known, time) : Math.max(known, time);
  }

  #connect(source: number, target: number): void {
    this.#sources = withRoom(this.#sources, this.#edges + 1);
    this.#targets = withRoom(this.#targets, this.#edges + 1);
    this.#sources[this.#edges] = source;
    this.#targets[this.#edges] = target;
    this.#edges++;
  }
}
