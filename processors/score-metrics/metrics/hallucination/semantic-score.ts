import type { Embed } from '../language-model/ask.js';
import { sixDigits } from '../semantics/cosine.js';
import { mean, meanOverSentences, passagesOf, type Passage } from './passages.js';
import { sentencesOf } from './sentences.js';

/** Embeddings are cheap, but not free: longer texts are compared in passages of several sentences. */
const maxPassages = 200;

/**
 * 1 − the mean over the response's sentences of the mean over samples of the best cosine with a sentence of the sample
 * (after SelfCheckGPT, Manakul et al., EMNLP 2023). 0: every sample has an equivalent of every sentence.
 */
export async function semanticScore(
  response: string,
  samples: readonly string[],
  embed: Embed,
): Promise<number> {
  const passages = passagesOf(sentencesOf(response), maxPassages);
  const sampled = samples.map((sample) => passagesOf(sentencesOf(sample), maxPassages));
  const vectors = await embedEach([...passages, ...sampled.flat()], embed);
  const best = (passage: Passage, sample: readonly Passage[]): number =>
    Math.max(...sample.map(({ text }) => cosine(vectors.get(passage.text), vectors.get(text))));
  const likeness = passages.map((passage) => mean(sampled.map((sample) => best(passage, sample))));
  return sixDigits(1 - meanOverSentences(passages, likeness)); // further ones differ from machine to machine
}

/** Embeds each different text once. */
async function embedEach(
  passages: readonly Passage[],
  embed: Embed,
): Promise<ReadonlyMap<string, ArrayLike<number>>> {
  const texts = [...new Set(passages.map(({ text }) => text))];
  const vectors = await embed(texts);
  return new Map(texts.map((text, at) => [text, vectors[at] ?? []]));
}

/** Within -1..1 despite rounding; 0 if a vector has length 0. */
export function cosine(left: ArrayLike<number> = [], right: ArrayLike<number> = []): number {
  let product = 0;
  let ofLeft = 0;
  let ofRight = 0;
  for (let at = 0; at < left.length; at += 1) {
    const [a, b] = [left[at] ?? 0, right[at] ?? 0];
    product += a * b;
    ofLeft += a * a;
    ofRight += b * b;
  }
  const norm = Math.sqrt(ofLeft) * Math.sqrt(ofRight);
  return norm === 0 ? 0 : Math.min(1, Math.max(-1, product / norm));
}
