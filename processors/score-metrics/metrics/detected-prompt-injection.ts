import { metric, together } from '../metric.js';
import { nothingFound } from './language-model/finding.js';
import { injectionKeys, injectionTestVersion } from './prompt-injection/injection-test.js';
import { noLanguageModel } from './reasons.js';
import { injectionProbabilityOf } from './semantics/measures.js';
import { injectionClassifierVersion } from './versions.js';

/**
 * Whether a language model, given the prompt, ignores a control instruction; and, beyond the API's document, a
 * classifier's probability that the prompt is an attack, which needs no language model.
 */
export const detectedPromptInjection = metric({
  key: 'detected_prompt_injection',
  version: `${injectionTestVersion} ${injectionClassifierVersion}`,
  essential: [...injectionKeys, 'prompt.injection.classifier'],
  embeds: ['prompt'],
  score: ({ prompt, findings }) =>
    together(
      findings?.injection ?? nothingFound(injectionKeys, noLanguageModel),
      injectionProbabilityOf(prompt),
    ),
});
