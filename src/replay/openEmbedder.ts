import { join } from 'node:path';
import { CachedEmbedder } from '../embedding/cache/CachedEmbedder.js';
import type { Embedder } from '../embedding/Embedder.js';
import { EndpointEmbedder } from '../embedding/endpoint/EndpointEmbedder.js';
import { openMinilm } from '../embedding/minilm/openMinilm.js';
import { OnnxEmbedder } from '../embedding/onnx/OnnxEmbedder.js';
import { userCacheFolder } from '../files/userCacheFolder.js';
import type { EmbedderSpec } from './experiment.js';

type Dateless<Spec> = Spec extends unknown ? Omit<Spec, 'availableAt'> : never;
/** Which embedder to open; when it was there is for those who keep account of models. */
export type EmbedderSource = Dateless<EmbedderSpec>;

/** Opens the embedder of a specification, behind the user's embedding cache: no text is embedded twice. */
export async function openEmbedder(spec: EmbedderSource, cacheFolder = userCacheFolder()): Promise<Embedder> {
  return new CachedEmbedder(await openBare(spec, cacheFolder), join(cacheFolder, 'embeddings'));
}

function openBare(spec: EmbedderSource, cacheFolder: string): Promise<Embedder> {
  switch (spec.kind) {
    case 'minilm':
      return openMinilm({ precision: spec.precision, cacheFolder });
    case 'folder':
      return OnnxEmbedder.open(spec.path);
    case 'endpoint':
      return EndpointEmbedder.open(spec);
  }
}
