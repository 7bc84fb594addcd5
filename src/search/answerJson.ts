import type { TemporalIntent } from '../retrieval/intent/temporalIntent.js';
import { formatInstant } from '../time/formatInstant.js';
import type { SearchAnswer, SearchHit } from './answer.js';

/** An answer as a JSON value: instants as texts, durations in milliseconds, null for what is not there. */
export function answerJson(answer: SearchAnswer) {
  const { query, asOf, intent, state, documents, halfLife, note = null, hits } = answer;
  return {
    query,
    asOf: formatInstant(asOf),
    intent: intent === undefined ? null : intentJson(intent),
    state: { corpus: { ...state.corpus, asOf: formatInstant(state.corpus.asOf) }, model: state.model },
    documents,
    halfLife,
    note,
    hits: hits.map(hitJson),
  };
}

export type AnswerJson = ReturnType<typeof answerJson>;

function intentJson({ asOf, from, before, phrases, ...intent }: TemporalIntent) {
  return {
    ...intent,
    asOf: formatInstant(asOf),
    from: from === null ? null : formatInstant(from),
    before: before === null ? null : formatInstant(before),
    phrases: phrases.map(({ text, meaning }) => ({ text, meaning })),
  };
}

function hitJson(hit: SearchHit) {
  const { explanation, title = null, eventAt, availableAt, ...rest } = hit;
  const { lexical = null, semantic = null, ...scores } = explanation;
  return {
    ...rest,
    title,
    eventAt: formatInstant(eventAt),
    availableAt: formatInstant(availableAt),
    explanation: { ...scores, lexical, semantic },
  };
}
