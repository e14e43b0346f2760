import { cachedEmbedder } from '../vector-cache.js';
import type { Evaluated } from './evaluation.js';
import { evaluateSimilarity } from './similarity.js';
import { evaluateJailbreak, evaluateRefusal, evaluateThemeParity } from './themes.js';
import { evaluateTopic } from './topic.js';
import { evaluateTrainedModels } from './trained-models.js';

/** Every figure of the metrics that compare vectors. */
export async function evaluateEmbeddings(): Promise<readonly Evaluated[]> {
  const embedder = await cachedEmbedder();
  try {
    return [
      await evaluateSimilarity(embedder),
      await evaluateThemeParity(embedder),
      await evaluateJailbreak(embedder),
      await evaluateRefusal(embedder),
      await evaluateTopic(embedder),
      evaluateTrainedModels(),
    ];
  } finally {
    await embedder.close();
  }
}
