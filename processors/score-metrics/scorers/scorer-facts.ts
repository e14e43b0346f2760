import { declarationOf, type MetricKey } from '../../../schemas/metrics.js';
import { needsOf } from '../metrics/language-model/needs.js';
import { metrics } from '../metrics/registry.js';
import type { ScoringSettings } from '../metrics/settings.js';

/** Which models are configured; undefined: none. */
export interface ConfiguredModels {
  readonly embedding: string | undefined;
  readonly language: string | undefined;
}

export interface ScorerFacts {
  readonly models: readonly string[];
  readonly languages: readonly string[];
  readonly thresholds: Readonly<Record<string, number>>;
  readonly needs: readonly Need[];
}

type Need = 'response' | 'embedding model' | 'language model';

/** Word lists, expressions, examples and training data are English; other languages are scored less well. */
const languages = ['en'];

/** Calibrated probabilities: docs/scorers.md has the figures at this threshold. */
const evenOdds = 0.5;

const trainedModels: Partial<Record<MetricKey, readonly string[]>> = {
  detected_prompt_injection: ['injection-linear/3'],
  text_toxicity: ['toxicity-linear/4'],
};

const rolesWithPersonalData: Partial<Record<MetricKey, readonly string[]>> = {
  detected_pii: ['prompt'],
  text_metrics: ['prompt'],
  theme_similarity: ['prompt', 'response'],
};

const embeds = new Set<MetricKey>([
  ...metrics.flatMap(({ key, embeds: sides }) => (sides === undefined ? [] : [key])),
  // Its sentences are embedded when the language model is asked, not with the texts.
  'hallucination',
]);

/** The facts of a metric that are known without computing it. */
export function factsOf(
  metric: MetricKey,
  { pii }: ScoringSettings,
  { embedding, language }: ConfiguredModels,
): ScorerFacts {
  const needs = needsFor(metric);
  return {
    models: [
      ...(trainedModels[metric] ?? []),
      ...(needs.includes('embedding model') && embedding !== undefined ? [embedding] : []),
      ...(needs.includes('language model') && language !== undefined ? [language] : []),
    ],
    languages,
    thresholds: thresholdsOf(metric, pii),
    needs,
  };
}

function needsFor(metric: MetricKey): readonly Need[] {
  return [
    ...(declarationOf(metric).response === 'required' ? (['response'] as const) : []),
    ...(embeds.has(metric) ? (['embedding model'] as const) : []),
    ...(needsOf(metric, '').length > 0 ? (['language model'] as const) : []),
  ];
}

function thresholdsOf(
  metric: MetricKey,
  { mode, threshold }: ScoringSettings['pii'],
): Record<string, number> {
  if (metric === 'detected_prompt_injection') return { 'prompt.injection.classifier': evenOdds };
  if (metric === 'text_toxicity') return { 'prompt.toxicity': evenOdds };
  const roles = mode === 'clean' ? (rolesWithPersonalData[metric] ?? []) : [];
  return Object.fromEntries(roles.map((role) => [`${role}.pii_engine.result`, threshold]));
}
