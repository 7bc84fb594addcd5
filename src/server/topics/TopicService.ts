import type { Embedder } from '../../embedding/Embedder.js';
import { openEmbedder } from '../../replay/openEmbedder.js';
import type { SearchableWorkspace } from '../../search/SearchableWorkspace.js';
import { type TrackWorkspaceOptions, trackWorkspace } from '../../store/topics/trackWorkspace.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { PublishedSlice } from '../../topics/publishedSlice.js';
import { topicsJson } from '../../topics/topicRows.js';

/** How topics are asked for: what `asof topics` takes, less what only fits a command line. */
export type TopicQuestion = Pick<TrackWorkspaceOptions, 'asOf' | 'slices' | 'lateness' | 'tracker' | 'rule' | 'seed'>;

/** Topics as of an instant, as an answer gives them. */
export type TopicAnswer = Awaited<ReturnType<typeof trackTopics>>;

const answersKept = 32;

/**
 * Topics of a workspace as of any time. Tracking takes a while, so questions wait for one another and answers are kept
 * until the workspace changes. Nothing is published here: labels that `asof topics` published are read from its log.
 */
export class TopicService {
  readonly #given: Embedder | undefined;
  #opened: Promise<Embedder> | undefined;
  /** By state of the log and question. */
  readonly #answers = new Map<string, Promise<TopicAnswer>>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param embedder by default the one that the workspace was embedded with, else all-MiniLM-L6-v2 */
  constructor(embedder?: Embedder) {
    this.#given = embedder;
  }

  track(workspace: SearchableWorkspace, question: TopicQuestion): Promise<TopicAnswer> {
    const key = JSON.stringify([workspace.storage.log.root, question]);
    const kept = this.#answers.get(key);
    if (kept !== undefined) return kept;
    const answer = this.#last
      .catch(() => undefined)
      .then(async () => trackTopics(workspace, question, await this.#embedder(workspace)));
    this.#last = answer;
    if (this.#answers.size === answersKept) this.#answers.delete([...this.#answers.keys()][0]!);
    this.#answers.set(key, answer);
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    await (await this.#opened?.catch(() => undefined))?.close();
  }

  #embedder(workspace: SearchableWorkspace): Promise<Embedder> {
    if (this.#given !== undefined) return Promise.resolve(this.#given);
    this.#opened ??= (async () => {
      const recorded = await workspace.embedder();
      return openEmbedder(recorded?.spec ?? { kind: 'minilm', precision: 'float32' });
    })();
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }
}

async function trackTopics(workspace: SearchableWorkspace, question: TopicQuestion, embedder: Embedder) {
  const { asOf } = question;
  const tracking = await trackWorkspace(workspace.storage, { ...question, embedder, publish: false });
  const { coveredUntil, sliceRule, parameters, slices, counts, model, published } = tracking;
  const corpus = await workspace.storage.stateAt(asOf);
  const textOf = (instant: number | null) => (instant === null ? null : formatInstant(instant));
  return {
    asOf: formatInstant(asOf),
    coveredUntil: textOf(Number.isFinite(coveredUntil) ? coveredUntil : null),
    sliceRule,
    slices: topicsJson(slices) as TopicSliceJson[],
    counts,
    state: {
      corpus: { ...corpus, asOf: formatInstant(corpus.asOf) },
      model: {
        hash: model.hash,
        parameters,
        availableAt: textOf(model.availableAt),
        newestObservation: textOf(model.newestObservation),
      },
      published,
    },
  };
}

/** A published slice with its instants as texts. */
export type TopicSliceJson = Omit<PublishedSlice, 'start' | 'end' | 'knownAt'> & {
  readonly start: string;
  readonly end: string;
  readonly knownAt: string;
};
