import { mkdir, rm } from 'node:fs/promises';
import { copyToFile, openInMemory } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';
import { MerkleAccumulator } from '../../commitment/merkleTree.js';
import { type DerivedRequest, writeDerivedFile } from './derivedFiles.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import { operationKinds, operationLeaf } from './operations.js';
import { queryRows } from './queryRows.js';
import { describeSegment } from './segmentFiles.js';
import { segmentFileFormat } from './staging.js';
import type { DerivedRecord, SegmentRecord, WorkspaceState } from './state.js';

/** Where the rows of a merged segment come from: row r is row `rows[r]` of segment `segments[r]`. */
export interface MergedRows {
  /** [size] ids of segments. */
  readonly segments: Int32Array;
  /** [size] */
  readonly rows: Uint32Array;
}

/** Makes a derived file of a merged segment from those of its parts, such as vectors that are too dear to compute again. */
export type DerivedCarrier = (sources: ReadonlyMap<number, string>, merged: MergedRows, path: string) => Promise<void>;

/**
 * Which segments to merge: none while there are at most `limit`; else the smallest ones, so many that half of `limit`
 * remain. Small segments are merged often and large ones seldom.
 */
export function chooseSegments(segments: readonly SegmentRecord[], limit: number): readonly SegmentRecord[] {
  if (segments.length <= limit) return [];
  const sizeOf = ({ rows, withdrawals }: SegmentRecord) => rows + withdrawals;
  const bySize = [...segments].sort((a, b) => sizeOf(a) - sizeOf(b) || a.id - b.id);
  return bySize.slice(0, segments.length - Math.max(1, Math.floor(limit / 2)) + 1);
}

/**
 * Merges segments into one, whose rows are again in availability order. Operations keep their places in the log, so no
 * answer changes, and neither does any commitment. Derived files are carried over where a carrier for their name is
 * given and every part has one; the others are computed anew by whoever needs them.
 *
 * @returns the state with the merged segment; nothing names it yet
 */
export async function mergeSegments(
  folder: string,
  state: WorkspaceState,
  parts: readonly SegmentRecord[],
  carriers: ReadonlyMap<string, DerivedCarrier>,
  spillFolder: string,
): Promise<WorkspaceState> {
  const id = state.nextSegment;
  const segmentFolder = inWorkspace(folder, workspaceLayout.segment(id));
  await rm(segmentFolder, { recursive: true, force: true });
  await mkdir(segmentFolder, { recursive: true });
  const rows = sum(parts, (part) => part.rows);
  const withdrawals = sum(parts, (part) => part.withdrawals);
  const content = new MerkleAccumulator();
  const merged: MergedRows = { segments: new Int32Array(rows), rows: new Uint32Array(rows) };
  const { connection, close } = await openInMemory({ memoryLimit: '256MiB', spillFolder });
  try {
    if (rows > 0) {
      const union = parts
        .filter((part) => part.rows > 0)
        .map((part) => {
          const file = quotePath(inWorkspace(folder, workspaceLayout.rows(part.id)));
          return `SELECT *, ${part.id} AS segment FROM read_parquet(${file}, file_row_number = true)`;
        })
        .join(' UNION ALL ');
      const target = inWorkspace(folder, workspaceLayout.rows(id));
      await copyToFile(
        connection,
        `SELECT * EXCLUDE (segment, file_row_number) FROM (${union}) ORDER BY available_at, sequence`,
        target,
        segmentFileFormat,
      );
      const origins = `SELECT segment, file_row_number, id, available_at, content_hash FROM (${union})
        ORDER BY available_at, sequence`;
      let at = 0;
      for await (const chunk of queryRows(connection, origins)) {
        for (const [segment, row, asset, availableAt, hash] of chunk) {
          merged.segments[at] = Number(segment);
          merged.rows[at++] = Number(row);
          content.appendLeafHash(
            operationLeaf(operationKinds.put, asset as string, Number(availableAt), hash as string),
          );
        }
      }
    }
    if (withdrawals > 0) {
      const files = parts
        .filter((part) => part.withdrawals > 0)
        .map((part) => quotePath(inWorkspace(folder, workspaceLayout.withdrawals(part.id))));
      await copyToFile(
        connection,
        `FROM read_parquet([${files.join(', ')}]) ORDER BY instant, sequence`,
        inWorkspace(folder, workspaceLayout.withdrawals(id)),
        segmentFileFormat,
      );
    }
  } finally {
    close();
  }
  const segment = await describeSegment(folder, { id, rows, withdrawals, content });
  const carried: DerivedRecord[] = [];
  for (const request of carryRequests(folder, state, id, parts, merged, carriers)) {
    carried.push(await writeDerivedFile(folder, request, spillFolder));
  }
  const gone = new Set(parts.map((part) => part.id));
  const generation = state.generation + 1;
  return {
    ...state,
    generation,
    nextSegment: id + 1,
    segments: [...state.segments.filter((other) => !gone.has(other.id)), segment],
    derived: [...state.derived.filter((record) => !gone.has(record.segment)), ...carried],
    retired: [...state.retired, ...parts.map((part) => ({ path: workspaceLayout.segment(part.id), generation }))],
  };
}

function carryRequests(
  folder: string,
  state: WorkspaceState,
  id: number,
  parts: readonly SegmentRecord[],
  merged: MergedRows,
  carriers: ReadonlyMap<string, DerivedCarrier>,
): DerivedRequest[] {
  const requests: DerivedRequest[] = [];
  const withRows = parts.filter((part) => part.rows > 0);
  for (const [name, carry] of carriers) {
    const sources = new Map<number, string>();
    for (const record of state.derived) {
      if (record.name !== name || !withRows.some((part) => part.id === record.segment)) continue;
      sources.set(record.segment, inWorkspace(folder, record.path));
    }
    if (sources.size === 0 || sources.size < withRows.length) continue;
    requests.push({ segment: id, name, write: (path) => carry(sources, merged, path) });
  }
  return requests;
}

function sum<T>(items: readonly T[], pick: (item: T) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}
