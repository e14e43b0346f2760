import { cosine, meanDirection } from './cosine.js';

export interface Topic<Example> {
  readonly name: string;
  /** Its description and examples of texts about it. */
  readonly examples: readonly Example[];
}

/** A text is compared with this many examples of a topic: one alone may be near by chance. */
const nearestExamples = 3;

/** The name of the topic whose nearest examples are nearest to the text on average. There is always one. */
export function closestTopic(
  windows: readonly Float32Array[],
  topics: readonly Topic<Float32Array>[],
): string | null {
  const text = meanDirection(windows);
  let closest: { readonly name: string; readonly likeness: number } | null = null;
  for (const { name, examples } of topics) {
    const nearest = examples
      .map((example) => cosine(text, example))
      .sort((left, right) => right - left)
      .slice(0, nearestExamples);
    const likeness = nearest.reduce((sum, value) => sum + value, 0) / nearest.length;
    if (closest === null || likeness > closest.likeness) closest = { name, likeness };
  }
  return closest?.name ?? null;
}
