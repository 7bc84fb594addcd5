import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeTemporaryFiles } from '../../corpus/testing/temporaryFiles.js';
import { runForTest } from '../testing/runForTest.js';

const documents = [
  ['a1', '2020-01-01', 'The Acme Server has a flaw', ['acme']],
  ['a2', '2020-02-01', 'A problem in Acme Server', ['acme']],
  ['b1', '2020-02-02', 'Problems in the Other Product', ['other']],
  ['a3', '2020-03-01', 'An issue in Acme Server', ['acme']],
  ['a4', '2020-05-01', 'Crash of the Acme Server', ['acme']],
] as const;

function folderWith(queries: readonly object[], extra: Record<string, string> = {}): string {
  const lines = documents.map(([id, published, description, products]) => ({ id, published, description, products }));
  const jsonl = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  return writeTemporaryFiles({ 'cves.jsonl': jsonl(lines), 'queries.jsonl': jsonl(queries), ...extra });
}

const byLabel = { id: 'q1', text: 'latest acme server', asOf: '2020-04-01', product: 'acme' };

function evaluate(folder: string, ...words: string[]) {
  const file = (name: string) => path.join(folder, name);
  return runForTest([
    ...['evaluate', 'freshness', file('cves.jsonl'), '--preset', 'nvd', '--queries', file('queries.jsonl')],
    ...['--label', 'products', '--query-label', 'product', '--k', '1', ...words],
  ]);
}

describe('asof evaluate freshness', () => {
  it('finds the newest relevant document as of each query, not a later one', async () => {
    const run = await evaluate(folderWith([byLabel]), '--json');
    expect(run.stderr).toBe('');
    const results = JSON.parse(run.stdout);
    expect(results.queries[0]).toMatchObject({ searched: 'acme server', relevant: 3 });
    const coverage = results.methods.find(({ method }: { method: string }) => method === 'coverage');
    expect(coverage.perQuery[0]).toEqual({
      latest: 1,
      latestSet: 1,
      expectedLatest: 1,
      expectedLatestSet: 1,
      ndcg: 1,
      precision: 1,
      asOfCorrectness: 1,
    });
  });

  it('takes gold ids and aliases for relevance too, and gives the same', async () => {
    const { product: _, ...query } = byLabel;
    const runs = [byLabel, { ...query, gold: ['a1', 'a2', 'a3', 'a4'] }, { ...query, aliases: ['ACME server'] }].map(
      (one) => evaluate(folderWith([one]), '--json'),
    );
    const [first, ...others] = (await Promise.all(runs)).map((run) => JSON.parse(run.stdout).methods);
    for (const methods of others) expect(methods).toEqual(first);
  });

  it('prints means, queries, heat maps, selection and leakage, and writes a page', async () => {
    const folder = folderWith([byLabel, { ...byLabel, id: 'q2', asOf: '2020-06-01', text: 'acme <b>' }]);
    const page = path.join(folder, 'page.html');
    const run = await evaluate(
      folder,
      ...[
        '--sweep',
        '--alphas',
        '0.5,1',
        '--half-lives',
        '7d,adaptive',
        '--leakage',
        '2',
        '--per-query',
        '--html',
        page,
      ],
    );
    expect(run.stderr).toBe('');
    for (const text of [
      'Latest@1 of coverage',
      'adaptive',
      'parameter leakage',
      'statistics leakage of bm25',
      'acme <b>',
    ]) {
      expect(run.stdout).toContain(text);
    }
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('acme &lt;b&gt;');
    expect(html.match(/<svg/g)).toHaveLength(8);
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('says which queries have nothing relevant, and scores none as 0 (case 26)', async () => {
    const run = await evaluate(folderWith([byLabel, { ...byLabel, id: 'early', asOf: '2019-01-01' }]), '--json');
    const { withoutRelevant, methods } = JSON.parse(run.stdout);
    expect(withoutRelevant).toEqual(['early']);
    expect(methods[3].means.latest).toEqual({ mean: 1, defined: 1, of: 2 });
    expect((await evaluate(folderWith([{ ...byLabel, product: 'none' }]))).stdout).toContain('not scored: q1');
  });

  it.each([
    [[{ ...byLabel, asOf: undefined }], [], /queries\.jsonl:1: asOf: got nothing/],
    [[{ ...byLabel, asOf: 'soon' }], [], /queries\.jsonl:1: asOf: got "soon"/],
    [[{ id: 'q', text: 'acme', asOf: '2020-04-01' }], [], /product: got nothing, expected what is relevant/],
    [[{ ...byLabel, gold: ['zz'] }], [], /gold\[0\]: got "zz", expected the id of a document/],
    [[byLabel, byLabel], [], /queries\.jsonl:2: id: got "q1", expected an id that no other query has/],
    [[], [], /queries: got 0, expected a query/],
    [[byLabel], ['--k', '0'], /k: got "0", expected a positive integer/],
    [[byLabel], ['--sweep', '--alphas', '0.5,1.2'], /alpha: got 1.2, expected a number in \[0, 1\]/],
    [[byLabel], ['--sweep', '--alphas', 'x'], /alphas: got "x"/],
    [[byLabel], ['--sweep', '--half-lives', '0d'], /halfLife: got 0/],
    [[byLabel], ['--sweep', '--half-lives', '14'], /duration: got "14", expected a unit/],
  ])('refuses bad input: %j %j', async (queries, words, message) => {
    const run = await evaluate(folderWith(queries), ...words);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(message);
    expect(run.stdout).toBe('');
  });

  it('refuses a missing file and labels that are no text', async () => {
    const folder = folderWith([byLabel], {
      'bad.jsonl': '{"id":"x","published":"2020-01-01","description":"d","products":[3]}\n',
    });
    const run = await runForTest([
      ...['evaluate', 'freshness', path.join(folder, 'bad.jsonl'), '--preset', 'nvd', '--label', 'products'],
      ...['--queries', path.join(folder, 'queries.jsonl')],
    ]);
    expect(run.stderr).toMatch(/bad\.jsonl:1: products: got \[3\], expected a label/);
    const missing = await evaluate(folder, '--queries', path.join(folder, 'none.jsonl'));
    expect(missing.stderr).toMatch(/none\.jsonl/);
    expect(missing.exitCode).toBe(2);
  });
});
