import type { EmbeddingConfig } from '../../../runtime/embedding/config.js';
import { openEmbedder } from '../../../runtime/embedding/open-embedder.js';
import { batchWorker, workerGate, workerSettings } from '../../../runtime/pool/batch-worker.js';
import { Unavailable } from '../metrics/language-model/ask.js';
import { embedPassages } from './embed-passages.js';

/** The passages of one hallucination check. */
export type Passages = readonly string[];
/** One vector for each passage, or why there are none. */
export type PassageVectors = { readonly vectors: readonly ArrayLike<number>[] } | { readonly reason: string };

const embed = embedPassages(await openEmbedder(workerSettings() as EmbeddingConfig, workerGate()));

/** The work of the embedding pool's thread. */
export const embedBatch = batchWorker(async (passages: Passages): Promise<PassageVectors> => {
  try {
    return { vectors: await embed(passages) };
  } catch (error) {
    if (error instanceof Unavailable) return { reason: error.message };
    throw error;
  }
});
