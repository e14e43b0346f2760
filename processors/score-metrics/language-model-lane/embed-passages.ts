import type { EmbeddedText, EmbedderOrReason } from '../../../runtime/embedding/embedder.js';
import { embeddingFailure } from '../semantics/embedding-failure.js';
import { Unavailable, type Embed } from '../metrics/language-model/ask.js';

/**
 * Vectors for the sentences that the hallucination check compares, one for each text: a text of several
 * windows has the mean of their vectors. Without an embedder, or if it fails, the check continues without
 * vectors and says why.
 */
export function embedPassages(opened: EmbedderOrReason): Embed {
  return async (texts) => {
    if (!opened.available) throw new Unavailable(opened.reason);
    const embedded = await opened.embedder.embed(texts).catch((error: unknown) => {
      const failure = embeddingFailure(error);
      const kind = 'status' in failure ? `status ${failure.status}` : failure.kind;
      throw new Unavailable(`The embedding model failed (${kind}).`, { cause: error });
    });
    return embedded.map(meanOfWindows);
  };
}

function meanOfWindows({ windows }: EmbeddedText): ArrayLike<number> {
  const [first, ...others] = windows;
  if (first === undefined || others.length === 0) return first ?? [];
  // Its length does not matter: only directions are compared.
  return first.map((value, at) => others.reduce((sum, window) => sum + (window[at] ?? 0), value));
}
