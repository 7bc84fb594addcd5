import { formatInstant } from '../../time/formatInstant.js';
import type { WorkspaceStatus } from './status.js';

/** A status as answers give it: instants as texts. */
export function statusJson(status: WorkspaceStatus) {
  const { availableAt, commits } = status;
  return {
    ...status,
    asOf: formatInstant(status.asOf),
    availableAt: availableAt && { first: formatInstant(availableAt.first), last: formatInstant(availableAt.last) },
    commits: commits.map((commit) => ({ ...commit, at: formatInstant(commit.at) })),
  };
}
