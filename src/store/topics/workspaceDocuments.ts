import { textRepresentation } from '../../corpus/ingest/assetContent.js';
import type { Embedder } from '../../embedding/Embedder.js';
import type { TopicDocuments } from '../../topics/TopicDocuments.js';
import type { AssetVersion } from '../workspace/assetVersion.js';
import type { Workspace } from '../workspace/Workspace.js';

/** Documents of a workspace, which can be read whole. */
export interface WorkspaceDocuments extends TopicDocuments {
  /** Whole versions of some documents, in the order of `rows`. */
  read(rows: ArrayLike<number>): Promise<AssetVersion[]>;
}

/**
 * Every version of every asset of a workspace as a document of its own, with the interval in which it is current: topics
 * as of t are tracked in D_t. Texts are read and embedded slice by slice, as they are asked for.
 */
export async function workspaceDocuments(workspace: Workspace, embedder: Embedder): Promise<WorkspaceDocuments> {
  const segments = await workspace.segments();
  const starts: number[] = [];
  let size = 0;
  for (const segment of segments) {
    starts.push(size);
    size += segment.size;
  }
  const column = (name: 'eventAt' | 'availableAt' | 'endsAt') => {
    const values = new Float64Array(size);
    for (const [index, segment] of segments.entries()) values.set(segment[name], starts[index]!);
    return values;
  };
  const read = async (rows: ArrayLike<number>): Promise<AssetVersion[]> => {
    const versions = new Array<AssetVersion>(rows.length);
    for (const [index, segment] of segments.entries()) {
      const [start, end] = [starts[index]!, starts[index]! + segment.size];
      const places = Array.from({ length: rows.length }, (_, place) => place).filter(
        (place) => rows[place]! >= start && rows[place]! < end,
      );
      const found = await segment.read(places.map((place) => rows[place]! - start));
      for (const [i, place] of places.entries()) versions[place] = found[i]!;
    }
    return versions;
  };
  return {
    size,
    ids: segments.flatMap(({ ids }) => ids),
    eventAt: column('eventAt'),
    availableAt: column('availableAt'),
    endsAt: column('endsAt'),
    dimension: embedder.dimension,
    read,
    async load(rows) {
      const versions = await read(rows);
      const texts = versions.map(textRepresentation);
      const { vectors, present } = await embedder.embed(texts);
      return {
        vectors,
        present,
        texts,
        entities: versions.map(({ entities }) => entities),
        contentHashes: versions.map(({ contentHash }) => contentHash),
      };
    },
  };
}
