import type { Asset } from '../asset.js';
import { chooseSplit, type DatasetReader, filesOf, findFile, recordsOf, withoutGz } from './datasetReader.js';
import { readQrels } from './qrels.js';
import type { RecordFields } from './recordFields.js';
import { withoutUndefined } from './withoutUndefined.js';

/**
 * BEIR (Thakur et al. 2021): `corpus.jsonl` `{_id, title?, text}`, `queries.jsonl` `{_id, text}`, and judgements of each
 * split in `qrels/<split>.tsv`. The requests are the queries that the split judges; the product is every document with a
 * score above 0.
 */
export const beirReader: DatasetReader = {
  format: 'beir',
  summary: 'BEIR: corpus.jsonl, queries.jsonl, judgements by split',
  layout: 'corpus.jsonl, queries.jsonl, qrels/<split>.tsv',
  roles: ['assets', 'requests', 'qrels'],
  textRoles: ['qrels'],

  find(names, options) {
    const corpus = findFile(names, 'corpus.jsonl');
    const queries = findFile(names, 'queries.jsonl');
    const qrels = names.filter((name) => /^qrels\/[^/]*\.tsv$/.test(withoutGz(name)));
    if (corpus === undefined || queries === undefined || qrels.length === 0) return undefined;
    return [
      { path: corpus, role: 'assets' },
      { path: queries, role: 'requests' },
      {
        path: chooseSplit(qrels, (name) => withoutGz(name).slice('qrels/'.length, -'.tsv'.length), options.split),
        role: 'qrels',
      },
    ];
  },

  recognises: (fields, role) =>
    fields.has('_id') && fields.has('text') && !(role === 'requests' && fields.has('nuggets')),

  async read(files, inputs, sink) {
    for (const file of filesOf(files, 'assets')) {
      await sink.takeRecords(recordsOf(file, inputs), (fields) => sink.addAsset(readDocument(fields), fields.location));
    }
    const judgements = await readQrels(filesOf(files, 'qrels'), inputs, sink);
    for (const file of filesOf(files, 'requests')) {
      await sink.takeRecords(recordsOf(file, inputs), (fields) => {
        judgements.addQuery(fields.id('_id'), fields.optionalText('text') ?? '', fields.location);
      });
    }
    judgements.end();
  },
};

/** A document of BEIR's form, which FreshStack shares: `{_id, title?, text}`. */
export function readDocument(fields: RecordFields): Asset {
  const title = fields.optionalText('title');
  return withoutUndefined({
    id: fields.id('_id'),
    type: 'text',
    title: title === '' ? undefined : title,
    text: fields.text('text'),
  });
}
