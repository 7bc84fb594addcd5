import { newSha256 } from '../commitment/sha256.js';
import type { PublishedSlice } from './publishedSlice.js';
import type { TrendRule } from './rules/trendRule.js';
import type { TimelineSlice } from './slices/timeline.js';
import { stateHash } from './state/packState.js';
import type { StateValue } from './state/stateValue.js';
import type { SliceBatch, TopicDocuments } from './TopicDocuments.js';
import { type DescribedTopic, TopicLabeller } from './TopicLabeller.js';
import { classTerms } from './terms/classTerms.js';
import { entityShares } from './terms/entityShares.js';
import { noTopic, TopicVocabulary } from './terms/TopicVocabulary.js';
import { countTerms } from './terms/termsOf.js';
import type { SliceAssignment, TopicTracker } from './trackers/TopicTracker.js';
import { addRow } from './trackers/vectorMath.js';

/** Terms and entities that are kept of each topic and slice, and terms of the topic so far. */
const keptTerms = 10;
const keptAbout = 20;
const keptEntities = 8;

type ModelState = {
  readonly parameters: StateValue;
  readonly tracker: StateValue;
  readonly labeller: StateValue;
  readonly vocabulary: StateValue;
  /** Newest event time, in epoch milliseconds, among the documents that the model has seen; null for none. */
  readonly newestObservation: number | null;
};

/**
 * The model θ_t: a tracker and a rule, and all that they have learnt from the slices so far. It takes slices in one after
 * another; its state can be saved and taken up again, and then goes on to the same bytes.
 */
export class TopicModel {
  readonly #tracker: TopicTracker;
  readonly #labeller: TopicLabeller;
  #vocabulary = TopicVocabulary.empty();
  #newestObservation: number | null = null;
  /** Of the model as it is now, once somebody has asked for it. */
  #hash: string | null = null;

  constructor(tracker: TopicTracker, rule: TrendRule) {
    this.#tracker = tracker;
    this.#labeller = new TopicLabeller(rule);
  }

