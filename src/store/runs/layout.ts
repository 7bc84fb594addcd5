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
  proofs: (domain: string, stream: string, seed: number) =>
    `domains/${domain}/proofs.${fileName(stream)}.${seed}.parquet`,
  /** Files of a domain, its streams apart. */
  ofDomain: (domain: {
    readonly name: string;
    readonly retrievers: readonly { readonly label: string }[];
  }): string[] => [
    runLayout.assets(domain.name),
    runLayout.requests(domain.name),
    ...domain.retrievers.map(({ label }) => runLayout.base(domain.name, label)),
  ],
  partialRows: (domain: string, stream: string, seed: number) =>
    `.partial/rows.${domain}.${fileName(stream)}.${seed}.parquet`,
} as const;

/** The files of a complete run, in the order of its manifest. */
export function runFiles(
  domains: readonly {
    readonly name: string;
    readonly retrievers: readonly { readonly label: string }[];
    readonly streams: readonly { readonly label: string; readonly seed: number }[];
  }[],
  jsonLines: boolean,
): string[] {
  return [
    runLayout.rows,
    ...(jsonLines ? [runLayout.rowsJsonl] : []),
    runLayout.effectsJson,
    runLayout.effectsCsv,
    ...domains.flatMap((domain) => [
      ...runLayout.ofDomain(domain),
      ...domain.streams.flatMap(({ label, seed }) => [
        runLayout.stream(domain.name, label, seed),
        runLayout.proofs(domain.name, label, seed),
      ]),
    ]),
  ];
}

/**
 * How DuckDB writes the Parquet files of a run. Snappy, which every reader of Parquet knows, so that an independent checker
 * needs one small library; row groups of a few streams, so that those of one are read without most others.
 */
export const runFileFormat = 'FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 32768';

export function inRun(folder: string, relative: string): string {
  return path.join(folder, ...relative.split('/'));
}

/** Labels hold `=`, `,` and more; file names keep letters, digits, dot, dash and underscore. */
function fileName(label: string): string {
  return label.replace(/[^A-Za-z0-9._-]/g, '_');
}
