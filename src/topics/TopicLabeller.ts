import type { TopicPoint } from './publishedSlice.js';
import type { Judgement, TopicObservation, TrendLabel, TrendRule } from './rules/trendRule.js';
import type { StateValue } from './state/stateValue.js';
import { type SliceAssignment, takeoverOf } from './trackers/TopicTracker.js';

/** A topic in a slice, before it is labelled. */
export interface DescribedTopic extends Pick<TopicPoint, 'topic' | 'size' | 'terms' | 'about' | 'entities'> {
  /** [dimension] sum of the vectors of its documents. */
  readonly sum: Float64Array;
}

type LabellerState = {
  /** What the rule remembers of each topic up to the slices that are looked back on, by number. */
  readonly remembered: readonly (readonly [number, StateValue])[];
  /** Lengths of the slices that are looked back on, and the terms that topics had in them; the latest last. */
  readonly spans: readonly number[];
  readonly terms: readonly (readonly (readonly [number, readonly string[]])[])[];
};

/**
 * Labels the topics of slice after slice by a rule.
 *
 * With a tracker that looks back, the rule is led anew through the slices looked back on, as the model sees them now:
 * when topics part or a new one is found, what is usual for each is known at once. Slices further back stand as they
 * were seen last, so that a slice costs the same however many came before.
 */
export class TopicLabeller {
  readonly #rule: TrendRule;
  #remembered = new Map<number, StateValue>();
  #spans: number[] = [];
  #terms: (readonly (readonly [number, readonly string[]])[])[] = [];

  constructor(rule: TrendRule) {
    this.#rule = rule;
  }

  get parameters(): StateValue {
    return { name: this.#rule.name, parameters: this.#rule.parameters };
  }

  save(): StateValue {
    const state: LabellerState = {
      remembered: Array.from(this.#remembered).sort(([a], [b]) => a - b),
      spans: this.#spans,
      terms: this.#terms,
    };
    return state;
  }

  restore(saved: StateValue): void {
    const { remembered, spans, terms } = saved as LabellerState;
    this.#remembered = new Map(remembered);
    this.#spans = [...spans];
    this.#terms = [...terms];
  }

  /** @param span length of the slice in milliseconds */
  label(span: number, topics: readonly DescribedTopic[], assignment: SliceAssignment): TopicPoint[] {
    const ended = this.#followEvents(topics, assignment);
    const isNew = new Set(
      assignment.events
        .filter(({ kind }) => kind === 'emergence' || kind === 'split' || kind === 'return')
        .map((e) => e.topic),
    );
    const alive = topics.map(({ sum, ...described }) => {
      const { topic, size, terms } = described;
      const past = this.#observationsOf(topic, assignment);
      const judgement = this.#judge(topic, past, { size, span, sum, terms }, assignment);
      const label: TrendLabel = isNew.has(topic) ? 'emergence' : judgement.label;
      const { ratio, drift } = judgement;
      return { ...described, label, ratio, drift, past: past.map((observation) => observation.size) };
    });
    if (assignment.past !== null) {
      this.#spans.push(span);
      this.#terms.push(topics.map(({ topic, terms }) => [topic, terms]));
      const oldest = this.#spans.length - assignment.past.lookBack;
      this.#spans = this.#spans.slice(Math.max(0, oldest));
      this.#terms = this.#terms.slice(Math.max(0, oldest));
    }
    return [...alive, ...ended].sort((a, b) => a.topic - b.topic);
  }

  /** Leads the rule through the slices looked back on and the present one, and remembers what is looked at no more. */
  #judge(
    topic: number,
    past: readonly TopicObservation[],
    present: TopicObservation,
    { past: lookedAt }: SliceAssignment,
  ): Judgement<StateValue> {
    let state = this.#remembered.get(topic);
    const take = (observation: TopicObservation) => {
      const judgement = state === undefined ? this.#rule.begin(observation) : this.#rule.next(state, observation);
      state = judgement.state;
      return judgement;
    };
    for (const [index, observation] of past.entries()) {
      if (state !== undefined || observation.size > 0) take(observation);
      const isLeaving = index === 0 && past.length === lookedAt?.lookBack;
      if (isLeaving && state !== undefined) this.#remembered.set(topic, state);
    }
    const judgement = take(present);
    if (lookedAt === null || lookedAt.lookBack === 0) this.#remembered.set(topic, judgement.state);
    return judgement;
  }

  #observationsOf(topic: number, { past }: SliceAssignment): TopicObservation[] {
    const observations = past?.observations.get(topic) ?? [];
    return observations.map(({ size, sum }, index) => {
      const terms = this.#terms[index]!.find(([other]) => other === topic)?.[1] ?? [];
      return { size, sum, span: this.#spans[index]!, terms };
    });
  }

  /** Takes over what was usual from topics that merge, and gives up what leaves with those that split off. */
  #followEvents(topics: readonly DescribedTopic[], { events, past }: SliceAssignment): TopicPoint[] {
    const sizes = new Map(topics.map(({ topic, size }) => [topic, size]));
    const documentsOf = (topic: number) =>
      (past?.observations.get(topic) ?? []).reduce((sum, { size }) => sum + size, sizes.get(topic) ?? 0);
    const ended: TopicPoint[] = [];
    for (const event of events) {
      const { kind, topic, other } = event;
      const state = this.#remembered.get(topic);
      const otherState = other === null ? undefined : this.#remembered.get(other);
      if (kind === 'split' && otherState !== undefined) {
        const [kept, left] = [documentsOf(other!), documentsOf(topic)];
        if (kept + left > 0) this.#remembered.set(other!, this.#rule.split(otherState, kept / (kept + left)));
      }
      if (kind === 'merge' && state !== undefined && otherState !== undefined) {
        this.#remembered.set(other!, this.#rule.merge(otherState, state));
      }
      for (const { from } of takeoverOf(event)) {
        this.#remembered.delete(from);
        const nothing = { size: 0, ratio: null, drift: null, terms: [], about: [], entities: [], past: [] };
        ended.push({ topic: from, label: 'ended', ...nothing });
      }
    }
    return ended;
  }
}
