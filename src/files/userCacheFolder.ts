import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

export interface CacheFolderSources {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
}

/**
 * asof's folder for things that can be made again: in `XDG_CACHE_HOME` where set to an absolute path (relative ones are
 * invalid by the XDG Base Directory specification), else where the platform keeps caches.
 */
export function userCacheFolder(sources: CacheFolderSources = {}): string {
  const { environment = process.env, platform = process.platform, home = homedir() } = sources;
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  const xdg = environment.XDG_CACHE_HOME;
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'asof');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'asof');
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'asof', 'cache');
  return join(home, '.cache', 'asof');
}
