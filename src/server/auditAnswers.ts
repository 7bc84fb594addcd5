import { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { auditLog } from '../audit/external/auditLog.js';
import { jsonLog } from '../audit/external/formats/jsonLog.js';
import { auditJson } from '../audit/external/output/auditJson.js';
import { InputSet } from '../corpus/readers/inputs.js';
import type { EventJournal } from '../store/events/EventJournal.js';
import { exact, instantOf, instantParameter } from './schemas/common.js';

/** Answers of a system, and the events of the log that each used. */
export const answersSchema = exact({
  answers: Type.Array(
    exact({
      id: Type.String({ minLength: 1 }),
      askedAt: instantParameter('When it was asked for'),
      used: Type.Array(Type.String(), { maxItems: 10_000, description: 'Ids of the events that it used' }),
    }),
    { minItems: 1, maxItems: 100_000 },
  ),
  unknown: Type.Optional(
    Type.Enum(['fault', 'partial'], { description: 'What ids are that the log does not hold; a fault by default' }),
  ),
});

/**
 * Whether answers used only events that the log held strictly before them, with the state of the log.
 * @throws InvalidArgumentError for a time that is none
 */
export async function auditAnswers(events: EventJournal, { answers, unknown = 'fault' }: Static<typeof answersSchema>) {
  await events.refresh();
  for (const { askedAt } of answers) instantOf('askedAt', askedAt);
  const lines = answers.map((answer) => Buffer.from(`${JSON.stringify(answer)}\n`));
  const { log } = events;
  const audit = await auditLog({
    events: events.size === 0 ? [] : [{ path: events.file, format: jsonLog }],
    answers: [{ path: '-', format: jsonLog }],
    unknown,
    inputs: new InputSet({ stdin: Readable.from(lines) }),
  });
  return { ...auditJson(audit), state: { events: log } };
}

export type AnswersAudit = Awaited<ReturnType<typeof auditAnswers>>;
