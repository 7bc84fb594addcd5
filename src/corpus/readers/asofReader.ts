import { type InstantParser, instantParser } from '../../time/parseInstant.js';
import type { Asset, AssetTable } from '../asset.js';
import type { RequestRecord } from '../request.js';
import { type DatasetFile, type DatasetReader, findFile, recordsOf } from './datasetReader.js';
import type { RecordFields } from './recordFields.js';
import { withoutUndefined } from './withoutUndefined.js';

/**
 * asof's own JSONL. Assets: `{id, type?, title?, text? | table? {header, rows}, group?, eventAt?, availableAt?}`.
 * Requests: `{id, text, gold, observedAt?, feedbackAt?, dependsOn?, group?}`. Other fields are passed over. Without a type, an asset
 * is a `table` if it has one and a `text` otherwise.
 */
export const asofReader: DatasetReader = {
  format: 'asof',
  summary: "asof's own JSONL: a file of assets, a file of requests",
  layout: 'assets.jsonl, requests.jsonl',
  roles: ['assets', 'requests'],
  textRoles: [],

  find(names) {
    const assets = findFile(names, 'assets.jsonl');
    if (assets === undefined) return undefined;
    const requests = findFile(names, 'requests.jsonl');
    const files: DatasetFile[] = [{ path: assets, role: 'assets' }];
    if (requests !== undefined) files.push({ path: requests, role: 'requests' });
    return files;
  },

  recognises: (fields, role) =>
    fields.has('id') && (role === 'requests' || (!fields.has('gold') && (fields.has('text') || fields.has('table')))),

  async read(files, inputs, sink, options) {
    const instants = instantParser(options.instants);
    for (const file of files) {
      await sink.takeRecords(recordsOf(file, inputs), (fields) => {
        if (file.role === 'assets') sink.addAsset(readAsset(fields, instants), fields.location);
        else sink.addRequest(readRequest(fields, instants), fields.location);
      });
    }
  },
};

function readAsset(fields: RecordFields, instants: InstantParser): Asset {
  const id = fields.id('id');
  const table = fields.has('table') ? readTable(fields.object('table')) : undefined;
  const text = fields.optionalText('text');
  if ((table === undefined) === (text === undefined)) {
    throw fields.fault('text', text, table === undefined ? 'a text, or a table' : 'no text beside the table');
  }
  return withoutUndefined({
    id,
    type: fields.optionalText('type') ?? (table === undefined ? 'text' : 'table'),
    title: fields.optionalText('title'),
    text,
    table,
    group: fields.optionalText('group'),
    eventAt: fields.optionalInstant('eventAt', instants),
    availableAt: fields.optionalInstant('availableAt', instants),
  });
}

function readTable(fields: RecordFields): AssetTable {
  return { header: fields.cells('header'), rows: fields.cellRows('rows') };
}

function readRequest(fields: RecordFields, instants: InstantParser): RequestRecord {
  return withoutUndefined({
    id: fields.id('id'),
    // A request without text is for the sink to report: it is a kind of its own.
    text: fields.optionalText('text') ?? '',
    gold: fields.ids('gold'),
    observedAt: fields.optionalInstant('observedAt', instants),
    feedbackAt: fields.optionalInstant('feedbackAt', instants),
    dependsOn: fields.optionalIds('dependsOn'),
    group: fields.optionalText('group'),
  });
}
