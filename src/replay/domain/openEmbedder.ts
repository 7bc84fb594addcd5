import { join } from 'node:path';
import { CachedEmbedder } from '../../embedding/cache/CachedEmbedder.js';
import type { Embedder } from '../../embedding/Embedder.js';
import { EndpointEmbedder } from '../../embedding/endpoint/EndpointEmbedder.js';
import { openMinilm } from '../../embedding/minilm/openMinilm.js';
import { OnnxEmbedder } from '../../embedding/onnx/OnnxEmbedder.js';
import { userCacheFolder } from '../../files/userCacheFolder.js';
import type { EmbedderSpec } from '../experiment/experiment.js';

/** When a model was there is part of a claim, not of how it is opened. */
type UndatedSpec<Spec> = Spec extends unknown ? Omit<Spec, 'availableAt'> : never;

/** Opens the embedder of a specification, behind the user's embedding cache: no text is embedded twice. */
export async function openEmbedder(
  spec: UndatedSpec<EmbedderSpec>,
  cacheFolder = userCacheFolder(),
): Promise<Embedder> {
  return new CachedEmbedder(await openBare(spec, cacheFolder), join(cacheFolder, 'embeddings'));
}

function openBare(spec: UndatedSpec<EmbedderSpec>, cacheFolder: string): Promise<Embedder> {
  switch (spec.kind) {
    case 'minilm':
      return openMinilm({ precision: spec.precision, cacheFolder });
    case 'folder':
      return OnnxEmbedder.open(spec.path);
    case 'endpoint':
      return EndpointEmbedder.open(spec);
  }
}
