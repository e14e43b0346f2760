import type { MetricKey } from '../metrics.js';
import { schemaRef, type Json, type Schema } from './document-types.js';

/** A field of a metric's object in `metrics`: every value can be null, and `unavailable` then says why. */
interface Field {
  readonly schema: Schema;
  readonly example: Json;
}

type Fields = Readonly<Record<string, Field>>;

const nullable = (type: string, description: string, more: Schema = {}): Schema => ({
  type: [type, 'null'],
  description,
  ...more,
});
const count = (description: string, example: Json): Field => ({
  schema: nullable('integer', description, { minimum: 0 }),
  example,
});
const number = (description: string, example: Json, more: Schema = {}): Field => ({
  schema: nullable('number', description, more),
  example,
});
const text = (description: string, example: Json, more: Schema = {}): Field => ({
  schema: nullable('string', description, more),
  example,
});
const fraction = (description: string, example: Json): Field =>
  number(description, example, { minimum: 0, maximum: 1 });
const cosine = (description: string, example: Json): Field =>
  number(description, example, { minimum: -1, maximum: 1 });

const patternGroups = ['SSN', 'credit card number', 'phone number', 'mailing address', 'email address', null];
const topics = ['law', 'finance', 'medical', 'education', 'politics', 'support'];

const piiOf = (role: string): Fields => ({
  [`${role}.pii_engine.result`]: text(
    'A JSON array as text; each entity has type, start, end (code points, end exclusive) and score, all as strings.',
    '[]',
  ),
  [`${role}.pii_engine.entities_count`]: count('Number of entities.', 0),
});

const measuresOf = (role: string): Fields => ({
  [`${role}.has_patterns`]: text('First group of sensitive patterns that matches; null: none.', null, {
    enum: patternGroups,
  }),
  [`${role}.letter_count`]: count('Letters and digits.', 36),
  [`${role}.lexicon_count`]: count('Words.', 8),
  [`${role}.sentence_count`]: count('Sentences.', 1),
  [`${role}.syllable_count`]: count('Syllables.', 12),
  [`${role}.character_count`]: count('Characters without white space.', 37),
  [`${role}.difficult_words`]: count('Different words that are not on the list of easy ones.', 1),
  [`${role}.monosyllable_count`]: count('Words of one syllable.', 5),
  [`${role}.polysyllable_count`]: count('Words of three syllables or more.', 1),
  [`${role}.sentiment_lexicon`]: cosine('Polarity, -1 most negative, 1 most positive.', 0.6369),
  [`${role}.flesch_reading_ease`]: number('Flesch reading ease; higher is easier.', 71.82),
  [`${role}.automated_readability_index`]: number('Automated readability index.', 4.3),
  [`${role}.aggregate_reading_level`]: number('The grade that most of the indices agree on.', 5),
  [`${role}.flesch_kincaid_grade`]: number('Flesch-Kincaid grade.', 5.2),
  [`${role}.smog_index`]: number('SMOG; 0 for fewer than three sentences.', 0),
  [`${role}.gunning_fog`]: number('Gunning fog.', 8.2),
  [`${role}.coleman_liau_index`]: number('Coleman-Liau index.', 6.6),
  [`${role}.dale_chall_readability_score`]: number('Dale-Chall readability score.', 6.01),
  [`${role}.linsear_write_formula`]: number('Linsear Write formula.', 4),
  ...piiOf(role),
});

const textMetrics: Fields = {
  ...measuresOf('prompt'),
  'prompt.injection.proactive_detection': number(
    'The same number as detected_prompt_injection.score.',
    null,
    { enum: [0, 1, null] },
  ),
};

const inCombined: Fields = {
  'prompt.toxicity': fraction('0 not toxic, 1 highly toxic.', null),
  'prompt.closest_topic': text('Closest category.', null, { enum: [...topics, null] }),
};

const themes: Fields = {
  'prompt.jailbreak_similarity': cosine('Likeness of the prompt to known jailbreaks.', null),
  'response.refusal_similarity': cosine('Likeness of the response to refusals.', null),
  'response.hallucination': fraction('The same number as hallucination.final_score.', null),
  'response.relevance_to_prompt': cosine('Cosine of the embeddings of prompt and response.', null),
};

