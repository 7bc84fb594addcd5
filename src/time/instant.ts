/** Milliseconds since the Unix epoch, UTC; an integer. Years 0001 to 9999 are parsed and formatted. */
export type Instant = number;