  /** Tracker and rule with every setting. */
  get parameters(): StateValue {
    const { name, parameters } = this.#tracker;
    return { tracker: { name, parameters }, rule: this.#labeller.parameters };
  }

  get newestObservation(): number | null {
    return this.#newestObservation;
  }

  save(): StateValue {
    const state: ModelState = {
      parameters: this.parameters,
      tracker: this.#tracker.save(),
      labeller: this.#labeller.save(),
      vocabulary: this.#vocabulary.save(),
      newestObservation: this.#newestObservation,
    };
    return state;
  }

  restore(saved: StateValue): void {
    const { tracker, labeller, vocabulary, newestObservation } = saved as ModelState;
    this.#hash = null;
    this.#vocabulary = TopicVocabulary.restored(vocabulary);
    this.#tracker.restore(tracker);
    this.#labeller.restore(labeller);
    this.#newestObservation = newestObservation;
  }

  /** Identity of the model as it is now. */
  hash(): string {
    this.#hash ??= stateHash(this.save());
    return this.#hash;
  }

  /** Takes a finished slice in, and says what is published of it. */
  async takeIn(slice: TimelineSlice, documents: TopicDocuments): Promise<PublishedSlice> {
    const { batch, withoutVector, documentsHash } = await loadSlice(slice, documents);
    const assignment = await this.#tracker.advance(batch);
    const { topics, vocabulary } = describeTopics(batch, assignment, this.#vocabulary);
    const points = this.#labeller.label(slice.end - slice.start, topics, assignment);
    this.#vocabulary = vocabulary;
    this.#hash = null;
    for (const row of slice.rows) {
      this.#newestObservation = Math.max(this.#newestObservation ?? Number.NEGATIVE_INFINITY, documents.eventAt[row]!);
    }
    return published(slice, { points, assignment, withoutVector, documentsHash, modelHash: this.hash() });
  }

  /** What a slice that is not over looks like so far: volumes and terms, no labels. The model stays as it is. */
  async preview(slice: TimelineSlice, documents: TopicDocuments): Promise<PublishedSlice> {
    const before = this.#tracker.save();
    const { batch, withoutVector, documentsHash } = await loadSlice(slice, documents);
    const assignment = await this.#tracker.advance(batch);
    this.#tracker.restore(before);
    const { topics } = describeTopics(batch, assignment, this.#vocabulary);
    const points = topics.map(({ sum: _, ...point }) => {
      const past = assignment.past?.observations.get(point.topic) ?? [];
      return { ...point, label: null, ratio: null, drift: null, past: past.map(({ size }) => size) };
    });
    return published(slice, { points, assignment, withoutVector, documentsHash, modelHash: this.hash() });
  }
}

/**
 * Every topic that is alive in a slice, and the vocabulary with it. Documents without a topic are a class of their own to
 * the terms.
 */
function describeTopics(
  batch: SliceBatch,
  { topics, alive, events }: SliceAssignment,
  before: TopicVocabulary,
): { topics: DescribedTopic[]; vocabulary: TopicVocabulary } {
  const members = new Map<number, number[]>(alive.map((topic) => [topic, []]));
  const others: number[] = [];
  for (const [document, topic] of topics.entries()) (members.get(topic) ?? others).push(document);
  const groups = [...alive.map((topic) => members.get(topic)!), others];
  const counts = groups.map((group) => countTerms(group.map((document) => batch.texts[document]!)));
  const terms = classTerms(counts, keptTerms);
  const vocabulary = before.after(new Map([...alive, noTopic].map((topic, index) => [topic, counts[index]!])), events);
  const about = vocabulary.terms(keptAbout);
  const described = alive.map((topic, index) => {
    const group = groups[index]!;
    const sum = new Float64Array(batch.dimension);
    for (const document of group) addRow(sum, batch.vectors, document * batch.dimension);
    const entities = entityShares(
      group.map((document) => batch.entities[document]!),
      keptEntities,
    );
    return { topic, size: group.length, terms: terms[index]!, about: about.get(topic) ?? [], entities, sum };
  });
  return { topics: described, vocabulary };
}

interface LoadedSlice {
  readonly batch: SliceBatch;
  readonly withoutVector: number;
  readonly documentsHash: string;
}

/** Loads the documents of a slice; those without a vector are counted and left out. */
async function loadSlice({ rows }: TimelineSlice, documents: TopicDocuments): Promise<LoadedSlice> {
  const { dimension, ids, eventAt } = documents;
  const { vectors, present, texts, entities, contentHashes } = await documents.load(rows);
  const hash = newSha256();
  for (const [i, row] of rows.entries()) hash.update(`${JSON.stringify([ids[row], eventAt[row], contentHashes[i]])}\n`);
  const kept = Array.from(rows.keys()).filter((i) => present[i] === 1);
  const matrix = new Float32Array(kept.length * dimension);
  for (const [to, from] of kept.entries()) {
    matrix.set(vectors.subarray(from * dimension, (from + 1) * dimension), to * dimension);
  }
  const batch = {
    count: kept.length,
    dimension,
    vectors: matrix,
    texts: kept.map((i) => texts[i]!),
    entities: kept.map((i) => entities[i]!),
  };
  return { batch, withoutVector: rows.length - kept.length, documentsHash: hash.digest('hex') };
}

function published(
  slice: TimelineSlice,
  parts: Pick<PublishedSlice, 'points' | 'withoutVector' | 'documentsHash' | 'modelHash'> & {
    readonly assignment: SliceAssignment;
  },
): PublishedSlice {
  const { id, start, end, knownAt, provisional, rows } = slice;
  const { points, assignment, withoutVector, documentsHash, modelHash } = parts;
  const unassigned = assignment.topics.filter((topic) => topic < 0).length;
  return {
    id,
    start,
    end,
    knownAt,
    provisional,
    documents: rows.length,
    unassigned,
    withoutVector,
    points,
    events: assignment.events,
    documentsHash,
    modelHash,
  };
}
