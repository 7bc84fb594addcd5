import { canonicalJson } from '../../commitment/canonicalJson.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { formatInstant } from '../../time/formatInstant.js';
import { type Instant, isInstant } from '../../time/instant.js';
import { parseInstant } from '../../time/parseInstant.js';

/** Something that a system observed, and may remember: a request, a click, a note, a summary of earlier events. */
export interface InteractionEvent {
  readonly id: string;
  /** o(e): when it was observed. */
  readonly observedAt: Instant;
  /** What it is, in the system's own words; `event` where nothing was said. */
  readonly kind: string;
  /** Ids of the events that it was made from; they stand before it in the log. */
  readonly dependsOn: readonly string[];
  /** Whatever the system wants to keep with it: any JSON value; null where there is none. */
  readonly data: unknown;
}

/** Bounds of one event, so that a log can be read line by line in little memory. */
export const eventLimits = { idLength: 512, kindLength: 128, dependencies: 10_000, lineBytes: 1 << 20 } as const;

/**
 * An event as its line in the log, without the line end; also the leaf of the log's Merkle tree.
 * @throws InvalidArgumentError when a part of it cannot be kept
 */
export function eventLine(event: InteractionEvent): string {
  const { id, observedAt, kind, dependsOn, data } = event;
  checkText('id', id, eventLimits.idLength);
  checkText('kind', kind, eventLimits.kindLength);
  if (!isInstant(observedAt)) refuse('observedAt', observedAt, 'an instant in years 0001 to 9999');
  if (dependsOn.length > eventLimits.dependencies) {
    refuse('dependsOn', dependsOn.length, `at most ${eventLimits.dependencies} ids`);
  }
  for (const dependency of dependsOn) checkText('dependsOn', dependency, eventLimits.idLength);
  const line = canonicalJson({ id, observedAt: formatInstant(observedAt), kind, dependsOn, data });
  const bytes = Buffer.byteLength(line);
  if (bytes > eventLimits.lineBytes)
    refuse('data', `${bytes} bytes`, `at most ${eventLimits.lineBytes} bytes an event`);
  return line;
}

/**
 * Reads a line back.
 * @throws InvalidInputError when it is none that `eventLine` wrote
 */
export function parseEventLine(text: string, file: string, line: number): InteractionEvent {
  try {
    const { id, observedAt, kind, dependsOn, data } = JSON.parse(text);
    const event = { id, observedAt: parseInstant(observedAt), kind, dependsOn, data };
    if (eventLine(event) === text) return event;
  } catch {
    // Said below.
  }
  throw new InvalidInputError({ location: { file, line }, value: text, expected: 'an event as asof writes it' });
}

function checkText(argument: string, value: unknown, longest: number): void {
  if (typeof value === 'string' && value !== '' && value.length <= longest) return;
  refuse(argument, value, `a text of 1 to ${longest} characters`);
}

function refuse(argument: string, value: unknown, expected: string): never {
  throw new InvalidArgumentError({ argument, value, expected });
}
