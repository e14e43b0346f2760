import type { RequestedMetric } from '../../../../schemas/metrics.js';
import type { LanguageModelFindings } from './finding.js';

export type LanguageModelNeed = keyof LanguageModelFindings;

const needs: Partial<Record<RequestedMetric, readonly LanguageModelNeed[]>> = {
  hallucination: ['hallucination'],
  detected_prompt_injection: ['injection'],
  text_metrics: ['injection'],
  theme_similarity: ['injection', 'hallucination'],
  all: ['injection', 'hallucination'],
};

/** What a request must ask of a language model; nothing for most metrics, or without a response to check. */
export function needsOf(metric: RequestedMetric, response: string | null): readonly LanguageModelNeed[] {
  return (needs[metric] ?? []).filter((need) => need !== 'hallucination' || response !== null);
}
