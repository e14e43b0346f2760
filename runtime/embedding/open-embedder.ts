import { reasonOf } from '../errors.js';
import type { EmbeddingConfig } from './config.js';
import type { EmbedderOrReason } from './embedder.js';
import { endpointEmbedder } from './endpoint-embedder.js';
import type { CallNative } from './onnx-embedder.js';

/**
 * The embedder that the configuration asks for. Never rejects: without an embedder, metrics that need vectors
 * are null, and the others must continue.
 */
export async function openEmbedder(
  config: EmbeddingConfig,
  call: CallNative = (native) => native(),
): Promise<EmbedderOrReason> {
  if (config.EMBEDDING_BASE_URL !== undefined)
    return { available: true, embedder: endpointOf(config, config.EMBEDDING_BASE_URL) };
  if (config.EMBEDDING_MODEL_DIR === undefined) {
    return unavailable(
      'There is no embedding model: run `npm start` once with Maven installed, or set EMBEDDING_MODEL_DIR or EMBEDDING_BASE_URL.',
    );
  }
  try {
    // Imported only here, because it loads native code that a process without the embedded model does not need.
    const { openOnnxEmbedder } = await call(() => import('./onnx-embedder.js'));
    return { available: true, embedder: await openOnnxEmbedder(config.EMBEDDING_MODEL_DIR, call) };
  } catch (error) {
    return unavailable(
      `The embedding model in ${config.EMBEDDING_MODEL_DIR} can't be opened: ${reasonOf(error)}`,
    );
  }
}

function endpointOf(config: EmbeddingConfig, baseUrl: string) {
  return endpointEmbedder({
    baseUrl,
    apiKey: config.EMBEDDING_API_KEY,
    model: config.EMBEDDING_MODEL,
    timeoutMs: config.EMBEDDING_TIMEOUT_MS,
  });
}

function unavailable(reason: string): EmbedderOrReason {
  return { available: false, reason };
}
