/** A text as unit vectors. */
export interface EmbeddedText {
  /**
   * One per window, in the order of the text. An empty text has one too, so comparing needs no special case.
   */
  readonly windows: readonly Float32Array[];
  /**
   * The vector of the text's first words, taken from the first window: the start of the text, undiluted by
   * the rest. Null if the text has no more words than these, or if the model gives no vectors of parts.
   */
  readonly opening: Float32Array | null;
}

/** Turns texts into vectors. The same text gives the same vectors whatever else is in the batch. */
export interface Embedder {
  /** Names the model, for result rows and for operators. */
  readonly model: string;
  /** One result per text, in the order of the texts. */
  embed(texts: readonly string[]): Promise<readonly EmbeddedText[]>;
  close(): Promise<void>;
}

/** An embedder, or the reason why there is none: metrics that need one are then null with this reason. */
export type EmbedderOrReason =
  | { readonly available: true; readonly embedder: Embedder }
  | { readonly available: false; readonly reason: string };

/** Scales a vector to length 1 in place; a zero vector stays as it is. */
export function normalise(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale;
  return vector;
}
