import type { SparseVector } from '../../processors/score-metrics/metrics/linear/text-features.js';
import { minimise } from './minimise.js';

export interface Example {
  readonly vector: Float32Array;
  readonly sparse: SparseVector;
  readonly label: boolean;
  /** The example's weight. */
  readonly weight: number;
}

/** How much each kind of feature counts before the penalty, and the inverse of the penalty. */
export interface Training {
  readonly vectorScale: number;
  readonly sparseScale: number;
  readonly inversePenalty: number;
}

/** One weight per value of the vector, then one per sparse feature, then the bias. */
export interface Weights {
  readonly vector: Float64Array;
  readonly sparse: Float64Array;
  readonly bias: number;
}

/** Logistic regression with an L2 penalty. The function is convex: no seed, and order does not matter. */
export function train(examples: readonly Example[], features: number, training: Training): Weights {
  const size = examples[0]?.vector.length ?? 0;
  const { vectorScale, sparseScale, inversePenalty } = training;
  const lossAndSlope = (point: Float64Array, slope: Float64Array): number => {
    let loss = 0;
    for (let i = 0; i < point.length - 1; i++) {
      const value = point[i] ?? 0;
      loss += (value * value) / 2;
      slope[i] = value;
    }
    slope[point.length - 1] = 0;
    for (const { vector, sparse, label, weight } of examples) {
      let logit = point[size + features] ?? 0;
      for (let i = 0; i < size; i++) logit += (point[i] ?? 0) * (vector[i] ?? 0) * vectorScale;
      const { at, values } = sparse;
      for (let i = 0; i < at.length; i++) {
        logit += (point[size + (at[i] ?? 0)] ?? 0) * (values[i] ?? 0) * sparseScale;
      }
      const signed = label ? logit : -logit;
      loss +=
        inversePenalty *
        weight *
        (signed > 0 ? Math.log1p(Math.exp(-signed)) : Math.log1p(Math.exp(signed)) - signed);
      const error = inversePenalty * weight * (1 / (1 + Math.exp(-logit)) - (label ? 1 : 0));
      for (let i = 0; i < size; i++) slope[i] = (slope[i] ?? 0) + error * (vector[i] ?? 0) * vectorScale;
      for (let i = 0; i < at.length; i++) {
        const index = size + (at[i] ?? 0);
        slope[index] = (slope[index] ?? 0) + error * (values[i] ?? 0) * sparseScale;
      }
      const last = size + features;
      slope[last] = (slope[last] ?? 0) + error;
    }
    return loss;
  };
  const best = minimise(lossAndSlope, size + features + 1);
  return {
    vector: best.slice(0, size).map((value) => value * vectorScale),
    sparse: best.slice(size, size + features).map((value) => value * sparseScale),
    bias: best[size + features] ?? 0,
  };
}

export function logitOf(
  { vector, sparse, bias }: Weights,
  example: Pick<Example, 'vector' | 'sparse'>,
): number {
  const ofVector = example.vector.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), bias);
  return example.sparse.at.reduce(
    (sum, index, i) => sum + (sparse[index] ?? 0) * (example.sparse.values[i] ?? 0),
    ofVector,
  );
}
