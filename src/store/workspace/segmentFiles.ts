import type { MerkleAccumulator } from '../../commitment/merkleTree.js';
import { syncPath } from '../../files/syncPath.js';
import { digestOf } from '../runs/digestOf.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import type { SegmentRecord } from './state.js';

/** Makes sure that the files of a new segment are on disk, and describes it. */
export async function describeSegment(
  folder: string,
  segment: { id: number; rows: number; withdrawals: number; content: MerkleAccumulator },
): Promise<SegmentRecord> {
  const { id, rows, withdrawals, content } = segment;
  const settle = async (count: number, relative: string): Promise<string | null> => {
    if (count === 0) return null;
    const file = inWorkspace(folder, relative);
    await syncPath(file);
    return digestOf(file);
  };
  const rowsSha256 = await settle(rows, workspaceLayout.rows(id));
  const withdrawalsSha256 = await settle(withdrawals, workspaceLayout.withdrawals(id));
  await syncPath(inWorkspace(folder, workspaceLayout.segment(id)));
  await syncPath(inWorkspace(folder, workspaceLayout.segments));
  return { id, rows, withdrawals, contentHash: content.commitment().root, rowsSha256, withdrawalsSha256 };
}
