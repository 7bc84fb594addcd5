import { MissingResourceError } from '../errors/MissingResourceError.js';
import { wording } from '../errors/wording.js';
import type { Instant } from '../time/instant.js';
import type { IdempotencyKeys } from './ingest/IdempotencyKeys.js';
import type { IngestQueue } from './ingest/IngestQueue.js';
import type { ServerLimits } from './limits.js';
import type { ServerMetrics } from './plugins/metrics.js';
import type { RunAudits } from './runs/RunAudits.js';
import type { RunLibrary } from './runs/RunLibrary.js';
import type { SharedWorkspace } from './SharedWorkspace.js';
import type { TopicService } from './topics/TopicService.js';

/** What routes work with. */
export interface ServerContext {
  readonly version: string;
  readonly workspace: ServedWorkspace | undefined;
  readonly runs: RunLibrary;
  /** Audits of runs that were asked for here. */
  readonly audits: RunAudits;
  readonly limits: ServerLimits;
  readonly metrics: ServerMetrics;
  /** The one clock. */
  readonly now: () => Instant;
}

/** A workspace and what changes it. */
export interface ServedWorkspace {
  readonly shared: SharedWorkspace;
  readonly queue: IngestQueue;
  readonly keys: IdempotencyKeys;
  readonly topics: TopicService;
}

/** @throws MissingResourceError when the server was started without a workspace */
export function workspaceOf({ workspace }: ServerContext): ServedWorkspace {
  if (workspace !== undefined) return workspace;
  const remedy = wording`none is served here; ${{ command: 'serve --workspace' }} serves one`;
  throw new MissingResourceError({ resource: 'the workspace', remedy });
}
