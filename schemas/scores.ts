/** Scores of both prompts and responses. */
const ofEachText = [
  'letter_count',
  'lexicon_count',
  'sentence_count',
  'syllable_count',
  'character_count',
  'difficult_words',
  'monosyllable_count',
  'polysyllable_count',
  'sentiment_lexicon',
  'flesch_reading_ease',
  'automated_readability_index',
  'aggregate_reading_level',
  'flesch_kincaid_grade',
  'smog_index',
  'gunning_fog',
  'coleman_liau_index',
  'dale_chall_readability_score',
  'linsear_write_formula',
  'pii_engine_entities_count',
  'toxicity',
] as const;

/** The scores that are numbers, named as their columns in `telltale.scoring_results`. */
export const scores = [
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

export type Score = (typeof scores)[number];

/** The score if none is named: one that needs no model. */
export const standardScore: Score = 'prompt_sentiment_lexicon';
