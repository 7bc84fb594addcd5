import { canonicalJson } from '../../commitment/canonicalJson.js';
import type { Embedder } from '../../embedding/Embedder.js';
import { ContractViolationError } from '../../errors/ContractViolationError.js';
import { MatrixProduct } from '../../inference/MatrixProduct.js';
import type { Duration } from '../../time/duration.js';
import type { Instant } from '../../time/instant.js';
import type { PublishedSlice } from '../../topics/publishedSlice.js';
import { coverageOf } from '../../topics/slices/coverage.js';
import type { SliceRule } from '../../topics/slices/sliceRule.js';
import type { StateValue } from '../../topics/state/stateValue.js';
import {
  createModel,
  type TopicModelOptions,
  type TopicTracking,
  type TrackedSoFar,
  type TrackTopicsOptions,
  trackTopics,
} from '../../topics/trackTopics.js';
import { openWorkspace } from '../workspace/openWorkspace.js';
import type { Workspace } from '../workspace/Workspace.js';
import { type KeptModel, TopicLog, type TopicLogEntry, type TopicSettings } from './TopicLog.js';
import { type WorkspaceDocuments, workspaceDocuments } from './workspaceDocuments.js';

/** How topics of a workspace are tracked, and whether finished slices are published. */
export interface TrackWorkspaceOptions extends TopicModelOptions {
  readonly asOf: Instant;
  /** Up to when the stream is complete; until the last document that came in by `asOf` by default (`coverageOf`). */
  readonly coveredUntil?: Instant | undefined;
  /** ISO weeks by default. */
  readonly slices?: SliceRule | undefined;
  /** How long after its end a slice is published, with what has come in by then; 0 by default. */
  readonly lateness?: Duration | undefined;
  readonly embedder: Embedder;
  readonly product?: MatrixProduct | undefined;
  /** Writes down what is published for the first time; true by default for a workspace opened for writing. */
  readonly publish?: boolean | undefined;
  /** Told of each slice when it is tracked. */
  readonly onSlice?: ((slice: PublishedSlice, done: number, total: number) => void) | undefined;
  /** Told of each slice that is tracked here and now, not of those that are read from the log: see `topicMembers`. */
  readonly onMembers?: TrackTopicsOptions['onMembers'];
  readonly signal?: AbortSignal | undefined;
}

/** Topics of a workspace as of an instant. */
export interface WorkspaceTopics extends TopicTracking {
  readonly documents: WorkspaceDocuments;
  /** The log of published slices. */
  readonly published: {
    /** Names the way of tracking: its folder in the workspace. */
    readonly key: string;
    /** Slices that were read from the log, and slices that were added to it. */
    readonly read: number;
    readonly added: number;
    /** Hash of the last slice's file, which covers the whole log; null while it is empty. */
    readonly head: string | null;
    /**
     * Whether the unfinished slices could be shown with the model of the time: false where the model has to be led again
     * through old slices and does not come out as it was, on another machine for example.
     */
    readonly isRetraced: boolean;
  };
}

/**
 * Tracks the topics of a workspace as of an instant. What is in the log of published slices is read from there, and is
 * what it was for ever, whatever has arrived late since; the tracker goes on after it, so that a new week costs that week.
 * What is published for the first time is added to the log.
 *
 * @throws InvalidArgumentError
 * @throws ForeignFileError when the log of published slices is damaged
 */
export async function trackWorkspace(workspace: Workspace, options: TrackWorkspaceOptions): Promise<WorkspaceTopics> {
  return withProduct(options, async (given) => {
    const { asOf, publish = !workspace.isReadOnly } = given;
    const settings = settingsOf(given);
    const log = await TopicLog.open(workspace.folder, settings);
    const documents = await workspaceDocuments(workspace, given.embedder);
    const coveredUntil = Math.min(asOf, given.coveredUntil ?? coverageOf(documents, asOf));
    const known = log.entries.filter(({ slice }) => slice.knownAt <= coveredUntil);
    const model = known.length === 0 ? null : await modelAfter(workspace.folder, log, known, given);
    const slices = known.map(({ slice }) => slice);
    const from: TrackedSoFar | undefined = model === null ? undefined : { slices, model };
    const isRetraced = known.length === 0 || model !== null;
    const tracking = isRetraced
      ? await trackTopics(documents, { ...trackingOptions(given), asOf, coveredUntil, from })
      : await nothingAfter(slices, documents, given);
    const added = tracking.slices
      .slice(known.length)
      .filter(({ provisional }) => !provisional)
      .map((slice): TopicLogEntry => ({ slice, log: workspace.log }));
    const isNewest = known.length === log.entries.length;
    const after =
      publish && isNewest && added.length > 0 ? await log.append(settings, added, tracking.model.state) : log;
    const { key, head } = after;
    const published = { key, read: known.length, added: after.entries.length - log.entries.length, head, isRetraced };
    return { ...tracking, documents, published };
  });
}

