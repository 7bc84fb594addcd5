import { closeOverDependencies, type DependencyClosure, gap, ownGap } from '../../lineage/dependencyClosure.js';
import type { Duration } from '../../time/duration.js';
import type { Instant } from '../../time/instant.js';
import type { EventGraph, RecordPlace } from './EventGraph.js';

/** One answer of a system under audit. */
export interface AnswerRecord {
  readonly id: string;
  /** When it was asked for, o(q); undefined when the log does not say. */
  readonly askedAt: Instant | undefined;
  /**
   * Ids of the events that it used, best first where the system ranks; an entry that has no id is undefined. The list
   * itself is undefined when the system does not record what it used.
   */
  readonly used: readonly (string | undefined)[] | undefined;
}

/**
 * Why an entry is not a legal one, or cannot be said to be one.
 * Offences: `later` (it or an ancestor was observed after the answer was asked for), `same-instant` (at that very instant: the rule
 * is strict). Gaps: `untimed` (it or an ancestor has no time), `unknown` (no record describes it or an ancestor),
 * `cyclic` (its ancestors depend on one another), `no-id`, `answer-untimed` (nothing to compare with), `not-recorded`
 * (the answer does not say what it used).
 */
export type EntryReason = 'later' | 'same-instant' | GapReason;
/** Why an entry cannot be checked. */
export type GapReason = 'untimed' | 'unknown' | 'cyclic' | 'no-id' | 'answer-untimed' | 'not-recorded';

/** One used entry of an answer, and what is wrong with it. */
export interface EntryFinding {
  readonly reason: EntryReason;
  /** The used event; null when it has no id. */
  readonly entry: string | null;
  /** The event that is at fault: the entry itself, or the ancestor that `path` leads to. Null where none can be named. */
  readonly event: string | null;
  /** When that event was observed; null where unknown. */
  readonly observedAt: Instant | null;
  /** Ids from the entry along its dependencies to the event; its middle is left out where it is long. */
  readonly path: readonly string[];
  /** How many ids were left out before the last one. */
  readonly omitted: number;
}

/** Whether an answer used only what had been observed before it. */
export interface AnswerVerdict {
  readonly id: string;
  readonly file: number;
  readonly line: number;
  readonly askedAt: Instant | null;
  /** `violation`: an offence. `unverifiable`: no offence, but an entry that cannot be checked. */
  readonly status: 'pass' | 'violation' | 'unverifiable';
  /** Distinct used entries, |A_i|; null when the answer does not record them. */
  readonly used: number | null;
  /** Entries that were not observed strictly before the answer (all offences). */
  readonly offending: number;
  /** Offences at the very instant of the answer. */
  readonly sameInstant: number;
  /** Entries that only the clock skew tolerance lets pass. */
  readonly tolerated: number;
  /** Entries that are no offence as far as known, but cannot be checked. */
  readonly unverifiable: number;
  /** Temporal Violation Rate: offending / used (PIT Discovery section 3.5); 0 when nothing was used. */
  readonly tvr: number;
  /** What the rate would be if every unverifiable entry were an offence. */
  readonly tvrUpper: number;
  /** The first offence in the order of `used`. */
  readonly firstOffence: EntryFinding | null;
  /** The first gap in the order of `used`. */
  readonly firstGap: EntryFinding | null;
}

/** How many entries there are of each kind of gap. */
export type GapCounts = Record<GapReason, number>;

export const gapReasons: readonly GapReason[] = [
  'untimed',
  'unknown',
  'cyclic',
  'no-id',
  'answer-untimed',
  'not-recorded',
];

/** Longest path that is spelt out; the rest is left out before the last event. */
const spelledPath = 6;
/** How far a gap is searched for among ancestors before it goes unnamed. */
const longestSearch = 1000;

/**
 * Checks answers one by one against a frozen event log: every used entry and all its ancestors must have been observed
 * strictly before the answer, max over Ancestors(m) of o(e) < o(q) (PIT Discovery sections 3.2 and 7). With a clock
 * skew tolerance s, strictly before o(q) + s.
 *
 * O(1) an entry: what an answer needs to know of a closure is computed once for all answers. Memory beside the graph:
 * 25 bytes an event.
 */
export class AnswerAuditor {
  readonly graph: EventGraph;
  readonly closure: DependencyClosure;
  readonly #clockSkew: Duration;
  /** [size] number of the last answer that used the event: an entry listed twice is one entry. */
  readonly #usedBy: Uint32Array;
  /** Ids of an answer that are not in the log at all. */
  readonly #strangers = new Set<string>();
  #answers = 0;
  #repeatedEntries = 0;
  readonly gaps: GapCounts = {
    untimed: 0,
    unknown: 0,
    cyclic: 0,
    'no-id': 0,
    'answer-untimed': 0,
    'not-recorded': 0,
  };
  readonly #onUnknown: (id: string, answer: AnswerRecord, place: RecordPlace) => void;

  /** @param onUnknown hears of every used id that the event log does not so much as name */
  constructor(
    graph: EventGraph,
    clockSkew: Duration,
    onUnknown: (id: string, answer: AnswerRecord, place: RecordPlace) => void = () => {},
  ) {
    this.graph = graph;
    this.closure = closeOverDependencies(graph);
    this.#clockSkew = clockSkew;
    this.#usedBy = new Uint32Array(graph.size);
    this.#onUnknown = onUnknown;
  }

