import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Duration } from '../../time/duration.js';
import type { Instant } from '../../time/instant.js';

/**
 * Age of something at t in milliseconds: max(0, t - eventAt). What is dated ahead of t (announced, or a placeholder such as
 * the year 9999) is as fresh as now and no fresher. NaN where the event time is unknown.
 */
export function ageOf(asOf: Instant, eventAt: number): number {
  return Math.max(0, asOf - eventAt);
}

/**
 * The half-life recency prior (temporal RAG, section 2.4): 0.5^(age / halfLife), in [0, 1]; 1 at age 0, and 0 where the age
 * is unknown, since what has no date cannot be called fresh. The age is clamped before the power, so that nothing exceeds 1.
 *
 * @param age milliseconds, at least 0, or NaN where unknown
 * @param halfLife milliseconds, above 0
 */
export function decayOf(age: number, halfLife: Duration): number {
  return Number.isNaN(age) ? 0 : 0.5 ** (age / halfLife);
}

/**
 * `decayOf(ageOf(asOf, eventAt))` of many.
 * @param eventAt [n] epoch milliseconds, NaN where unknown
 * @returns [n]
 */
export function decaysOf(asOf: Instant, eventAt: Float64Array, halfLife: Duration): Float64Array {
  const decays = new Float64Array(eventAt.length);
  for (let at = 0; at < decays.length; at++) decays[at] = decayOf(ageOf(asOf, eventAt[at]!), halfLife);
  return decays;
}

/** @throws InvalidArgumentError unless the half-life is a finite number of milliseconds above 0 */
export function checkHalfLife(halfLife: Duration): void {
  if (halfLife > 0 && halfLife < Number.POSITIVE_INFINITY) return;
  throw new InvalidArgumentError({ argument: 'halfLife', value: halfLife, expected: 'a finite duration above 0' });
}
