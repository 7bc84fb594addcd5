import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { inWorkspace, workspaceLayout } from './layout.js';

/**
 * A reader's word to the writer: files that my generation names are still needed. Only compaction and the replacement
 * of derived files remove anything, so a reader that could not leave word (on a read-only disk, say) meets a missing
 * file at worst.
 */
export interface ReaderLease {
  /** Says which generation is read from now on. */
  update(generation: number): Promise<void>;
  release(): Promise<void>;
}

/** Machine, process and a number of its own; the content is the generation, empty until the reader knows it. */
const leaseName = /^(?<host>.*)\.(?<pid>\d+)\.[0-9a-f-]{36}$/;

/** @param folder of a workspace that is there: a reader makes none */
export async function takeReaderLease(folder: string): Promise<ReaderLease> {
  const name = `${hostname()}.${process.pid}.${randomUUID()}`;
  const file = inWorkspace(folder, `${workspaceLayout.readers}/${name}`);
  try {
    await mkdir(inWorkspace(folder, workspaceLayout.readers), { recursive: true });
    await writeFile(file, '');
  } catch {
    return { update: async () => {}, release: async () => {} };
  }
  return { update: (generation) => writeFile(file, String(generation)), release: () => rm(file, { force: true }) };
}

/**
 * The oldest generation that a reader may still read: 0 where one has just begun, infinity where there are none. Leases
 * of readers that died are removed; one of another machine cannot be judged from here, and holds until it is removed.
 */
export async function oldestReadGeneration(folder: string): Promise<number> {
  const readers = inWorkspace(folder, workspaceLayout.readers);
  let oldest = Number.POSITIVE_INFINITY;
  for (const name of await readdir(readers).catch(() => [])) {
    const { host, pid } = leaseName.exec(name)?.groups ?? {};
    if (host === undefined) continue;
    const file = inWorkspace(readers, name);
    const generation = await readFile(file, 'utf8').catch(() => undefined);
    if (generation === undefined) continue;
    if (host === hostname() && !isAlive(Number(pid))) await rm(file, { force: true });
    else oldest = Math.min(oldest, Number(generation));
  }
  return oldest;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
