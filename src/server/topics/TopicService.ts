import type { Embedder } from '../../embedding/Embedder.js';
import { openEmbedder } from '../../replay/openEmbedder.js';
import { openWorkspace, type SearchableWorkspace } from '../../search/SearchableWorkspace.js';
import { type TopicMembers, topicMembers } from '../../store/topics/topicMembers.js';
import { type TrackWorkspaceOptions, trackWorkspace } from '../../store/topics/trackWorkspace.js';
import type { AssetVersion } from '../../store/workspace/assetVersion.js';
import { versionJson } from '../../store/workspace/versionJson.js';
import type { Workspace } from '../../store/workspace/Workspace.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { PublishedSlice } from '../../topics/publishedSlice.js';
import { topicsJson } from '../../topics/topicRows.js';
import type { SharedWorkspace } from '../SharedWorkspace.js';

/** How topics are asked for: what `asof topics` takes, less what only fits a command line. */
export type TopicQuestion = Pick<TrackWorkspaceOptions, 'asOf' | 'slices' | 'lateness' | 'tracker' | 'rule' | 'seed'>;

/** Topics as of an instant, as an answer gives them. */
export type TopicAnswer = Awaited<ReturnType<typeof trackTopics>>;

/** How far the answer to a question is. */
export interface TopicProgress {
  /** `none`: nobody asks for it, or it is answered already. */
  readonly state: 'none' | 'waiting' | 'tracking';
  /** Slices that are tracked, of those that have to be; 0 of 0 before the first. What was never embedded is on the way. */
  readonly done: number;
  readonly total: number;
}

const answersKept = 32;
const membersKept = 8;

/**
 * Topics of a workspace as of any time. Tracking takes a while, so questions wait for one another, and answers are kept
 * until the workspace changes. A question has the workspace open for itself: what is ingested meanwhile is there for
 * everything else. Nothing is published here: labels that `asof topics` published are read from its log.
 */
export class TopicService {
  readonly #given: Embedder | undefined;
  #opened: Promise<Embedder> | undefined;
  /** By state of the log and question. */
  readonly #answers = new Map<string, Promise<TopicAnswer>>();
  readonly #members = new Map<string, Promise<TopicMembers>>();
  readonly #progress = new Map<string, TopicProgress>();
  readonly #ending = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  /** @param embedder by default the one that the workspace was embedded with, else all-MiniLM-L6-v2 */
  constructor(embedder?: Embedder) {
    this.#given = embedder;
  }

  async track(shared: SharedWorkspace, question: TopicQuestion): Promise<TopicAnswer> {
    const key = await keyOf(shared, question);
    return kept(this.#answers, key, answersKept, () =>
      this.#inTurn(shared, key, (workspace, options) => trackTopics(workspace.storage, { ...question, ...options })),
    );
  }

  /** The documents that the tracker put into each topic in a slice; see `topicMembers`. */
  async members(shared: SharedWorkspace, question: TopicQuestion, slice: string): Promise<TopicMembers> {
    const key = await keyOf(shared, question);
    return kept(this.#members, `${key} ${slice}`, membersKept, () =>
      this.#inTurn(shared, key, (workspace, options) =>
        topicMembers(workspace.storage, slice, { ...question, ...options }),
      ),
    );
  }

  async progress(shared: SharedWorkspace, question: TopicQuestion): Promise<TopicProgress> {
    return this.#progress.get(await keyOf(shared, question)) ?? { state: 'none', done: 0, total: 0 };
  }

  /** Breaks off what is at work. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#last.catch(() => undefined);
    await (await this.#opened?.catch(() => undefined))?.close();
  }

  #inTurn<T>(
    shared: SharedWorkspace,
    key: string,
    act: (
      workspace: SearchableWorkspace,
      options: Pick<TrackWorkspaceOptions, 'embedder' | 'onSlice' | 'signal'>,
    ) => Promise<T>,
  ): Promise<T> {
    this.#progress.set(key, { state: 'waiting', done: 0, total: 0 });
    const answer = this.#last
      .catch(() => undefined)
      .then(async () => {
        this.#ending.signal.throwIfAborted();
        this.#progress.set(key, { state: 'tracking', done: 0, total: 0 });
        const workspace = await openWorkspace(shared.folder, { readOnly: true });
        try {
          return await act(workspace, {
            embedder: await this.#embedder(workspace),
            onSlice: (_slice, done, total) => this.#progress.set(key, { state: 'tracking', done, total }),
            signal: this.#ending.signal,
          });
        } finally {
          await workspace.close();
        }
      })
      .finally(() => this.#progress.delete(key));
    this.#last = answer;
    return answer;
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

/** Names what is asked for, and the state of the workspace that is asked. */
function keyOf(shared: SharedWorkspace, question: TopicQuestion): Promise<string> {
  return shared.use(async ({ storage }) => JSON.stringify([storage.log.root, question]));
}

/** What is kept under a key, or is made; the oldest makes room. What fails is not kept. */
function kept<T>(cache: Map<string, Promise<T>>, key: string, most: number, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (cache.size === most) cache.delete([...cache.keys()][0]!);
  cache.set(key, made);
  made.catch(() => cache.delete(key));
  return made;
}

async function trackTopics(workspace: Workspace, question: TopicQuestion & Pick<TrackWorkspaceOptions, 'embedder'>) {
  const { asOf } = question;
  const tracking = await trackWorkspace(workspace, { ...question, publish: false });
  const { coveredUntil, sliceRule, parameters, slices, counts, model, published } = tracking;
  const corpus = await workspace.stateAt(asOf);
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

/** The documents of a topic in a slice, a page of them. */
export interface TopicDocuments {
  readonly topic: number;
  readonly slice: string;
  readonly total: number;
  readonly documents: readonly ReturnType<typeof memberJson>[];
}

/** A document of a topic. */
export function memberJson(version: AssetVersion) {
  return { id: version.id, ...versionJson(version) };
}
