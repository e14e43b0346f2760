import type { LinearModel } from '../linear/linear-model.js';
import type { TextVectors, Theme } from './themes.js';
import type { Topic } from './topics.js';

/** What texts are compared with: the same for all texts of a worker. */
export interface SemanticModels {
  readonly themes: readonly Theme<Float32Array>[];
  readonly topics: readonly Topic<Float32Array>[];
  readonly toxicity: LinearModel | Unfit;
  readonly injection: LinearModel | Unfit;
}

/** Why a trained model can't be used: it reads the vectors of one embedding model only. */
export interface Unfit {
  readonly reason: string;
}

/** A text's vectors and what they are compared with, or why there are none. */
export type Semantics = (TextVectors & { readonly models: SemanticModels }) | { readonly reason: string };
