/** What one client may ask for, so that none can take the server down. */
export interface ServerLimits {
  /** Bytes of a body of records (NDJSON). */
  readonly ingestBytes: number;
  /** Bytes of any other body. */
  readonly bodyBytes: number;
  /** Rows, hits, events or assets of one page. */
  readonly pageRows: number;
  /** Ingests that wait for the one at work; more are refused. */
  readonly waitingIngests: number;
  /** Milliseconds that an answer may take. */
  readonly answerTime: number;
  /** Milliseconds that an ingest may take, waiting included. One that takes longer is still finished. */
  readonly ingestTime: number;
  /** Milliseconds that a request may take to arrive. */
  readonly arrivalTime: number;
}

export const defaultLimits: ServerLimits = {
  ingestBytes: 256 * 2 ** 20,
  bodyBytes: 2 * 2 ** 20,
  pageRows: 1000,
  waitingIngests: 8,
  answerTime: 60_000,
  ingestTime: 1_800_000,
  arrivalTime: 300_000,
};
