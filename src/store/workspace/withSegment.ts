import type { WrittenSegment } from './staging.js';
import type { CommitRecord, WorkspaceState } from './state.js';

/** The next state: the log with a written segment at its end. */
export function withSegment(
  state: WorkspaceState,
  written: WrittenSegment,
  change: Omit<CommitRecord, 'size' | 'root'>,
): WorkspaceState {
  const { segment, log, newest } = written;
  return {
    ...state,
    generation: state.generation + 1,
    segments: [...state.segments, segment],
    nextSegment: segment.id + 1,
    commits: [...state.commits, { ...change, ...log.commitment() }],
    logEdge: log.subtrees(),
    newest,
  };
}
