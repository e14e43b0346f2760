import { readModel } from '../../processors/score-metrics/models/read-model.js';
import type { Evaluated, Evaluation } from './evaluation.js';

/** The figures that training measured on held-out folds, as in the model's file. */
export interface CrossValidation {
  readonly folds: number;
  readonly figures: readonly { readonly set: string; readonly measure: string; readonly figure: number }[];
}

const wanted: readonly Omit<Evaluation, 'figure' | 'note'>[] = [
  auc('toxicity', 'tox_hatecheck', 0.807, 0.82),
  auc('toxicity', 'tox_surge', 0.927, 0.92),
  auc('toxicity', 'tox_openai_moderation', 0.88, 0.87),
  falseAlarms('toxicity', 'halu_general_human', 0.001, 0.005),
  auc('injection', 'inj_deepset', 0.865, 0.87),
  auc('injection', 'inj_jailbreak_inthewild against halu_general_human', 0.992, 0.99),
  falseAlarms('injection', 'xstest_prompts, the safe ones', 0.017, 0.02),
];

function auc(metric: string, set: string, reference: number, atLeast: number) {
  return { metric, set, measure: 'AUC', reference, target: { atLeast } };
}

function falseAlarms(metric: string, set: string, reference: number, atMost: number) {
  return { metric, set, measure: 'negatives above 0.5', reference, target: { atMost } };
}

/**
 * The figures of the trained models. The rows that are here are those that they were trained on, so only
 * cross-validation is meaningful: every row was scored by a model that had not seen its group.
 */
export function evaluateTrainedModels(): Evaluated {
  return wanted.map((evaluation) => {
    const { crossValidation } = readModel(evaluation.metric === 'toxicity' ? 'toxicity' : 'injection')
      .provenance as { readonly crossValidation: CrossValidation };
    const found = crossValidation.figures.find(
      ({ set, measure }) => set === evaluation.set && measure === evaluation.measure,
    );
    const note = `cross-validated by groups, ${crossValidation.folds} folds, when it was trained`;
    return { ...evaluation, figure: found?.figure ?? NaN, note };
  });
}
