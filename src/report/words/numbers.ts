import type { Estimate } from '../../evaluation/bootstrap/pairedBootstrap.js';
import type { RatioEstimate } from '../../evaluation/bootstrap/pairedRatio.js';

export { groupDigits as countText } from '../../audit/external/output/describe.js';

/** How values of a metric are printed: shares as points (x 100), ranks as they are. */
export type MetricUnit = 'points' | 'ranks';

const minus = '\u2212';

/**
 * Two decimals. A sign before zeros says on which side of zero a value lies that is too small to show; zero has none.
 */
function twoDecimals(value: number, signed: boolean): string {
  const digits = Math.abs(value).toFixed(2);
  if (value === 0) return digits;
  if (value < 0) return minus + digits;
  return signed || Number(digits) === 0 ? `+${digits}` : digits;
}

function scaled(value: number, unit: MetricUnit): number {
  return unit === 'points' ? 100 * value : value;
}

/** A mean, `53.11`; `–` where it is not defined. */
export function valueText(value: number | null | undefined, unit: MetricUnit = 'points'): string {
  return value === null || value === undefined ? '–' : twoDecimals(scaled(value, unit), false);
}

/** A difference with its sign, `+3.62`. */
export function differenceText(value: number, unit: MetricUnit = 'points'): string {
  return twoDecimals(scaled(value, unit), true);
}

/** `[3.01, 4.26]`, as the paper prints intervals. */
export function intervalText(interval: { lower: number; upper: number }, unit: MetricUnit = 'points'): string {
  return `[${valueText(interval.lower, unit)}, ${valueText(interval.upper, unit)}]`;
}

/** `[3.01, 4.26]`, or why there is none: `(fewer than two clusters)`. */
export function intervalOrReason(estimate: Estimate, unit: MetricUnit = 'points'): string {
  const { interval, reason } = estimate;
  return interval === null ? `(${reason})` : intervalText(interval, unit);
}

/** `+3.62 [3.01, 4.26]`, `+3.62 (fewer than two clusters)` or `not defined`. */
export function estimateText(estimate: Estimate, unit: MetricUnit = 'points'): string {
  const { mean } = estimate;
  return mean === null ? 'not defined' : `${differenceText(mean, unit)} ${intervalOrReason(estimate, unit)}`;
}

/** `28.0%`. */
export function percentText(share: number | null): string {
  if (share === null) return '–';
  const digits = Math.abs(100 * share).toFixed(1);
  return `${share < 0 ? minus : ''}${digits}%`;
}

/** `28.0% [23.9%, 32.6%]`, `28.0% (fewer than two clusters)`, or the reason why there is no value. */
export function ratioText({ value, interval, reason }: RatioEstimate): string {
  if (value === null) return reason === null ? 'not defined' : typeset(reason);
  const range = interval === null ? `(${reason})` : `[${percentText(interval.lower)}, ${percentText(interval.upper)}]`;
  return `${percentText(value)} ${range}`;
}

/** A formula written with the keyboard, as it is printed: `P − S ≥ 0`, kept on one line. */
function typeset(text: string): string {
  return text
    .replaceAll(' >= ', '\u00a0≥\u00a0')
    .replaceAll(' <= ', '\u00a0≤\u00a0')
    .replaceAll(' - ', `\u00a0${minus}\u00a0`);
}

/** A similarity or another share, three decimals: `0.904`. */
export function similarityText(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

/** 0.95 as `95%`. */
export function confidenceText(confidence: number): string {
  return `${Number((100 * confidence).toFixed(6))}%`;
}
