import { z } from 'zod';
import { positiveInteger } from '../config.js';
import { secret } from '../secret.js';

/** The source of vectors: an endpoint if one is configured, otherwise the embedded model. */
export const embeddingConfig = z.object({
  EMBEDDING_MODEL_DIR: z
    .string()
    .optional()
    .describe(
      'Folder with `model.onnx` and `tokenizer.json` of all-MiniLM-L6-v2. `npm start` fetches it and sets this.',
    ),
  EMBEDDING_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base URL of an OpenAI-compatible embeddings endpoint to use instead of the embedded model.'),
  EMBEDDING_API_KEY: secret('Its key.'),
  EMBEDDING_MODEL: z.string().default('text-embedding-3-small').describe('The model to ask it for.'),
  EMBEDDING_TIMEOUT_MS: positiveInteger(2_000).describe(
    'Longest wait for one call to it, in milliseconds; a call is tried twice.',
  ),
});

export type EmbeddingConfig = z.output<typeof embeddingConfig>;

/** Whether texts are embedded at all. */
export const canEmbed = ({ EMBEDDING_MODEL_DIR, EMBEDDING_BASE_URL }: EmbeddingConfig): boolean =>
  EMBEDDING_MODEL_DIR !== undefined || EMBEDDING_BASE_URL !== undefined;
