import assert from 'node:assert/strict';
import { metricsWith } from '../../../../../processors/score-metrics/metrics/registry.js';
import { standardSettings } from '../../../../../processors/score-metrics/metrics/settings.js';
import { jobScorer, type JobSemantics } from '../../../../../processors/score-metrics/score-job.js';
import {
  describeScorers,
  type ScorerDescription,
} from '../../../../../processors/score-metrics/scorers/describe-scorers.js';
import type { ConfiguredModels } from '../../../../../processors/score-metrics/scorers/scorer-facts.js';
import { metricKeys } from '../../../../../schemas/metrics.js';

const away = 'There is no embedding model.';
const vectorless: JobSemantics = { prompt: { reason: away }, response: { reason: away } };

async function described(
  models: ConfiguredModels,
  semantics: JobSemantics = vectorless,
  settings = standardSettings,
): Promise<ReadonlyMap<string, ScorerDescription>> {
  const score = jobScorer(metricsWith(settings), () => 0, settings);
  const pool = {
    score: (jobs: Parameters<typeof score>[0][]) => Promise.resolve(jobs.map((job) => score(job, semantics))),
  };
  const scorers = await describeScorers({ pool: pool, settings, models });
  return new Map(scorers.map((scorer) => [scorer.metric, scorer]));
}

const nothing: ConfiguredModels = { embedding: undefined, language: undefined };

describe('the description of the scorers', () => {
  it('has every metric with the version that its results carry', async () => {
    const scorers = await described(nothing);
    assert.deepEqual([...scorers.keys()], metricKeys);
    for (const { key, version } of metricsWith(standardSettings))
      assert.equal(scorers.get(key)?.version, version);
  });

  it('says what is unavailable, and why, if no model is configured', async () => {
    const scorers = await described(nothing);
    const unavailable = [...scorers.values()]
      .filter(({ available }) => !available)
      .map(({ metric }) => metric);
    assert.deepEqual(unavailable, [
      'hallucination',
      'text_similarity',
      'detected_prompt_injection',
      'theme_similarity',
      'text_topic',
      'text_toxicity',
    ]);
    assert.equal(scorers.get('text_topic')?.unavailable, away);
    assert.match(scorers.get('hallucination')?.unavailable ?? '', /No language model is configured/);
    assert.match(scorers.get('text_metrics')?.unavailable ?? '', /^prompt\.injection\.proactive_detection: /);
    assert.equal(scorers.get('text_sentiment')?.unavailable, null);
  });

  it('assumes that a configured language model answers, and still reports the vectors as missing', async () => {
    const scorers = await described({ embedding: undefined, language: 'stub-model' });
    assert.equal(scorers.get('text_metrics')?.unavailable, null);
    assert.equal(scorers.get('detected_prompt_injection')?.available, true);
    assert.deepEqual(scorers.get('detected_prompt_injection')?.models, ['injection-linear/3', 'stub-model']);
    assert.equal(scorers.get('hallucination')?.available, false);
    assert.match(scorers.get('hallucination')?.unavailable ?? '', new RegExp(away));
  });

  it('names thresholds, models and needs', async () => {
    const scorers = await described({ embedding: 'all-MiniLM-L6-v2', language: 'stub-model' });
    const facts = (metric: string) => {
      const { models, thresholds, needs } = scorers.get(metric) ?? {};
      return { models, thresholds, needs };
    };
    assert.deepEqual(facts('detected_pii'), {
      models: [],
      thresholds: { 'prompt.pii_engine.result': 0.35 },
      needs: [],
    });
    assert.deepEqual(facts('text_toxicity'), {
      models: ['toxicity-linear/4', 'all-MiniLM-L6-v2'],
      thresholds: { 'prompt.toxicity': 0.5 },
      needs: ['embedding model'],
    });
    assert.deepEqual(facts('hallucination'), {
      models: ['all-MiniLM-L6-v2', 'stub-model'],
      thresholds: {},
      needs: ['response', 'embedding model', 'language model'],
    });
    const langkit = await described(nothing, vectorless, {
      pii: { ...standardSettings.pii, mode: 'langkit' },
    });
    assert.deepEqual(langkit.get('detected_pii')?.thresholds, {});
    assert.match(langkit.get('detected_pii')?.version ?? '', /pii-langkit/);
  });
});
