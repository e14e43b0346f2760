import type { Answer } from '../../api/client.js';

export type Score = Answer<'/api/v1/results/trends'>['score'];

const ofEachText = [
  'sentiment_lexicon',
  'toxicity',
  'flesch_reading_ease',
  'flesch_kincaid_grade',
  'aggregate_reading_level',
  'automated_readability_index',
  'smog_index',
  'gunning_fog',
  'coleman_liau_index',
  'dale_chall_readability_score',
  'linsear_write_formula',
  'pii_engine_entities_count',
  'letter_count',
  'lexicon_count',
  'sentence_count',
  'syllable_count',
  'character_count',
  'difficult_words',
  'monosyllable_count',
  'polysyllable_count',
] as const;

/** The most viewed scores come first. */
const listed = [
  ...ofEachText.map((name) => `prompt_${name}` as const),
  'prompt_injection_proactive_detection',
  'prompt_injection_classifier',
  'prompt_jailbreak_similarity',
  ...ofEachText.map((name) => `response_${name}` as const),
  'response_refusal_similarity',
  'response_relevance_to_prompt',
  'response_hallucination',
  'hallucination_llm_score',
  'hallucination_semantic_score',
  'hallucination_total_tokens',
] as const;

type Unlisted = Exclude<Score, (typeof listed)[number]>;

/** Every score of the API: one that is not listed above is a type error here. */
export const scores: readonly ([Unlisted] extends [never] ? Score : never)[] = listed;

export const standardScore: Score = 'prompt_sentiment_lexicon';
