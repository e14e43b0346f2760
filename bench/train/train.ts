import { writeFileSync } from 'node:fs';
import {
  featuresInParts,
  linearModel,
  type LinearModelFile,
} from '../../processors/score-metrics/metrics/linear/linear-model.js';
import { textFeatures, trainedShape } from '../../processors/score-metrics/metrics/linear/text-features.js';
import { meanDirection } from '../../processors/score-metrics/metrics/semantics/cosine.js';
import { areaUnderCurve } from '../evaluate/figures.js';
import type { CrossValidation } from '../evaluate/trained-models.js';
import { cachedEmbedder } from '../vector-cache.js';
import { calibrate, type Calibration } from './calibrate.js';
import type { LabelledText } from './labelled-texts.js';
import { writeExampleVectors } from './example-vectors.js';
import { logitOf, train, type Example, type Weights } from './logistic-regression.js';
import { longestText, recipes, type Recipe } from './recipes.js';

const folds = 5;

interface TrainingText extends LabelledText, Example {
  readonly windows: readonly Float32Array[];
}

async function trainingTexts({ texts, weights }: Recipe): Promise<TrainingText[]> {
  const labelled = texts();
  const embedder = await cachedEmbedder();
  const embedded = await embedder.embed(labelled.map(({ text }) => text));
  await embedder.close();
  return labelled.map((row, index) => ({
    ...row,
    windows: embedded[index]?.windows ?? [],
    vector: meanDirection(embedded[index]?.windows ?? []),
    sparse: textFeatures(row.text.slice(0, longestText), trainedShape),
    weight: weights[row.set] ?? 1,
  }));
}

/** The probability of each text by a model that was trained and calibrated without its group. */
function crossValidated(
  texts: readonly TrainingText[],
  recipe: Recipe,
  calibration: Calibration,
  models: readonly Weights[],
) {
  const scorers = models.map((weights) => linearModel(fileOf(weights, calibration, recipe, {})));
  return texts.map(
    ({ text, windows, group }) =>
      scorers[foldOf(group)]?.(featuresInParts(text, windows.length), windows) ?? NaN,
  );
}

/** FNV-1a of the group, so that every run has the same folds. */
function foldOf(group: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < group.length; i++) hash = Math.imul(hash ^ group.charCodeAt(i), 0x01000193) >>> 0;
  return hash % folds;
}

interface ScoredText extends LabelledText {
  readonly score: number;
}

/** The figures that a set allows; for a set of attacks alone, with everyday prompts as the negatives. */
function figuresOf(
  texts: readonly TrainingText[],
  probabilities: readonly number[],
): CrossValidation['figures'] {
  const scored = texts.map((text, index): ScoredText => ({ ...text, score: probabilities[index] ?? NaN }));
  const sets = [...new Set(scored.map(({ set }) => set))].map((set) => ({
    set,
    rows: scored.filter((row) => row.set === set),
  }));
  const calm = scored.filter(({ set }) => set === 'halu_general_human');
  return sets.flatMap(({ set, rows }) => {
    const [positive, negative] = [rows.filter(({ label }) => label), rows.filter(({ label }) => !label)];
    const against = `${set} against halu_general_human`;
    return [
      ...(positive.length > 0 && negative.length > 0 ? [figureOf(set, 'AUC', areaUnderCurve(rows))] : []),
      ...(negative.length === 0 ? [figureOf(against, 'AUC', areaUnderCurve([...rows, ...calm]))] : []),
      ...(positive.length > 0 ? [figureOf(set, 'positives above 0.5', shareAbove(positive))] : []),
      ...(negative.length > 0 ? [figureOf(set, 'negatives above 0.5', shareAbove(negative))] : []),
      ...kindsOf(set, negative),
    ];
  });
}

/** XSTest has safe prompts, and unsafe ones as a contrast. None is an attack; the safe ones matter most. */
function kindsOf(set: string, rows: readonly ScoredText[]): CrossValidation['figures'] {
  const safe = rows.filter(({ kind }) => kind === 'safe');
  return safe.length === 0
    ? []
    : [figureOf(`${set}, the safe ones`, 'negatives above 0.5', shareAbove(safe))];
}

const figureOf = (set: string, measure: string, figure: number) => ({
  set,
  measure,
  figure: rounded(figure),
});

function shareAbove(rows: readonly ScoredText[]): number {
  return rows.filter(({ score }) => score > 0.5).length / rows.length;
}

/** Weights as the project keeps them, with the calibration; hashed ones in steps of 1/127 of the largest. */
function fileOf(
  weights: Weights,
  { slope, offset }: Calibration,
  recipe: Recipe,
  provenance: unknown,
): LinearModelFile {
  const hashed = weights.sparse.map((value) => value * slope);
  const scale = hashed.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127;
  const bytes = Int8Array.from(hashed, (value) => Math.round(value / scale));
  return {
    version: recipe.version,
    embedding: 'all-MiniLM-L6-v2',
    features: trainedShape,
    bias: rounded(weights.bias * slope + offset),
    vector: Array.from(weights.vector, (value) => rounded(value * slope)),
    hashed: { scale: Number(scale.toPrecision(6)), bytes: Buffer.from(bytes.buffer).toString('base64') },
    provenance,
  };
}

const rounded = (value: number): number => Number(value.toFixed(4));

async function makeModel(recipe: Recipe): Promise<void> {
  const texts = await trainingTexts(recipe);
  const features = 2 * trainedShape.buckets;
  const models = Array.from({ length: folds }, (_, fold) =>
    train(
      texts.filter(({ group }) => foldOf(group) !== fold),
      features,
      recipe.training,
    ),
  );
  const logits = texts.map((text) => {
    const weights = models[foldOf(text.group)];
    return {
      logit: weights === undefined ? NaN : logitOf(weights, text),
      label: text.label,
      weight: text.weight,
    };
  });
  const calibration = calibrate(logits);
  const figures = figuresOf(texts, crossValidated(texts, recipe, calibration, models));
  console.log(recipe.name, figures, calibration);
  const provenance = {
    script: 'npm run train',
    sources: recipe.sources,
    texts: texts.length,
    settings: { ...recipe.training, weights: recipe.weights, longestText },
    crossValidation: { folds, figures } satisfies CrossValidation,
  };
  const file = fileOf(train(texts, features, recipe.training), calibration, recipe, provenance);
  writeFileSync(`processors/score-metrics/models/${recipe.name}.json`, `${JSON.stringify(file)}\n`);
}

const [only] = process.argv.slice(2);
if (only === undefined || only === 'examples') await writeExampleVectors();
for (const recipe of recipes) if (only === undefined || only === recipe.name) await makeModel(recipe);