/**
 * Leads a new model through the asset log as it was when each slice was published, and compares.
 *
 * @returns how many slices were published, all of them reproduced
 * @throws ContractViolationError naming the first slice that comes out otherwise
 */
export async function verifyPublished(workspace: Workspace, options: TrackWorkspaceOptions): Promise<number> {
  return withProduct(options, async (given) => {
    const log = await TopicLog.open(workspace.folder, settingsOf(given));
    const { differs } = await retrace(workspace.folder, log.entries, undefined, given);
    if (differs === null) return log.entries.length;
    throw new ContractViolationError(
      `${log.folder}: slice ${differs} is not what the asset log gives: altered, or published on another machine`,
    );
  });
}

export type Given = TrackWorkspaceOptions & { readonly product: MatrixProduct };

export async function withProduct<T>(options: TrackWorkspaceOptions, use: (given: Given) => Promise<T>): Promise<T> {
  const product = options.product ?? (await MatrixProduct.open());
  try {
    return await use({ ...options, product });
  } finally {
    if (options.product === undefined) await product.close();
  }
}

export function trackingOptions({
  tracker,
  rule,
  seed,
  slices,
  lateness = 0,
  product,
  onSlice,
  onMembers,
  signal,
}: Given) {
  const vintage = { kind: 'published', lateness } as const;
  return { tracker, rule, seed, slices, vintage, product, onSlice, onMembers, signal };
}

/** All that published labels depend on, but for the documents. */
export function settingsOf(given: Given): TopicSettings {
  const { slices = { kind: 'iso-week' }, lateness = 0, embedder, product, seed = 1 } = given;
  return {
    version: 1,
    slices: Object.fromEntries(Object.entries(slices).filter(([, value]) => value !== undefined)) as StateValue,
    lateness,
    model: createModel({ dimension: embedder.dimension, product, seed }, given).parameters,
    embedder: { id: embedder.id, hash: embedder.hash },
  };
}

/** The model after some published slices: kept, or led there from the last one that was kept; null where it cannot be. */
async function modelAfter(
  folder: string,
  log: TopicLog,
  known: readonly TopicLogEntry[],
  given: Given,
): Promise<StateValue | null> {
  const kept = await log.modelBefore(known.length);
  if (kept?.slices === known.length) return kept.state;
  const { differs, model } = await retrace(folder, known, kept, given);
  return differs === null ? model : null;
}

/** Leads a model through published slices, with the asset log as it was for each. */
export async function retrace(
  folder: string,
  entries: readonly TopicLogEntry[],
  kept: KeptModel | undefined,
  given: Given,
): Promise<{ model: StateValue; differs: string | null }> {
  let from: TrackedSoFar | undefined = kept && {
    slices: entries.slice(0, kept.slices).map(({ slice }) => slice),
    model: kept.state,
  };
  let done = kept?.slices ?? 0;
  while (done < entries.length) {
    const { log } = entries[done]!;
    let end = done + 1;
    while (end < entries.length && entries[end]!.log.size === log.size) end++;
    const pinned = await openWorkspace(folder, { readOnly: true, log });
    try {
      const documents = await workspaceDocuments(pinned, given.embedder);
      const asOf = entries[end - 1]!.slice.knownAt;
      const tracking = await trackTopics(documents, { ...trackingOptions(given), asOf, from });
      const finished = tracking.slices.filter(({ provisional }) => !provisional);
      for (let index = done; index < end; index++) {
        const { slice } = entries[index]!;
        if (finished[index] === undefined || canonicalJson(finished[index]) !== canonicalJson(slice)) {
          return { model: tracking.model.state, differs: slice.id };
        }
      }
      from = { slices: finished, model: tracking.model.state };
    } finally {
      await pinned.close();
    }
    done = end;
  }
  return { model: from?.model ?? null, differs: null };
}

/** What was published, and nothing of what was unfinished. */
async function nothingAfter(
  slices: readonly PublishedSlice[],
  documents: WorkspaceDocuments,
  given: Given,
): Promise<TopicTracking> {
  const none = { ...documents, size: 0 };
  const { asOf } = given;
  const tracking = await trackTopics(none, { ...trackingOptions(given), asOf });
  const { modelHash, knownAt } = slices.at(-1)!;
  return {
    ...tracking,
    slices,
    model: { ...tracking.model, hash: modelHash, availableAt: knownAt, newestObservation: null },
  };
}
