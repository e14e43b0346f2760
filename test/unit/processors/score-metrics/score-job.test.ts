import assert from 'node:assert/strict';
import { noLanguageModel, noResponse } from '../../../../processors/score-metrics/metrics/reasons.js';
import { metrics } from '../../../../processors/score-metrics/metrics/registry.js';
import {
  available,
  metric,
  together,
  unavailable,
  type Metric,
} from '../../../../processors/score-metrics/metric.js';
import { jobScorer } from '../../../../processors/score-metrics/score-job.js';
import type { ScoringJob, ScoringJobResult } from '../../../../processors/score-metrics/scoring-job.js';
import { metricKeys, type RequestedMetric } from '../../../../schemas/metrics.js';

const clock = (): number => 1_700_000_000_123_456;
const scoreAll = jobScorer(metrics, clock);
const job = (requested: RequestedMetric, response: string | null = null): ScoringJob => ({
  id: '1',
  workspace: 'w',
  metric: requested,
  prompt: 'Call 555-123-4567. It is a very good day.',
  response,
});
const metricsOf = (result: ScoringJobResult) => {
  assert.ok(result.ok);
  return result.metrics;
};

/** Keys of text_metrics in the API's document and decisions. */
const textMetricsKeys = [
  ...['has_patterns', 'letter_count', 'lexicon_count', 'sentence_count', 'syllable_count', 'character_count'],
  ...[
    'difficult_words',
    'monosyllable_count',
    'polysyllable_count',
    'sentiment_lexicon',
    'flesch_reading_ease',
  ],
  ...['automated_readability_index', 'aggregate_reading_level', 'injection.proactive_detection'],
  ...['pii_engine.result', 'pii_engine.entities_count', 'flesch_kincaid_grade', 'smog_index', 'gunning_fog'],
  ...['coleman_liau_index', 'dale_chall_readability_score', 'linsear_write_formula'],
].map((key) => `prompt.${key}`);

const sorted = (keys: Iterable<string>): string[] => [...keys].sort();
const keysOf = (object: object | undefined): string[] =>
  sorted(Object.keys(object ?? {}).filter((key) => key !== 'created_at' && key !== 'unavailable'));

describe('scoring a job', () => {
  it('gives text_metrics every documented key, and says what is missing', () => {
    const { text_metrics: found } = metricsOf(scoreAll(job('text_metrics')));
    assert.deepEqual(keysOf(found), sorted(textMetricsKeys));
    assert.equal(found?.['prompt.has_patterns'], 'phone number');
    assert.equal(found.created_at, '2023-11-14T22:13:20.123456Z');
    assert.match(found.unavailable ?? '', /prompt\.injection\.proactive_detection: No language model/);
  });

  it('says nothing about missing values if there are none', () => {
    const { detected_sensitive_pattern } = metricsOf(scoreAll(job('detected_sensitive_pattern')));
    assert.deepEqual(detected_sensitive_pattern, {
      created_at: '2023-11-14T22:13:20.123456Z',
      'prompt.has_patterns': 'phone number',
    });
  });

  it('does not report a pattern that was not found as one that could not be searched for', () => {
    const result = scoreAll({ ...job('detected_sensitive_pattern'), prompt: 'nothing here' });
    assert.equal(metricsOf(result).detected_sensitive_pattern?.['prompt.has_patterns'], null);
  });

  it('places the patterns of the texts that its metrics look at, beside their objects', () => {
    const placesOf = (requested: RequestedMetric) => {
      const result = scoreAll(job(requested, 'Write to jane@example.com.'));
      assert.ok(result.ok);
      return result.patternPlaces;
    };
    const prompt = { start: 5, end: 17 };
    assert.deepEqual(placesOf('detected_sensitive_pattern'), { prompt });
    assert.deepEqual(placesOf('all'), { prompt, response: { start: 9, end: 25 } });
    assert.deepEqual(placesOf('text_sentiment'), {});
  });

  it('fails a metric whose inputs are missing, with the reason', () => {
    const injection = scoreAll(job('detected_prompt_injection'));
    assert.ok(!injection.ok);
    assert.ok(injection.reason.includes(`score, response: ${noLanguageModel}`), injection.reason);
    assert.ok(injection.reason.includes('prompt.injection.classifier: '), injection.reason);
    assert.deepEqual(scoreAll(job('hallucination')), { ok: false, reason: noResponse });
  });

  it('fails an unknown metric', () => {
    const result = scoreAll({ ...job('text_topic'), metric: 'colour' as RequestedMetric });
    assert.deepEqual(result, { ok: false, reason: 'There is no metric colour.' });
  });

  it('answers the combined call with every metric, with a response and without', () => {
    for (const response of [null, 'A fine answer.']) {
      const all = metricsOf(scoreAll(job('all', response)));
      assert.deepEqual(Object.keys(all), [...metricKeys]);
      for (const object of Object.values(all)) {
        for (const [key, value] of Object.entries(object)) {
          if (value === null && key !== 'prompt.has_patterns' && key !== 'response.has_patterns') {
            assert.ok(object.unavailable !== undefined, key);
          }
        }
      }
    }
  });

  it('carries the measures of the response in theme_similarity, if there is one', () => {
    const [without, withResponse] = [null, 'A fine answer.'].map(
      (response) => metricsOf(scoreAll(job('all', response))).theme_similarity,
    );
    const always = [
      'refusal_similarity',
      'hallucination',
      'relevance_to_prompt',
      'toxicity',
      'closest_topic',
    ];
    const responseKeys = (object: object | undefined): string[] =>
      keysOf(object).filter((key) => key.startsWith('response.'));
    assert.deepEqual(responseKeys(without), sorted(always.map((key) => `response.${key}`)));
    assert.deepEqual(
      responseKeys(withResponse),
      sorted([
        ...always.map((key) => `response.${key}`),
        ...textMetricsKeys
          .filter((key) => key !== 'prompt.injection.proactive_detection')
          .map((key) => key.replace('prompt.', 'response.')),
      ]),
    );
    assert.equal(withResponse?.['response.lexicon_count'], 3);
  });

  it('carries the measures of the prompt in detected_pii of the combined call, and only there', () => {
    const all = metricsOf(scoreAll(job('all'))).detected_pii;
    const more = ['prompt.toxicity', 'prompt.closest_topic', 'prompt.jailbreak_similarity'];
    assert.deepEqual(keysOf(all), sorted([...textMetricsKeys, ...more]));
    const alone = metricsOf(scoreAll(job('detected_pii'))).detected_pii;
    assert.deepEqual(keysOf(alone), ['prompt.pii_engine.entities_count', 'prompt.pii_engine.result']);
  });
});

describe('a request for one metric', () => {
  const half: Metric = metric({
    key: 'text_topic',
    version: 'half/1',
    essential: ['a', 'b'],
    score: ({ response }) =>
      response === null
        ? unavailable(['a', 'b', 'c'], 'none')
        : together(available({ a: 1 }), unavailable(['b'], 'no b'), unavailable(['c'], 'no c')),
  });
  const score = jobScorer([half], clock);

  it('is a result as long as one essential value is there', () => {
    assert.deepEqual(metricsOf(score(job('text_topic', 'yes'))).text_topic, {
      created_at: '2023-11-14T22:13:20.123456Z',
      ...{ a: 1, b: null, c: null },
      unavailable: 'b: no b; c: no c',
    });
  });

  it('fails when none of them is', () => {
    assert.deepEqual(score(job('text_topic')), { ok: false, reason: 'none' });
  });
});
