import { canonicalJson } from '../../commitment/canonicalJson.js';
import { ContractViolationError } from '../../errors/ContractViolationError.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { SliceMembers } from '../../topics/MemberRecorder.js';
import { trackTopics } from '../../topics/trackTopics.js';
import type { AssetVersion } from '../workspace/assetVersion.js';
import { openWorkspace } from '../workspace/openWorkspace.js';
import type { Workspace } from '../workspace/Workspace.js';
import { TopicLog, type TopicLogEntry } from './TopicLog.js';
import {
  type Given,
  retrace,
  settingsOf,
  type TrackWorkspaceOptions,
  trackingOptions,
  trackWorkspace,
  withProduct,
} from './trackWorkspace.js';
import { workspaceDocuments } from './workspaceDocuments.js';

/** Documents of a slice by the topic that the tracker put them into. */
export interface TopicMembers {
  /** Slice that they are of. */
  readonly slice: string;
  /** Versions by topic, in event order, then id order; those without a topic under -1. */
  readonly topics: ReadonlyMap<number, readonly AssetVersion[]>;
}

/**
 * The documents that the tracker put into each topic in a slice, as it was when the slice was published, or as it is so far
 * where it is not over. Of a published slice, the model of the time is led through the asset log of the time once more, and
 * has to come out as it was published; nothing that came in later can be among its documents.
 *
 * @throws InvalidArgumentError when the slice was not known as of `asOf`
 * @throws ContractViolationError when the slice does not come out as it was published
 */
export async function topicMembers(
  workspace: Workspace,
  slice: string,
  options: TrackWorkspaceOptions,
): Promise<TopicMembers> {
  return withProduct(options, async (given) => {
    const log = await TopicLog.open(workspace.folder, settingsOf(given));
    const index = log.entries.findIndex((entry) => entry.slice.id === slice && entry.slice.knownAt <= given.asOf);
    if (index >= 0) return ofPublished(workspace.folder, log, index, given);
    let found: SliceMembers | undefined;
    const { documents, asOf } = await trackWorkspace(workspace, {
      ...given,
      publish: false,
      onMembers: ({ id }, members) => {
        if (id === slice) found = members;
      },
    });
    if (found !== undefined) return { slice, topics: await byTopic(found, documents.read) };
    throw new InvalidArgumentError({
      argument: 'slice',
      value: slice,
      expected: `a slice known as of ${formatInstant(asOf)}`,
    });
  });
}

async function ofPublished(folder: string, log: TopicLog, index: number, given: Given): Promise<TopicMembers> {
  const entry = log.entries[index]!;
  const before = log.entries.slice(0, index);
  const { differs, model } = await retrace(folder, before, await log.modelBefore(index), given);
  if (differs !== null) throw notRetraced(log, differs);
  const pinned = await openWorkspace(folder, { readOnly: true, log: entry.log });
  try {
    const documents = await workspaceDocuments(pinned, given.embedder);
    let members: SliceMembers | undefined;
    const { slices } = await trackTopics(documents, {
      ...trackingOptions(given),
      asOf: entry.slice.knownAt,
      from: model === null ? undefined : { slices: before.map(({ slice }: TopicLogEntry) => slice), model },
      onMembers: ({ id }, found) => {
        if (id === entry.slice.id) members = found;
      },
    });
    if (members === undefined || canonicalJson(slices[index]) !== canonicalJson(entry.slice)) {
      throw notRetraced(log, entry.slice.id);
    }
    return { slice: entry.slice.id, topics: await byTopic(members, documents.read) };
  } finally {
    await pinned.close();
  }
}

async function byTopic(
  { rows, topics }: SliceMembers,
  read: (rows: ArrayLike<number>) => Promise<AssetVersion[]>,
): Promise<Map<number, AssetVersion[]>> {
  const versions = await read(rows);
  const found = new Map<number, AssetVersion[]>();
  for (const [place, topic] of topics.entries()) {
    const known = found.get(topic) ?? [];
    known.push(versions[place]!);
    found.set(topic, known);
  }
  return found;
}

function notRetraced(log: TopicLog, slice: string): ContractViolationError {
  return new ContractViolationError(
    `${log.folder}: slice ${slice} is not what the asset log gives: altered, or published on another machine`,
  );
}
