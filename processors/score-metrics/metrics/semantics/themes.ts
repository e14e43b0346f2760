import { cosineOf, product } from './cosine.js';

/** A text as unit vectors: one per window, and one for its first words alone if it has more than these. */
export interface TextVectors {
  readonly windows: readonly Float32Array[];
  readonly opening: Float32Array | null;
}

/** A theme: its examples, and which texts are compared with them. */
export interface Theme<Example> {
  readonly name: string;
  readonly of: 'prompt' | 'response' | 'both';
  /** Whether a text's first words are compared as well, because the rest of the text may dilute them. */
  readonly opening?: boolean | undefined;
  readonly examples: readonly Example[];
}

/** The highest similarity of a text to an example of a theme, in any of its windows: a cosine. */
export function themeSimilarity(
  { windows, opening }: TextVectors,
  theme: Pick<Theme<Float32Array>, 'examples' | 'opening'>,
): number {
  const { examples } = theme;
  const compared = theme.opening === true && opening !== null ? [opening, ...windows] : windows;
  let nearest = -1;
  for (const window of compared) {
    for (const example of examples) nearest = Math.max(nearest, product(window, example));
  }
  return cosineOf(nearest);
}
