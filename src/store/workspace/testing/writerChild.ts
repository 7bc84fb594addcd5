import { once } from 'node:events';
import { openWorkspace } from '../openWorkspace.js';

/**
 * A process that writes a workspace, for tests that need a second one:
 * - `ingest <folder>`: says `ready`, waits for the name of a file, ingests it, and merges segments
 * - `hold <folder>`: opens for writing, says `ready`, and keeps it
 */
const [mode, folder] = process.argv.slice(2) as [string, string];

if (mode === 'hold') {
  await openWorkspace(folder);
  process.stdout.write('ready\n');
  setInterval(() => {}, 1000);
} else {
  process.stdout.write('ready\n');
  const [file] = await once(process.stdin, 'data');
  const workspace = await openWorkspace(folder);
  await workspace.ingest([String(file).trim()], { now: 1_000, mapping: { missingEventAt: 'available' } });
  await workspace.compact({ limit: 3 });
  await workspace.close();
  process.exit(0);
}
