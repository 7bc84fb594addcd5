import { sha256Hex } from '../../commitment/sha256.js';
import type { ClockKind } from '../../memory/eventLog.js';

export type StreamKind = 'random' | 'semantic' | 'natural' | 'gold-overlap';

/**
 * An arrival order over the requests of a domain: each request occurs exactly once (PIT Discovery section 4.2).
 * Position i counts from 0.
 */
export interface Stream {
  readonly kind: StreamKind;
  readonly seed: number;
  /** True for a stress stream that looked at relevance labels: aggregation refuses it beside the others. */
  readonly usesGold: boolean;
  readonly clockKind: ClockKind;
  /** [requests] position -> request index. */
  readonly order: Uint32Array;
  /** Generator's parameters, as recorded in the manifest. */
  readonly parameters: Readonly<Record<string, number | string>>;
}

/**
 * SHA-256 over the request ids in stream order, each followed by a line feed.
 * @param order position -> request index
 */
export function streamHash(order: Uint32Array, requestIds: readonly string[]): string {
  let text = '';
  for (const request of order) text += `${requestIds[request]!}\n`;
  return sha256Hex(text);
}
