import path from 'node:path';

/** Where things lie in a workspace. Paths are relative to it, with forward slashes, as the catalog names them. */
export const workspaceLayout = {
  /** Names the format, its version and the catalog in force; replaced whole by every commit. */
  pointer: 'workspace.json',
  catalogs: 'catalog',
  catalog: (generation: number) => `catalog/${generation}.duckdb`,
  segments: 'segments',
  segment: (id: number) => `segments/${id}`,
  /** Versions of assets, in availability order. */
  rows: (id: number) => `segments/${id}/rows.parquet`,
  withdrawals: (id: number) => `segments/${id}/withdrawals.parquet`,
  derivedFolder: (id: number) => `segments/${id}/derived`,
  /** Files that a writer is at work on; garbage when there is none. */
  staging: 'staging',
  rejects: 'rejects',
  /** θ of searches, each under its hash. */
  models: 'models',
  model: (hash: string) => `models/${hash}.json`,
  /** Published topics, a folder for each way of tracking. */
  allTopics: 'topics',
  topics: (key: string) => `topics/${key}`,
  readers: 'readers',
  /** Answers of a server to requests that carried a key, each under the hash of its key. */
  idempotency: 'idempotency',
  idempotentAnswer: (keyHash: string) => `idempotency/${keyHash}.json`,
  /** Interaction events, one JSON object a line, in the order of observation; absent until the first. */
  events: 'events.jsonl',
} as const;

export function inWorkspace(folder: string, relative: string): string {
  return path.join(folder, ...relative.split('/'));
}
