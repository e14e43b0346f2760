const roles = ['prompt', 'response'] as const;

const measures = [
  'has_patterns',
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
  'pii_engine.entities_count',
  'toxicity',
  'closest_topic',
] as const;

const ofOneText = [
  'prompt.injection.proactive_detection',
  'prompt.injection.classifier',
  'prompt.jailbreak_similarity',
  'response.refusal_similarity',
  'response.relevance_to_prompt',
  'response.hallucination',
] as const;

const columnOf = (key: string): string => key.replaceAll('.', '_');

/**
 * Result key → column. A key says which text it is about, so its value is the same in whichever metric object it
 * stands.
 */
export const columnsByKey: ReadonlyMap<string, string> = new Map(
  [...roles.flatMap((role) => measures.map((measure) => `${role}.${measure}`)), ...ofOneText].map((key) => [
    key,
    columnOf(key),
  ]),
);

/** Keys without a text's prefix: they mean something only inside their metric object. */
export const columnsByMetric: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  hallucination: new Map([
    ['llm_score', 'hallucination_llm_score'],
    ['semantic_score', 'hallucination_semantic_score'],
    ['final_score', 'response_hallucination'],
    ['total_tokens', 'hallucination_total_tokens'],
  ]),
  detected_prompt_injection: new Map([['score', 'prompt_injection_proactive_detection']]),
};

/** Result key → the column with the distinct types of the entities that the key's JSON text lists. */
export const entityTypeColumns: ReadonlyMap<string, string> = new Map(
  roles.map((role) => [`${role}.pii_engine.result`, `${role}_pii_types`]),
);
