import type { AnswerVerdict } from './AnswerAuditor.js';

/** Temporal Violation Rates (PIT Discovery section 3.5) over all answers. */
export interface ViolationRates {
  /** Mean of the rates of the answers; one that used nothing has rate 0. */
  readonly mean: number;
  /** Offending entries of all answers / used entries of all answers. */
  readonly pooled: number;
  /** The same if every entry that could not be checked were an offence (and every unrecorded answer all offence). */
  readonly meanUpper: number;
  /** The same; answers that do not record their entries have no part in it. */
  readonly pooledUpper: number;
  /** Highest rate of an answer. */
  readonly highest: number;
}

/** Answers and entries counted by verdict, and the temporal violation rates over them. */
export interface AuditTotals {
  readonly answers: number;
  readonly pass: number;
  readonly violation: number;
  readonly unverifiable: number;
  /** Answers that recorded that they used nothing. */
  readonly withoutEntries: number;
  readonly entries: {
    /** Distinct entries of each answer, over all answers. */
    readonly used: number;
    readonly offending: number;
    /** Offences at the very instant of the answer; part of `offending`. */
    readonly sameInstant: number;
    /** Entries that only the clock skew tolerance lets pass. */
    readonly tolerated: number;
    readonly unverifiable: number;
    /** Entries that an answer listed again. */
    readonly repeated: number;
  };
  readonly rates: ViolationRates;
}

/** Adds up verdicts as they come. */
export class TotalsBuilder {
  #answers = 0;
  #pass = 0;
  #violation = 0;
  #unverifiable = 0;
  #withoutEntries = 0;
  #used = 0;
  #offending = 0;
  #sameInstant = 0;
  #tolerated = 0;
  #unverifiableEntries = 0;
  #rates = 0;
  #upperRates = 0;
  #highest = 0;

  get answers(): number {
    return this.#answers;
  }

  add(verdict: AnswerVerdict): void {
    this.#answers++;
    if (verdict.status === 'pass') this.#pass++;
    else if (verdict.status === 'violation') this.#violation++;
    else this.#unverifiable++;
    if (verdict.used === 0) this.#withoutEntries++;
    this.#used += verdict.used ?? 0;
    this.#offending += verdict.offending;
    this.#sameInstant += verdict.sameInstant;
    this.#tolerated += verdict.tolerated;
    this.#unverifiableEntries += verdict.unverifiable;
    this.#rates += verdict.tvr;
    this.#upperRates += verdict.tvrUpper;
    this.#highest = Math.max(this.#highest, verdict.tvr);
  }

  /** @param repeated entries that an answer listed again */
  totals(repeated: number): AuditTotals {
    const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
    return {
      answers: this.#answers,
      pass: this.#pass,
      violation: this.#violation,
      unverifiable: this.#unverifiable,
      withoutEntries: this.#withoutEntries,
      entries: {
        used: this.#used,
        offending: this.#offending,
        sameInstant: this.#sameInstant,
        tolerated: this.#tolerated,
        unverifiable: this.#unverifiableEntries,
        repeated,
      },
      rates: {
        mean: share(this.#rates, this.#answers),
        pooled: share(this.#offending, this.#used),
        meanUpper: share(this.#upperRates, this.#answers),
        pooledUpper: share(this.#offending + this.#unverifiableEntries, this.#used),
        highest: this.#highest,
      },
    };
  }
}
