import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { dayNumber } from './civil.js';
import { type Instant, millisecondsPerDay, millisecondsPerSecond } from './instant.js';

/**
 * How a local time became an instant.
 * - `exact`: it exists once.
 * - `gap`: clocks jumped over it. Read with the offset from before the jump, which lands as much after the jump as the
 *   local time lay inside the gap (02:30 in a gap from 02:00 to 03:00 is 03:30 by the new offset).
 * - `overlap`: clocks showed it twice. The first of the two is taken.
 *
 * This is the rule of RFC 5545 (section 3.3.5), and what `java.time` and Temporal's `compatible` do.
 */
export type Resolution = 'exact' | 'gap' | 'overlap';

export interface ResolvedLocal {
  instant: Instant;
  resolution: Resolution;
}

const cachedDays = 65_536;
const zones = new Map<string, TimeZone>();

/** A time zone of the IANA database, as Node's own copy has it; no other property of the machine has a part in it. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  /** Offsets of the UTC days on which it does not change. */
  readonly #offsets = new Map<number, number>();

  /** @throws InvalidArgumentError when the name is not in the database */
  static named(name: string): TimeZone {
    const known = zones.get(name);
    if (known !== undefined) return known;
    const zone = new TimeZone(name);
    zones.set(name, zone);
    return zone;
  }

  private constructor(name: string) {
    const expected = 'the IANA name of a time zone, such as Europe/Berlin or UTC';
    // Newer Nodes take fixed offsets here and older ones do not; asof takes them on none.
    if (!/^[A-Za-z]/.test(name)) throw new InvalidArgumentError({ argument: 'zone', value: name, expected });
    try {
      this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    } catch (cause) {
      throw new InvalidArgumentError({ argument: 'zone', value: name, expected, cause });
    }
    this.name = this.#format.resolvedOptions().timeZone;
  }

  /** Local time minus UTC at an instant, in milliseconds; positive east of Greenwich. */
  offsetAt(instant: Instant): number {
    const day = dayNumber(instant);
    const known = this.#offsets.get(day);
    if (known !== undefined) return known;
    const start = day * millisecondsPerDay;
    const first = this.#lookUp(start);
    if (first !== this.#lookUp(start + millisecondsPerDay)) return this.#lookUp(instant);
    // No zone has gone there and back within one UTC day, so equal ends mean a constant day.
    if (this.#offsets.size >= cachedDays) this.#offsets.clear();
    this.#offsets.set(day, first);
    return first;
  }

  /** @param local the local date and time as if it were UTC, in milliseconds */
  resolve(local: number): ResolvedLocal {
    // Offsets stay under 24 hours, so these two lie safely before and after whatever instant is meant.
    const before = this.offsetAt(local - millisecondsPerDay);
    const after = this.offsetAt(local + millisecondsPerDay);
    if (before === after) return { instant: local - before, resolution: 'exact' };
    const first = local - before;
    const second = local - after;
    const firstExists = this.offsetAt(first) === before;
    const secondExists = this.offsetAt(second) === after;
    if (firstExists) return { instant: first, resolution: secondExists ? 'overlap' : 'exact' };
    return secondExists ? { instant: second, resolution: 'exact' } : { instant: first, resolution: 'gap' };
  }

  #lookUp(instant: Instant): number {
    const offset = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(this.#format.format(instant));
    if (offset === null) throw new Error(`no offset in ${this.#format.format(instant)}`);
    const [, sign, hours, minutes, seconds] = offset;
    if (sign === undefined) return 0;
    const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds ?? 0);
    return (sign === '-' ? -size : size) * millisecondsPerSecond;
  }
}
