import type { ClockKind } from '../../memory/eventLog.js';
import { formatInstant } from '../../time/formatInstant.js';
import { isInstant } from '../../time/instant.js';

/** A value of a stream's clock for messages: an instant where times were recorded, else the position that it is. */
export function clockText(kind: ClockKind, value: number | undefined): string {
  if (value === undefined) return 'none';
  return kind === 'recorded' && isInstant(value) ? formatInstant(value) : String(value);
}
