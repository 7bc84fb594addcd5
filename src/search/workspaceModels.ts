import { ForeignFileError } from '../errors/ForeignFileError.js';
import { namesIfPresent, readIfPresent } from '../files/atomicFile.js';
import { type ModelVersion, newModelVersion } from '../lineage/modelVersion.js';
import { embedderVersion } from '../replay/domain/models.js';
import { TopicLog, type TopicSettings } from '../store/topics/TopicLog.js';
import { inWorkspace, workspaceLayout } from '../store/workspace/layout.js';
import { parseInstant } from '../time/parseInstant.js';
import type { EmbedderRecord } from './embedderRecord.js';
import { flat, type ModelRegistry, searchVersions } from './modelRegistry.js';

/**
 * Versions of every θ that an answer or a published topic slice of a workspace names, and of what they were made from, each
 * once, parents before what was made from them. The hash that an answer names is a version's `content`.
 *
 * @param embedder of the workspace's vectors: its record says when it could first have been used
 */
export async function workspaceModels(
  workspace: string,
  registry: ModelRegistry,
  embedder: EmbedderRecord | undefined,
): Promise<ModelVersion[]> {
  const versions = new Map<string, ModelVersion>();
  const availableAt = (hash: string) => {
    const declared = embedder?.hash === hash ? embedder.spec?.availableAt : undefined;
    return declared == null ? null : parseInstant(declared);
  };
  for (const model of await registry.list()) {
    for (const version of searchVersions(model, availableAt)) versions.set(version.id, version);
  }
  for (const { settings, log } of await topicLogs(workspace)) {
    const { embedder: own, ...rest } = settings as unknown as TopicSettings & {
      embedder: { id: string; hash: string };
    };
    const model = embedderVersion({ ...own, availableAt: availableAt(own.hash) }, 'as-of');
    if (log.entries.length > 0) versions.set(model.id, model);
    let parents = [model.id];
    for (const { slice, log: assets } of log.entries) {
      const version = newModelVersion({
        ...{ kind: 'topics', name: `${log.key} after ${slice.id}`, content: slice.modelHash },
        ...{ origin: 'fitted', reading: 'as-of', availableAt: slice.knownAt, parents },
        // What was read of the log had become available by then; it may hold entries of later instants, which were not.
        training: { log: 'asset log', size: assets.size, root: assets.root, newestAt: slice.knownAt },
        parameters: flat(rest),
      });
      versions.set(version.id, version);
      parents = [version.id, model.id];
    }
  }
  return [...versions.values()];
}

/** Logs of published topics, a way of tracking each. */
async function topicLogs(workspace: string): Promise<{ settings: TopicSettings; log: TopicLog }[]> {
  const keys = await namesIfPresent(inWorkspace(workspace, workspaceLayout.allTopics));
  const logs: { settings: TopicSettings; log: TopicLog }[] = [];
  for (const key of keys.sort()) {
    const file = inWorkspace(workspace, `${workspaceLayout.topics(key)}/settings.json`);
    const bytes = await readIfPresent(file);
    if (bytes === undefined) continue;
    let settings: TopicSettings;
    try {
      settings = JSON.parse(bytes.toString('utf8'));
    } catch (cause) {
      throw new ForeignFileError({ file, reason: 'not the settings of topics: truncated or of another kind', cause });
    }
    const log = await TopicLog.open(workspace, settings);
    if (log.key !== key) throw new ForeignFileError({ file, reason: 'not the settings that its folder is named by' });
    logs.push({ settings, log });
  }
  return logs;
}
