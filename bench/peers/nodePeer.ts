import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Folder of an npm package at a pinned version in the cache folder, installed on the first run and kept out of asof's own
 * dependencies; null, with the reason on standard error, where that cannot be done.
 */
export function prepareNodePackage(name: string, version: string): string | null {
  const folder = fileURLToPath(new URL(`../../.cache/peers/${name.replace('/', '-')}-${version}`, import.meta.url));
  const installed = `${folder}/node_modules/${name}`;
  if (existsSync(`${folder}/installed`)) return installed;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, '{ "private": true }\n');
  const parameters = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', `${name}@${version}`];
  const { status, error, stderr } = spawnSync('npm', parameters, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) {
    console.error(`Node peer left out: npm install ${name}@${version}: ${error?.message ?? stderr.trim()}`);
    return null;
  }
  writeFileSync(`${folder}/installed`, '');
  return installed;
}
