import type { Answer } from '../../api/client.js';

/** `all` is the call that computes every metric: its result has the objects of the others. */
type Metric = Exclude<Answer<'/api/v1/results'>['results'][number]['metric'], 'all'>;

/** What each metric of the API means, in a sentence or two. */
const explanations: Readonly<Record<Metric, string>> = {
  hallucination:
    'How far the response agrees with other answers to the same prompt: 0 is agreement, values near 1 are contradiction.',
  text_similarity: 'How much the response is about the prompt: 1 is the same subject, values near 0 another.',
  detected_pii:
    'Personal data in the prompt, such as names, addresses and numbers of cards; it is marked in the text above.',
  detected_prompt_injection:
    'Whether the prompt makes a language model disregard its instructions: 1 if it did, 0 if it did not.',
  detected_sensitive_pattern:
    'The first group of patterns that the prompt matches: social security numbers, cards, phone numbers, mailing addresses, email addresses.',
  text_sentiment: 'How friendly the words of the prompt are, from -1, negative, to 1, positive.',
  text_metrics:
    'How long the prompt is and how hard it is to read. Grades are years of school that a reader needs.',
  theme_similarity:
    'How near the prompt is to a jailbreak attempt, and the response to a refusal, from -1 to 1; with the text measures of both.',
  text_topic: 'The subject that is nearest to the prompt, of a fixed list.',
  text_toxicity: 'How insulting or threatening the prompt is, from 0 to 1.',
};

/** Undefined for a metric that only a later version of the pipeline has. */
export const explanationOf = (metric: string): string | undefined =>
  Object.hasOwn(explanations, metric) ? explanations[metric as Metric] : undefined;
