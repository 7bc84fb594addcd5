import type { Asset } from '../asset.js';
import { type DatasetReader, recordsOf, withoutGz } from './datasetReader.js';
import type { RecordFields } from './recordFields.js';
import type { RecordSink } from './recordSink.js';

/**
 * The original TAT-QA file (Zhu et al. 2021): one JSON array of report pages, each with a table, its paragraphs and the
 * questions over both. The first row of a table is its header. The product of a question is its evidence: the table if
 * `answer_from` names it, and the paragraphs in `rel_paragraphs`; or, with `gold: 'page'`, the table and every paragraph
 * of the page. Page and questions are a group, named after the table.
 */
export const tatqaReader: DatasetReader = {
  format: 'tatqa',
  summary: 'the original TAT-QA JSON: report pages with a table, paragraphs and questions',
  layout: 'tatqa_dataset_*.json',
  roles: ['dataset'],
  textRoles: [],

  find(names) {
    const files = names.filter((name) => /^tatqa_dataset_[^/]*\.json$/.test(withoutGz(name)));
    return files.length === 0 ? undefined : files.map((path) => ({ path, role: 'dataset' }));
  },

  recognises: (fields) => fields.has('table') && fields.has('paragraphs') && fields.has('questions'),

  async read(files, inputs, sink, options) {
    const wholePage = options.gold === 'page';
    for (const file of files) {
      await sink.takeRecords(recordsOf(file, inputs), (page) => readPage(page, sink, wholePage));
    }
  },
};

function readPage(page: RecordFields, sink: RecordSink, wholePage: boolean): void {
  const tableFields = page.object('table');
  const group = tableFields.id('uid');
  const [header = [], ...rows] = tableFields.cellRows('table');
  const table: Asset = { id: group, type: 'table', table: { header, rows }, group };

  const paragraphs: Asset[] = [];
  const idOfOrder = new Map<string, string>();
  for (const fields of page.objects('paragraphs')) {
    const id = fields.id('uid');
    idOfOrder.set(fields.id('order'), id);
    paragraphs.push({ id, type: 'text', text: fields.text('text'), group });
  }
  const pageAssets = [table, ...paragraphs];
  for (const asset of pageAssets) sink.addAsset(asset, page.location);

  for (const question of page.objects('questions')) {
    sink.attempt(() => {
      const gold = wholePage ? pageAssets.map((asset) => asset.id) : evidence(question, group, idOfOrder);
      const text = question.optionalText('question') ?? '';
      sink.addRequest({ id: question.id('uid'), text, gold, group }, page.location);
    });
  }
}

function evidence(question: RecordFields, table: string, idOfOrder: ReadonlyMap<string, string>): string[] {
  const gold: string[] = [];
  const source = question.text('answer_from');
  if (source === 'table' || source === 'table-text') gold.push(table);
  else if (source !== 'text') throw question.fault('answer_from', source, 'table, text or table-text');
  for (const [index, order] of question.ids('rel_paragraphs').entries()) {
    const id = idOfOrder.get(order);
    if (id === undefined) {
      throw question.fault(`rel_paragraphs[${index}]`, order, `the order of a paragraph of page ${table}`);
    }
    gold.push(id);
  }
  return gold;
}
