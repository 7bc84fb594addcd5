import { type InstantParser, instantParser } from '../../time/parseInstant.js';
import type { RequestRecord } from '../request.js';
import { readDocument } from './beirReader.js';
import { type DatasetReader, findFile, recordsOf } from './datasetReader.js';
import type { RecordFields } from './recordFields.js';
import { withoutUndefined } from './withoutUndefined.js';

/**
 * FreshStack (Thakur et al. 2025), a topic's corpus and queries as JSONL. Corpus: `{_id, text, title?}`. Queries:
 * `{query_id, query_title, query_text, metadata {date}, nuggets [{relevant_corpus_ids}]}`: the text is title and text
 * joined by a space, as the benchmark's own loader does; the product is the union over the nuggets; the date, when the
 * question was asked, is in UTC where it has no offset, as in every Stack Exchange dump.
 */
export const freshstackReader: DatasetReader = {
  format: 'freshstack',
  summary: 'FreshStack JSONL: chunks of repositories, dated questions with nuggets',
  layout: 'corpus.jsonl, queries.jsonl',
  roles: ['assets', 'requests'],
  textRoles: [],

  find(names) {
    const corpus = findFile(names, 'corpus.jsonl');
    const queries = findFile(names, 'queries.jsonl');
    if (corpus === undefined || queries === undefined) return undefined;
    return [
      { path: corpus, role: 'assets' },
      { path: queries, role: 'requests' },
    ];
  },

  recognises: (fields, role) =>
    role === 'requests' ? fields.has('query_id') && fields.has('nuggets') : fields.has('_id') && fields.has('text'),

  async read(files, inputs, sink, options) {
    const instants = instantParser({ zone: 'UTC', ...options.instants });
    for (const file of files) {
      await sink.takeRecords(recordsOf(file, inputs), (fields) => {
        if (file.role === 'assets') sink.addAsset(readDocument(fields), fields.location);
        else sink.addRequest(readQuery(fields, instants), fields.location);
      });
    }
  },
};

function readQuery(fields: RecordFields, instants: InstantParser): RequestRecord {
  const parts = [fields.optionalText('query_title'), fields.optionalText('query_text')];
  return withoutUndefined({
    id: fields.id('query_id'),
    text: parts.filter((part) => part !== undefined && part !== '').join(' '),
    gold: fields.objects('nuggets').flatMap((nugget) => nugget.ids('relevant_corpus_ids')),
    observedAt: fields.has('metadata') ? fields.object('metadata').optionalInstant('date', instants) : undefined,
  });
}
