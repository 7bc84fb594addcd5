import path from 'node:path';

/** Where things lie in a run folder. Paths are relative to it, with forward slashes, as the manifest names them. */
export const runLayout = {
  manifest: 'manifest.json',
  rows: 'rows.parquet',
  rowsJsonl: 'rows.jsonl',
  effectsJson: 'effects.json',
  effectsCsv: 'effects.csv',
  /** Parts of an unfinished run; gone when it is complete. */
  partial: '.partial',
  assets: (domain: string) => `domains/${domain}/assets.parquet`,
  requests: (domain: string) => `domains/${domain}/requests.parquet`,
  base: (domain: string, retriever: string) => `domains/${domain}/base.${fileName(retriever)}.parquet`,
  stream: (domain: string, stream: string, seed: number) =>
    `domains/${domain}/stream.${fileName(stream)}.${seed}.parquet`,
  partialRows: (domain: string, stream: string, seed: number) =>
    `.partial/rows.${domain}.${fileName(stream)}.${seed}.parquet`,
} as const;

export function inRun(folder: string, relative: string): string {
  return path.join(folder, ...relative.split('/'));
}

/** Labels hold `=`, `,` and more; file names keep letters, digits, dot, dash and underscore. */
function fileName(label: string): string {
  return label.replace(/[^A-Za-z0-9._-]/g, '_');
}
