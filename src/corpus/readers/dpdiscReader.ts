import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Asset } from '../asset.js';
import { type DatasetFile, type DatasetReader, recordsOf, withoutGz } from './datasetReader.js';
import type { RecordFields } from './recordFields.js';
import type { RecordSink } from './recordSink.js';
import { withoutUndefined } from './withoutUndefined.js';

/**
 * The release of DPDisc (DPBench; Zhang et al. 2026). Corpus, JSONL or one JSON array: a record holds
 * `table {uid, title, header, value}` and the passages about it, `synth_text [{uid, title, text}]`. Requests:
 * `{dpr_id, DPR, ground_truth {table: [], synth_text: []}}`, the splits concatenated (PIT Discovery, section 5.1) unless
 * one is named.
 *
 * Tables share passages, so one passage comes with several of them: the same id with the same content is one asset.
 */
export const dpdiscReader: DatasetReader = {
  format: 'dpdisc',
  summary: 'the DPDisc (DPBench) release: tables with passages, data product requests',
  layout: '*_corpus.json or .jsonl, *_train.jsonl, *_dev.jsonl, *_test.jsonl',
  roles: ['assets', 'requests'],
  textRoles: [],

  find(names, options) {
    const corpora = names.filter((name) => /_corpus\.jsonl?$/.test(withoutGz(name)));
    if (corpora.length === 0) return undefined;
    if (corpora.length > 1) {
      throw new InvalidArgumentError({ argument: 'path', value: corpora, expected: 'a folder with one corpus' });
    }
    const prefix = withoutGz(corpora[0]!).replace(/corpus\.jsonl?$/, '');
    const files: DatasetFile[] = [{ path: corpora[0]!, role: 'assets' }];
    for (const split of options.split === undefined ? ['train', 'dev', 'test'] : [options.split]) {
      const path = names.find((name) =>
        [`${prefix}${split}.jsonl`, `${prefix}${split}.json`].includes(withoutGz(name)),
      );
      if (path !== undefined) files.push({ path, role: 'requests' });
      else if (options.split !== undefined) {
        throw new InvalidArgumentError({
          argument: 'split',
          value: split,
          expected: `a split with a ${prefix}*.jsonl`,
        });
      }
    }
    return files;
  },

  recognises: (fields, role) =>
    role === 'requests'
      ? fields.has('dpr_id')
      : (fields.has('synth_text') || fields.has('table')) && !fields.has('id') && !fields.has('questions'),

  async read(files, inputs, sink) {
    const passages = new Map<string, Asset>();
    for (const file of files) {
      await sink.takeRecords(recordsOf(file, inputs), (fields) => {
        if (file.role === 'assets') readEntry(fields, sink, passages);
        else readRequest(fields, sink);
      });
    }
  },
};

function readEntry(entry: RecordFields, sink: RecordSink, passages: Map<string, Asset>): void {
  const assets: Asset[] = [];
  if (entry.has('table')) {
    const fields = entry.object('table');
    const table = { header: fields.cells('header'), rows: fields.cellRows('value') };
    assets.push(withoutUndefined({ id: fields.id('uid'), type: 'table', title: fields.optionalText('title'), table }));
  }
  for (const fields of entry.objects('synth_text')) {
    const id = fields.id('uid');
    const passage = withoutUndefined({
      id,
      type: 'text',
      title: fields.optionalText('title'),
      text: fields.text('text'),
    });
    const known = passages.get(id);
    if (known !== undefined && known.title === passage.title && known.text === passage.text) continue;
    if (known === undefined) passages.set(id, passage);
    assets.push(passage);
  }
  for (const asset of assets) sink.addAsset(asset, entry.location);
}

function readRequest(fields: RecordFields, sink: RecordSink): void {
  const truth = fields.object('ground_truth');
  const gold = [...truth.ids('table'), ...truth.ids('synth_text')];
  sink.addRequest({ id: fields.id('dpr_id'), text: fields.optionalText('DPR') ?? '', gold }, fields.location);
}
