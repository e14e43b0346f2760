import { cosineOf, product } from './cosine.js';

/** A theme: examples of it, and which texts are compared with them. */
export interface Theme<Example> {
  readonly name: string;
  readonly of: 'prompt' | 'response' | 'both';
  readonly examples: readonly Example[];
}

/** How near a text comes to any example of a theme, in any of its windows: a cosine. */
export function themeSimilarity(
  windows: readonly Float32Array[],
  { examples }: Pick<Theme<Float32Array>, 'examples'>,
): number {
  let nearest = -1;
  for (const window of windows) {
    for (const example of examples) nearest = Math.max(nearest, product(window, example));
  }
  return cosineOf(nearest);
}
