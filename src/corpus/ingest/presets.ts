import type { InstantFormat } from '../../time/parseInstant.js';
import type { FieldMapping } from './fieldMapping.js';

export const presetNames = ['generic', 'nvd', 'osv', 'stackexchange', 'logs'] as const;

/**
 * Mappings for records of well-known kinds. None but `generic`, whose field says so by its name, declares a time of
 * availability: when a collection became available to its reader is not in the collection.
 */
export const presets: Readonly<
  Record<(typeof presetNames)[number], { readonly fields: FieldMapping; readonly instants?: InstantFormat }>
> = {
  /** asof's own JSONL, and what `asof export` writes. */
  generic: {
    fields: {
      id: 'id',
      type: 'type',
      title: 'title',
      text: 'text|table',
      entities: 'entities',
      eventAt: 'eventAt',
      availableAt: 'availableAt',
      withdrawnAt: 'withdrawnAt',
      fields: 'fields',
    },
  },
  /**
   * CVE records of the National Vulnerability Database, one a record: description only. Products, weaknesses and scores
   * are kept as fields; they are assigned later than the text, and are labels in evaluations, so they are never indexed.
   */
  nvd: {
    fields: { id: 'id', type: "'cve'", title: 'title', text: 'description', eventAt: 'published' },
  },
  /** Advisories in the Open Source Vulnerability format, or with its `affected` cut down to `entities`. */
  osv: {
    fields: {
      id: 'id',
      type: "'advisory'",
      title: 'summary',
      text: 'details',
      entities: 'entities|affected.package.name',
      eventAt: 'published',
      withdrawnAt: 'withdrawn',
    },
  },
  /** Posts of a Stack Exchange dump, whose times have no zone and are UTC. */
  stackexchange: {
    fields: {
      id: '{site}/{id}|id|Id',
      type: "type|'post'",
      title: 'title|Title',
      text: 'text|body|Body',
      entities: 'tags|Tags',
      eventAt: 'created|CreationDate',
    },
    instants: { zone: 'UTC' },
  },
  /** Events of a log, one a record. */
  logs: {
    fields: {
      id: 'event_id|id',
      type: "'event'",
      title: 'product,event_type|level',
      text: 'msg|message',
      entities: 'tech,attack',
      eventAt: 'ts|timestamp|@timestamp|time',
    },
  },
};
