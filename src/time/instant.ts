/** Milliseconds since the Unix epoch, UTC; an integer. Years 0001 to 9999 are parsed and formatted. */
export type Instant = number;

export const millisecondsPerSecond = 1_000;
export const millisecondsPerMinute = 60_000;
export const millisecondsPerHour = 3_600_000;
export const millisecondsPerDay = 86_400_000;

/** 0001-01-01T00:00:00Z, the first instant that has a text form. */
export const firstInstant: Instant = -62_135_596_800_000;

/** 9999-12-31T23:59:59.999Z, the last instant that has a text form. */
export const lastInstant: Instant = 253_402_300_799_999;

/** Whether a number is an instant that can be written: an integer in years 0001 to 9999. */
export function isInstant(value: unknown): value is Instant {
  return Number.isInteger(value) && (value as number) >= firstInstant && (value as number) <= lastInstant;
}
