import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Waits until a file's bytes, or a folder's entries, are on disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Waits until a new or renamed file is on disk: its bytes, and its name in its folder. */
export async function syncWithFolder(path: string): Promise<void> {
  await syncPath(path);
  await syncPath(dirname(path));
}
