import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildMapping, type MappingChoices } from '../../corpus/ingest/mapping.js';
import { mappingChoicesOf } from '../../corpus/ingest/mappingChoices.js';
import type { Embedder } from '../../embedding/Embedder.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { openEmbedder } from '../../replay/domain/openEmbedder.js';
import { type TrackWorkspaceOptions, trackWorkspace, type WorkspaceTopics } from '../../store/topics/trackWorkspace.js';
import { initWorkspace } from '../../store/workspace/initWorkspace.js';
import { openWorkspace } from '../../store/workspace/openWorkspace.js';
import type { Workspace } from '../../store/workspace/Workspace.js';
import type { CliContext } from '../context.js';
import { type TopicOptionValues, topicChoicesOf } from '../options/topicOptions.js';
import { asOfOf } from '../options/workspaceOptions.js';
import { type Progress, progressFor } from '../output/progress.js';
import { withWorkspace } from '../withWorkspace.js';

/** What a command on topics works with. */
export interface TopicsAtHand {
  readonly workspace: Workspace;
  readonly options: TrackWorkspaceOptions;
  readonly embedder: Embedder;
  readonly progress: Progress;
  /** Tracks, with progress for a person. */
  track(): Promise<WorkspaceTopics>;
}

/** Opens what the options name, a workspace or files of records, and closes it when `use` has ended. */
export async function withTopics(
  files: readonly string[],
  values: TopicOptionValues,
  context: CliContext,
  use: (topics: TopicsAtHand) => Promise<void>,
): Promise<void> {
  const choices = topicChoicesOf(values);
  const asOf = asOfOf(values, context);
  const progress = progressFor(context);
  const run = async (workspace: Workspace) => {
    const spec = values.model === undefined ? minilm : ({ kind: 'folder', path: values.model } as const);
    const embedder = await openEmbedder(spec);
    const publish = values.publish && files.length === 0;
    const onSlice: TrackWorkspaceOptions['onSlice'] = ({ id }, done, total) =>
      progress.update(done, total, 'slices', id);
    const options = { ...choices, asOf, embedder, publish, onSlice };
    try {
      await use({ workspace, options, embedder, progress, track: () => trackWorkspace(workspace, options) });
    } finally {
      progress.stop();
      await embedder.close();
    }
  };
  const mapping = mappingChoicesOf(values);
  if (files.length > 0) {
    if (values.workspace !== undefined) {
      const expected = 'files or a workspace, not both';
      throw new InvalidArgumentError({ argument: '--workspace', value: values.workspace, expected });
    }
    await withFiles(files, values, mapping, context, run);
    return;
  }
  if (mapping !== undefined || values.format !== undefined) {
    const expected = 'files beside it: a workspace has its mapping';
    throw new InvalidArgumentError({
      argument: mapping === undefined ? '--format' : 'mapping',
      value: 'given',
      expected,
    });
  }
  await withWorkspace(values, context, { readOnly: !values.publish }, run);
}

const minilm = { kind: 'minilm', precision: 'float32' } as const;

/** Reads files into a workspace that is gone afterwards. */
async function withFiles(
  files: readonly string[],
  { format }: TopicOptionValues,
  choices: MappingChoices = {},
  context: CliContext,
  use: (workspace: Workspace) => Promise<void>,
): Promise<void> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'asof-topics-'));
  try {
    const folder = path.join(scratch, 'workspace');
    await initWorkspace(folder);
    const workspace = await openWorkspace(folder);
    try {
      const mapping = availableFromTheirTime(choices, context);
      await workspace.ingest(files, { now: context.now(), mapping, format, backfill: true, stdin: context.stdin });
      await use(workspace);
    } finally {
      await workspace.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A file that does not say when its records became available is history: each from its event time on. */
function availableFromTheirTime(choices: MappingChoices, { stderr }: CliContext): MappingChoices {
  if (choices.fields?.availableAt !== undefined) return choices;
  const { fields } = buildMapping(choices);
  const sources = [fields.availableAt, fields.eventAt].filter((source) => source !== undefined);
  const availableAt = sources.join('|');
  stderr.write(`records are taken to be available from ${availableAt} on (--available-at names another field)\n`);
  return { ...choices, fields: { ...choices.fields, availableAt } };
}
