import { expect, it } from 'vitest';
import { ReadDatabase } from './ReadDatabase.js';

const slow = 'SELECT count(*) FROM range(4000) a, range(4000) b WHERE a.range % 7 < b.range % 5';

it('closes when the last query has ended, not under it', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const reads = new ReadDatabase();
    const answer = reads.use(async ({ connection }) => (await (await connection.run(slow)).getRows())[0]![0]);
    // The query is under way when the database is closed.
    await new Promise((resolve) => setTimeout(resolve, 5));
    let isClosed = false;
    const closed = reads.close().then(() => {
      isClosed = true;
    });
    expect(isClosed).toBe(false);
    expect(Number(await answer)).toBeGreaterThan(1_000_000);
    await closed;
    await expect(reads.use(async () => 1)).rejects.toThrow('the workspace is closed');
    await reads.close();
  }
});
