import { sha256Hex } from '../../commitment/sha256.js';
import type { Instant } from '../../time/instant.js';

/** What an asset says in one of its versions. */
export interface AssetContent {
  /** `text`, `table`, `advisory`, or any other name. */
  readonly type: string;
  readonly title: string | undefined;
  readonly text: string;
  /** Names that the asset is about: packages, products, tags. */
  readonly entities: readonly string[];
  /** The fields of its source that nothing else took, as the canonical JSON of an object. */
  readonly fields: string | undefined;
  /** Event time; undefined where it is that of availability (`--event-at=available`). */
  readonly eventAt: Instant | undefined;
}

/**
 * Identity of a content, SHA-256 in hexadecimal: two versions with the same hash say the same. The id and the time of
 * availability have no part in it; nor has an event time that was only taken over from availability.
 */
export function contentHash(content: AssetContent): string {
  const { type, title = null, text, entities, fields = null, eventAt = null } = content;
  return sha256Hex(JSON.stringify([type, title, text, entities, fields, eventAt]));
}

/**
 * The text that retrieval sees, `text_repr` (temporal-layer.md, section 1): title, text, and the entities joined by
 * commas, a line each, in this order. Empty parts are left out.
 */
export function textRepresentation(content: Pick<AssetContent, 'title' | 'text' | 'entities'>): string {
  return [content.title ?? '', content.text, content.entities.join(', ')].filter((part) => part !== '').join('\n');
}