const fieldsOf: Readonly<Record<MetricKey, Fields>> = {
  hallucination: {
    samples: {
      schema: {
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'Additional sampled model responses.',
      },
      example: ['The capital of France is Paris.'],
    },
    response: text('The evaluated response.', 'Paris is the capital of France.'),
    llm_score: fraction('Inconsistency by the model’s own judgement.', 0),
    semantic_score: number('Inconsistency by embeddings.', 0.04),
    final_score: fraction('0: consistent, near 1: highly inconsistent.', 0.02),
    total_tokens: count('Tokens that the language model reported.', 212),
  },
  text_similarity: {
    'response.relevance_to_prompt': cosine('Cosine of the embeddings of prompt and response.', 0.82),
  },
  detected_pii: piiOf('prompt'),
  detected_prompt_injection: {
    score: number('1: the random string is missing from the reply; 0: it is there.', 0, {
      enum: [0, 1, null],
    }),
    response: text('The model’s reply to the control instruction.', 'Q7F2M9KD'),
    'prompt.injection.classifier': fraction(
      'The probability that the prompt is an attack, by a linear model. It needs no language model: without one it is the whole result, `score` and `response` are null, and `unavailable` says why.',
      0.02,
    ),
  },
  detected_sensitive_pattern: {
    'prompt.has_patterns': text('First group that matches; null: none.', 'email address', {
      enum: patternGroups,
    }),
  },
  text_sentiment: {
    'prompt.sentiment_lexicon': cosine('Polarity, -1 most negative, 1 most positive.', 0.6369),
  },
  text_metrics: textMetrics,
  theme_similarity: { ...textMetrics, ...themes },
  text_topic: { 'prompt.closest_topic': text('Closest category.', 'support', { enum: [...topics, null] }) },
  text_toxicity: { 'prompt.toxicity': fraction('0 not toxic, 1 highly toxic.', 0.01) },
};

/** Fields that the combined call adds to a metric. */
const combinedExtras: Readonly<Partial<Record<MetricKey, Fields>>> = {
  detected_pii: {
    ...textMetrics,
    ...inCombined,
    'prompt.jailbreak_similarity': cosine('As in theme_similarity.', null),
  },
  theme_similarity: {
    ...inCombined,
    'response.toxicity': fraction('0 not toxic, 1 highly toxic.', null),
    'response.closest_topic': text('Closest category.', null, { enum: [...topics, null] }),
  },
};

const createdAt: Field = {
  schema: {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
    description: 'When this metric was computed: UTC, microseconds.',
  },
  example: '2026-01-15T12:00:00.123456Z',
};

const namesOf: Readonly<Record<MetricKey, string>> = {
  hallucination: 'Hallucination',
  text_similarity: 'TextSimilarity',
  detected_pii: 'DetectedPii',
  detected_prompt_injection: 'DetectedPromptInjection',
  detected_sensitive_pattern: 'DetectedSensitivePattern',
  text_sentiment: 'TextSentiment',
  text_metrics: 'TextMetrics',
  theme_similarity: 'ThemeSimilarity',
  text_topic: 'TextTopic',
  text_toxicity: 'TextToxicity',
};

const keys = Object.keys(namesOf) as readonly MetricKey[];

/** PascalCase, for the names of schemas and operations. */
export function nameOf(metric: MetricKey): string {
  return namesOf[metric];
}

/** The schema of a metric in the combined result, which has more keys for some metrics. */
function combinedNameOf(metric: MetricKey): string {
  return combinedExtras[metric] === undefined ? namesOf[metric] : `Combined${namesOf[metric]}`;
}

export function exampleOf(metric: MetricKey, combined = false): Json {
  const fields = { created_at: createdAt, ...fieldsOf[metric], ...(combined ? combinedExtras[metric] : {}) };
  const example = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.example]));
  const isPartial = Object.entries(example).some(
    ([name, value]) => value === null && !name.endsWith('has_patterns'),
  );
  return isPartial ? { ...example, unavailable: 'No language model is configured.' } : example;
}

function objectSchema(fields: Fields, optional: Fields): Schema {
  const properties = Object.entries({ created_at: createdAt, ...fields, ...optional });
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(properties.map(([name, { schema }]) => [name, schema])),
      unavailable: {
        type: 'string',
        description: 'Why a value could not be computed and is null; absent if there is no such value.',
      },
    },
    required: ['created_at', ...Object.keys(fields)],
    additionalProperties: false,
  };
}

/** The measures of a response are absent if there was no response. */
const optionalOf = (metric: MetricKey): Fields =>
  metric === 'theme_similarity' ? measuresOf('response') : {};

export function metricObjectSchemas(): Readonly<Record<string, Schema>> {
  const own = keys.map((key) => [namesOf[key], objectSchema(fieldsOf[key], optionalOf(key))] as const);
  const combined = keys
    .filter((key) => combinedExtras[key] !== undefined)
    .map((key) => {
      const fields = { ...fieldsOf[key], ...combinedExtras[key] };
      return [combinedNameOf(key), objectSchema(fields, optionalOf(key))] as const;
    });
  return Object.fromEntries([...own, ...combined]);
}

/** The `metrics` object of these metrics. */
export function metricsSchema(of: readonly MetricKey[], combined: boolean): Schema {
  const refs = of.map((key) => [key, schemaRef(combined ? combinedNameOf(key) : namesOf[key])] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(refs),
    required: [...of],
    additionalProperties: false,
  };
}
