import { unavailable, available, type MetricScore } from '../../metric.js';
import { featuresInParts, type FeaturesInParts, type LinearModel } from '../linear/linear-model.js';
import type { AnalysedText, Measure } from '../text/analysed-text.js';
import { noResponse } from '../reasons.js';
import { cosine, meanDirection, sixDigits } from './cosine.js';
import type { SemanticModels, Unfit } from './semantics.js';
import { themeSimilarity } from './themes.js';
import { closestTopic } from './topics.js';

export type Side = 'prompt' | 'response';

/** Cosine of the two texts' vectors, each the mean over its windows. */
export function relevance(prompt: AnalysedText, response: AnalysedText | null): MetricScore {
  const key = 'response.relevance_to_prompt';
  if (response === null) return unavailable([key], noResponse);
  const [asked, answered] = [prompt.semantics, response.semantics];
  if ('reason' in asked) return unavailable([key], asked.reason);
  if ('reason' in answered) return unavailable([key], answered.reason);
  return available({ [key]: cosine(meanDirection(asked.windows), meanDirection(answered.windows)) });
}

const topic: Measure<string | null | Unfit> = ({ semantics }) =>
  'reason' in semantics ? semantics : closestTopic(semantics.windows, semantics.models.topics);

const features: Measure<FeaturesInParts> = ({ text, semantics }) =>
  featuresInParts(text, 'reason' in semantics ? 1 : semantics.windows.length);

const toxicity: Measure<number | Unfit> = (text) => probability(text, ({ toxicity }) => toxicity);
const injection: Measure<number | Unfit> = (text) => probability(text, ({ injection }) => injection);

function probability(
  text: AnalysedText,
  modelOf: (models: SemanticModels) => LinearModel | Unfit,
): number | Unfit {
  const { semantics } = text;
  if ('reason' in semantics) return semantics;
  const model = modelOf(semantics.models);
  return typeof model === 'function' ? sixDigits(model(text.take(features), semantics.windows)) : model;
}

export const closestTopicOf = (side: Side, text: AnalysedText | null): MetricScore =>
  valueOf(`${side}.closest_topic`, text, topic);
export const toxicityOf = (side: Side, text: AnalysedText | null): MetricScore =>
  valueOf(`${side}.toxicity`, text, toxicity);
export const injectionProbabilityOf = (text: AnalysedText): MetricScore =>
  valueOf('prompt.injection.classifier', text, injection);

function valueOf(
  key: string,
  text: AnalysedText | null,
  measure: Measure<string | number | null | Unfit>,
): MetricScore {
  if (text === null) return unavailable([key], noResponse);
  const value = text.take(measure);
  return typeof value === 'object' && value !== null
    ? unavailable([key], value.reason)
    : available({ [key]: value });
}

/** The similarity of a text to every theme for texts of its side. */
export function themesOf(side: Side, text: AnalysedText | null): MetricScore {
  const standard = side === 'prompt' ? 'prompt.jailbreak_similarity' : 'response.refusal_similarity';
  if (text === null) return unavailable([standard], noResponse);
  const { semantics } = text;
  if ('reason' in semantics) return unavailable([standard], semantics.reason);
  return available(text.take(side === 'prompt' ? promptThemes : responseThemes));
}

const promptThemes: Measure<Readonly<Record<string, number>>> = (text) => likenesses('prompt', text);
const responseThemes: Measure<Readonly<Record<string, number>>> = (text) => likenesses('response', text);

function likenesses(side: Side, { semantics }: AnalysedText): Readonly<Record<string, number>> {
  if ('reason' in semantics) return {};
  const themes = semantics.models.themes.filter(({ of }) => of === side || of === 'both');
  return Object.fromEntries(
    themes.map((theme) => [`${side}.${theme.name}_similarity`, themeSimilarity(semantics, theme)]),
  );
}
