import type { AssetVersion } from '../store/workspace/assetVersion.js';
import type { SegmentRows } from '../store/workspace/segmentRows.js';

const defaultCapacity = 20_000;

/** Versions read from segments, the least recently used forgotten first. Rows of a segment never change. */
export class VersionCache {
  readonly #capacity: number;
  /** Segment and row to version, least recently used first. */
  readonly #versions = new Map<string, AssetVersion>();

  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity;
  }

  /** Versions of some rows of a segment, in the order of `rows`. */
  async read(segment: SegmentRows, rows: readonly number[]): Promise<AssetVersion[]> {
    const keyOf = (row: number) => `${segment.id}/${row}`;
    const missing = rows.filter((row) => !this.#versions.has(keyOf(row)));
    const fresh = await segment.read(missing);
    const found = new Map(missing.map((row, at) => [row, fresh[at]!]));
    return rows.map((row) => {
      const key = keyOf(row);
      const version = found.get(row) ?? this.#versions.get(key)!;
      this.#versions.delete(key);
      this.#versions.set(key, version);
      if (this.#versions.size > this.#capacity) this.#versions.delete(this.#versions.keys().next().value!);
      return version;
    });
  }
}
