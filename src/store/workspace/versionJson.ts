import { formatInstant } from '../../time/formatInstant.js';
import type { AssetVersion, DatedVersion } from './assetVersion.js';

/** A version of an asset as answers give it: instants as texts. */
export function versionJson(version: AssetVersion) {
  const { type, title = null, text, entities, fields, eventAt, availableAt, materializedAt, contentHash } = version;
  return {
    type,
    title,
    text,
    entities: [...entities],
    fields: fields === undefined ? null : (JSON.parse(fields) as unknown),
    eventAt: formatInstant(eventAt),
    availableAt: formatInstant(availableAt),
    materializedAt: formatInstant(materializedAt),
    contentHash,
  };
}

/** A version and when and how its currency ends, as far as known. */
export function datedVersionJson(version: DatedVersion) {
  return {
    ...versionJson(version),
    endsAt: version.endsAt === undefined ? null : formatInstant(version.endsAt),
    endedBy: version.endedBy ?? null,
  };
}
