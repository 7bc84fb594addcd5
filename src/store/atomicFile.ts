import { open, rename, rm } from 'node:fs/promises';

/** Writes a text whole or not at all: it appears under its name when it is complete and on disk. */
export async function writeFileAtomically(file: string, text: string): Promise<void> {
  const partial = `${file}.partial`;
  try {
    const handle = await open(partial, 'w');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
}
