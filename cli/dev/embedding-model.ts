import { reasonOf } from '../../runtime/errors.js';
import { fetchEmbeddingModel } from '../../stack/embedding-model/fetch.js';
import type { Progress } from '../../stack/server.js';

/**
 * The variables by which processors find the embedded model; none if the user has configured a source of
 * embeddings. Without the model, everything else works, and the metrics that need it say why they are null: a
 * failed fetch is only reported.
 */
export async function embeddingModelVariables(
  environment: NodeJS.ProcessEnv,
  say: Progress,
  fetch: (progress: Progress) => Promise<string> = fetchEmbeddingModel,
): Promise<NodeJS.ProcessEnv> {
  const { EMBEDDING_MODEL_DIR = '', EMBEDDING_BASE_URL = '' } = environment;
  if (EMBEDDING_MODEL_DIR !== '' || EMBEDDING_BASE_URL !== '') return {};
  try {
    return { EMBEDDING_MODEL_DIR: await fetch(say) };
  } catch (error) {
    say(`metrics that need embeddings will be null: ${reasonOf(error)}`);
    return {};
  }
}
