import { readDocument } from './beirReader.js';
import { chooseSplit, type DatasetFile, type DatasetReader, filesOf, findFile, withoutGz } from './datasetReader.js';
import { type InputSet, inputLabel } from './inputs.js';
import { readJsonRecords } from './jsonRecords.js';
import { readLines } from './lines.js';
import { readQrels } from './qrels.js';
import type { RecordSink } from './recordSink.js';
import { sniff } from './sniff.js';
import { splitIdAndText } from './tabbedLine.js';
import { readTopics } from './trecTopics.js';

/**
 * A TREC test collection: documents as BEIR's JSONL (`corpus.jsonl`) or as lines of id, tab, text (`collection.tsv`);
 * topics in the classic markup or as lines of id, tab, text; judgements in TREC's four columns. The requests are the
 * topics that are judged. Ids are taken as they stand: topic 001 is not topic 1.
 */
export const trecReader: DatasetReader = {
  format: 'trec',
  summary: 'a TREC collection: documents, topics (markup or TSV), qrels',
  layout: 'corpus.jsonl or collection.tsv, topics[.<split>].*, qrels[.<split>].*',
  roles: ['assets', 'requests', 'qrels'],
  textRoles: ['assets', 'requests', 'qrels'],

  find(names, options) {
    const documents = findFile(names, 'corpus.jsonl') ?? findFile(names, 'collection.tsv');
    const topics = names.filter((name) => ['topics', 'queries'].includes(textName(name)?.stem ?? ''));
    const qrels = names.filter((name) => textName(name)?.stem === 'qrels');
    if (documents === undefined || topics.length === 0 || qrels.length === 0) return undefined;
    const choose = (candidates: string[]) =>
      candidates.length === 1
        ? candidates[0]!
        : chooseSplit(candidates, (name) => textName(name)!.split, options.split);
    return [
      { path: documents, role: 'assets' },
      { path: choose(topics), role: 'requests' },
      { path: choose(qrels), role: 'qrels' },
    ];
  },

  recognises: (fields, role) => role === 'assets' && fields.has('_id') && fields.has('text'),

  async read(files, inputs, sink) {
    for (const file of filesOf(files, 'assets')) await readDocuments(file, inputs, sink);
    const judgements = await readQrels(filesOf(files, 'qrels'), inputs, sink);
    for (const { path, role } of filesOf(files, 'requests')) {
      await readTopics(inputs.read(path, role), inputLabel(path), sink, (id, text, location) => {
        judgements.addQuery(id, text, location);
      });
    }
    judgements.end();
  },
};

/** `qrels.trec8.txt` is the stem `qrels` and the split `trec8`; undefined for a name of another make. */
function textName(name: string): { stem: string; split: string } | undefined {
  const base = withoutGz(name).replace(/\.(?:txt|tsv|trec|sgml?)$/, '');
  const match = /^(topics|queries|qrels)(?:\.([^/]+))?$/.exec(base);
  const [, stem, split = ''] = match ?? [];
  return stem === undefined || /^jsonl?$/.test(split) ? undefined : { stem, split };
}

async function readDocuments({ path, role }: DatasetFile, inputs: InputSet, sink: RecordSink): Promise<void> {
  const label = inputLabel(path);
  const { first, all } = await sniff(inputs.read(path, role));
  if (first === '{' || first === '[') {
    await sink.takeRecords(readJsonRecords(all, label), (fields) =>
      sink.addAsset(readDocument(fields), fields.location),
    );
    return;
  }
  await sink.takeLines(readLines(all, label), label, (line, location) => {
    sink.addAsset({ ...splitIdAndText(line, location), type: 'text' }, location);
  });
}
