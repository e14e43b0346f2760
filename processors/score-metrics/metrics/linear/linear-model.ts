import { meanDirection } from '../semantics/cosine.js';
import { textFeatures, trainedShape, type FeatureShape, type SparseVector } from './text-features.js';

/** A trained model in the form of its JSON file. `provenance` is for readers: what it was trained on, and how well. */
export interface LinearModelFile {
  readonly version: string;
  /** The embedding model whose vectors it reads. */
  readonly embedding: string;
  readonly features: FeatureShape;
  readonly bias: number;
  /** Weights of the vector's values. */
  readonly vector: readonly number[];
  /** Weights of the hashed features: signed bytes in base64, times `scale`. */
  readonly hashed: { readonly scale: number; readonly bytes: string };
  readonly provenance: unknown;
}

/** The features of a text, and of the parts of it that its windows hold. */
export interface FeaturesInParts {
  readonly whole: SparseVector;
  /** One for every two neighbouring windows; none if the only window is the whole text. */
  readonly parts: readonly SparseVector[];
}

/** This many neighbouring windows are evaluated as one, because a shorter part gives a less certain result. */
const windowsOfPart = 2;

/** Windows have equal numbers of word pieces, so a part is approximately the text of its windows. */
export function featuresInParts(
  text: string,
  windows: number,
  shape: FeatureShape = trainedShape,
): FeaturesInParts {
  const at = (part: number): number =>
    Math.round((Math.min(part * windowsOfPart, windows) * text.length) / windows);
  const count = windows > 1 ? Math.ceil(windows / windowsOfPart) : 0;
  return {
    whole: textFeatures(text, shape),
    parts: Array.from({ length: count }, (_, part) =>
      textFeatures(text.slice(at(part), at(part + 1)), shape),
    ),
  };
}

/** A calibrated probability in 0..1 for a text's features and the vectors of its windows. */
export type LinearModel = (features: FeaturesInParts, windows: readonly Float32Array[]) => number;

/**
 * Logistic regression over a text's vector and its hashed runs of characters and words. A text of several windows is
 * scored as a whole and in parts, and the highest score counts, so that nothing can hide at the end of a text.
 */
export function linearModel(file: LinearModelFile): LinearModel {
  const bytes = Uint8Array.from(atob(file.hashed.bytes), (character) => character.charCodeAt(0));
  // Kept as bytes: numbers would fill eight times as much of the processor's cache, and soon be evicted.
  const weights = new Int8Array(bytes.buffer);
  const vectorWeights = Float64Array.from(file.vector);
  const probability = ({ at, values }: SparseVector, vector: Float32Array): number => {
    let hashed = 0;
    for (let i = 0; i < at.length; i++) hashed += (weights[at[i] as number] ?? 0) * (values[i] as number);
    let logit = file.bias + hashed * file.hashed.scale;
    const known = Math.min(vector.length, vectorWeights.length);
    for (let i = 0; i < known; i++) logit += (vector[i] as number) * (vectorWeights[i] as number);
    return 1 / (1 + Math.exp(-logit));
  };
  return ({ whole, parts }, windows) =>
    parts.reduce(
      (highest, part, index) => {
        const first = index * windowsOfPart;
        const vector = meanDirection(windows.slice(first, first + windowsOfPart));
        return Math.max(highest, probability(part, vector));
      },
      probability(whole, meanDirection(windows)),
    );
}
