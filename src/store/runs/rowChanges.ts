import { openInMemory } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';

/** How the rows of one run differ from those of another of the same experiment; rows are paired by what they are of. */
export interface RowChanges {
  /** Rows that select other entries. */
  readonly selections: number;
  /** Rows that rank otherwise. */
  readonly rankings: number;
  /** Rows that the first run lacked. */
  readonly added: number;
  /** Rows of the first run that the second has no place for. */
  readonly removed: number;
}

const identity = ['domain', 'stream', 'seed', 'retriever', 'mechanism', 'anchor_position', 'condition'];

/** @param before, after files of rows */
export async function rowChanges(before: string, after: string): Promise<RowChanges> {
  const { connection, close } = await openInMemory();
  try {
    const reader = await connection.runAndReadAll(
      `SELECT count(*) FILTER (WHERE a.selected_positions <> b.selected_positions),
              count(*) FILTER (WHERE a.ranking <> b.ranking),
              count(*) FILTER (WHERE b.run_id IS NULL),
              count(*) FILTER (WHERE a.run_id IS NULL)
       FROM read_parquet(${quotePath(before)}) b
       FULL OUTER JOIN read_parquet(${quotePath(after)}) a USING (${identity.join(', ')})`,
    );
    const [selections, rankings, added, removed] = reader.getRows()[0]!.map(Number) as [number, number, number, number];
    return { selections, rankings, added, removed };
  } finally {
    close();
  }
}