  /** Entries that an answer lists again, over all answers; each counts once. */
  get repeatedEntries(): number {
    return this.#repeatedEntries;
  }

  audit(answer: AnswerRecord, place: RecordPlace): AnswerVerdict {
    this.#answers++;
    this.#strangers.clear();
    const askedAt = answer.askedAt ?? Number.NaN;
    let used = 0;
    let offending = 0;
    let sameInstant = 0;
    let tolerated = 0;
    let unverifiable = 0;
    let firstOffence: EntryFinding | null = null;
    let firstGap: EntryFinding | null = null;
    for (const id of answer.used ?? []) {
      const event = id === undefined ? -1 : this.graph.ids.find(id);
      if (!this.#isNew(id, event)) continue;
      used++;
      const newest = event === -1 ? Number.NaN : this.closure.newest[event]!;
      if (event !== -1 && newest >= askedAt + this.#clockSkew) {
        offending++;
        const reason = newest === askedAt ? 'same-instant' : 'later';
        if (reason === 'same-instant') sameInstant++;
        firstOffence ??= this.#offence(reason, event);
        continue;
      }
      if (event !== -1 && newest >= askedAt) tolerated++;
      const reason = this.#gapOf(id, event, askedAt);
      if (reason === undefined) continue;
      unverifiable++;
      this.gaps[reason]++;
      if (event === -1 && id !== undefined) this.#onUnknown(id, answer, place);
      firstGap ??= this.#gapFinding(reason, id, event);
    }
    const isHidden = answer.used === undefined;
    if (isHidden) {
      this.gaps['not-recorded']++;
      firstGap = { reason: 'not-recorded', entry: null, event: null, observedAt: null, path: [], omitted: 0 };
    }
    return {
      id: answer.id,
      file: place.file,
      line: place.line,
      askedAt: answer.askedAt ?? null,
      status: offending > 0 ? 'violation' : unverifiable > 0 || isHidden ? 'unverifiable' : 'pass',
      used: isHidden ? null : used,
      offending,
      sameInstant,
      tolerated,
      unverifiable,
      tvr: used === 0 ? 0 : offending / used,
      tvrUpper: isHidden ? 1 : used === 0 ? 0 : (offending + unverifiable) / used,
      firstOffence,
      firstGap,
    };
  }

  /** Whether the entry is met for the first time in this answer. Entries without id are all taken for different ones. */
  #isNew(id: string | undefined, event: number): boolean {
    if (id === undefined) return true;
    const isRepeated = event === -1 ? this.#strangers.has(id) : this.#usedBy[event] === this.#answers;
    if (isRepeated) this.#repeatedEntries++;
    else if (event === -1) this.#strangers.add(id);
    else this.#usedBy[event] = this.#answers;
    return !isRepeated;
  }

  #gapOf(id: string | undefined, event: number, askedAt: number): GapReason | undefined {
    if (id === undefined) return 'no-id';
    if (event === -1) return 'unknown';
    const gaps = this.closure.gaps[event]!;
    if (gaps & gap.unknown) return 'unknown';
    if (gaps & gap.cyclic) return 'cyclic';
    if (gaps & gap.untimed) return 'untimed';
    return Number.isNaN(askedAt) ? 'answer-untimed' : undefined;
  }

  #offence(reason: 'later' | 'same-instant', entry: number): EntryFinding {
    const { newestEvent, towards, steps } = this.closure;
    const last = newestEvent[entry]!;
    const path: string[] = [];
    let at = entry;
    while (at !== last && path.length < spelledPath - 1) {
      path.push(this.graph.ids.idOf(at));
      at = towards[at]!;
    }
    path.push(this.graph.ids.idOf(last));
    return {
      reason,
      entry: this.graph.ids.idOf(entry),
      event: this.graph.ids.idOf(last),
      observedAt: this.graph.observedAt[last]!,
      path,
      omitted: steps[entry]! + 1 - path.length,
    };
  }

  #gapFinding(reason: GapReason, id: string | undefined, event: number): EntryFinding {
    const entry = id ?? null;
    if (event === -1 || reason === 'answer-untimed') {
      const observedAt = event === -1 ? null : this.closure.newest[event]!;
      return { reason, entry, event: entry, observedAt, path: id === undefined ? [] : [id], omitted: 0 };
    }
    const path =
      reason === 'cyclic' ? undefined : this.#pathToGap(event, reason === 'unknown' ? gap.unknown : gap.untimed);
    if (path === undefined) return { reason, entry, event: null, observedAt: null, path: [id!], omitted: 0 };
    const names = path.map((number) => this.graph.ids.idOf(number));
    const omitted = Math.max(0, names.length - spelledPath);
    if (omitted > 0) names.splice(spelledPath - 1, omitted);
    return { reason, entry, event: names.at(-1)!, observedAt: null, path: names, omitted };
  }

  /** From an event to the nearest of its ancestors (itself first) that has a gap of its own, along first dependencies. */
  #pathToGap(entry: number, kind: number): number[] | undefined {
    const { offsets, dependencies } = this.graph;
    const path = [entry];
    for (let at = entry; path.length < longestSearch; ) {
      if (ownGap(this.graph, at) & kind) return path;
      let edge = offsets[at]!;
      while (edge < offsets[at + 1]! && (this.closure.gaps[dependencies[edge]!]! & kind) === 0) edge++;
      if (edge === offsets[at + 1]) return undefined;
      at = dependencies[edge]!;
      path.push(at);
    }
    return undefined;
  }
}
