import { meanDirection, product, sixDigits } from './cosine.js';

export interface Topic<Example> {
  readonly name: string;
  /** Its description and examples of texts about it. */
  readonly examples: readonly Example[];
}

/** A text is compared with this many examples of a topic: a single one may be near by chance. */
const nearestExamples = 3;

/** The name of the topic whose nearest examples are nearest to the text on average. There is always one. */
export function closestTopic(
  windows: readonly Float32Array[],
  topics: readonly Topic<Float32Array>[],
): string | null {
  const text = meanDirection(windows);
  let closest: { readonly name: string; readonly likeness: number } | null = null;
  for (const { name, examples } of topics) {
    const likeness = sixDigits(meanOfNearest(text, examples));
    if (closest === null || likeness > closest.likeness) closest = { name, likeness };
  }
  return closest?.name ?? null;
}

function meanOfNearest(text: Float32Array, examples: readonly Float32Array[]): number {
  const nearest = new Float64Array(Math.min(nearestExamples, examples.length)).fill(-Infinity);
  for (const example of examples) {
    let likeness = product(text, example);
    for (let index = 0; index < nearest.length; index++) {
      const held = nearest[index] as number;
      if (likeness <= held) continue;
      nearest[index] = likeness;
      likeness = held;
    }
  }
  return nearest.reduce((sum, likeness) => sum + likeness, 0) / nearest.length;
}
