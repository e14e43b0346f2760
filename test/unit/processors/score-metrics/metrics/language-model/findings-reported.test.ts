import assert from 'node:assert/strict';
import type { MetricScore, ScoringInput } from '../../../../../../processors/score-metrics/metric.js';
import type { LanguageModelFindings } from '../../../../../../processors/score-metrics/metrics/language-model/finding.js';
import { needsOf } from '../../../../../../processors/score-metrics/metrics/language-model/needs.js';
import { metrics } from '../../../../../../processors/score-metrics/metrics/registry.js';
import { noEmbeddings } from '../../../../../../processors/score-metrics/metrics/reasons.js';
import { AnalysedText } from '../../../../../../processors/score-metrics/metrics/text/analysed-text.js';
import { combined, metricKeys, type MetricKey } from '../../../../../../schemas/metrics.js';

const findings: LanguageModelFindings = {
  injection: { values: { score: 1, response: 'Arr!' }, missing: {} },
  hallucination: {
    values: {
      samples: ['a'],
      response: 'b',
      llm_score: 0.5,
      semantic_score: null,
      final_score: null,
      total_tokens: 7,
    },
    missing: { semantic_score: 'no vectors', final_score: 'no vectors' },
  },
};

function scoreOf(key: MetricKey, input: Partial<ScoringInput> = {}): MetricScore {
  const metric = metrics.find((each) => each.key === key) ?? assert.fail(`no metric ${key}`);
  const texts = { prompt: new AnalysedText('p'), response: new AnalysedText('r') };
  return metric.score({ ...texts, combined: true, ...input });
}

describe('what a language model has found', () => {
  it('is all of hallucination, and all of the injection test but the classifier', () => {
    assert.deepEqual(scoreOf('hallucination', { findings }), findings.hallucination);
    const classifier = 'prompt.injection.classifier';
    assert.deepEqual(scoreOf('detected_prompt_injection', { findings }), {
      values: { ...findings.injection?.values, [classifier]: null },
      missing: { [classifier]: noEmbeddings },
    });
  });

  it('is also in the other metrics that carry it, including null and its reason', () => {
    for (const key of ['text_metrics', 'theme_similarity', 'detected_pii'] as const) {
      const { values, missing } = scoreOf(key, { findings });
      assert.equal(values['prompt.injection.proactive_detection'], 1, key);
      assert.equal(missing['prompt.injection.proactive_detection'], undefined, key);
    }
    const { values, missing } = scoreOf('theme_similarity', { findings });
    assert.equal(values['response.hallucination'], null);
    assert.equal(missing['response.hallucination'], 'no vectors');
  });

  it('is null, with the setting to add, if no language model was asked', () => {
    for (const [key, value] of [
      ['detected_prompt_injection', 'score'],
      ['hallucination', 'final_score'],
      ['text_metrics', 'prompt.injection.proactive_detection'],
      ['theme_similarity', 'response.hallucination'],
    ] as const) {
      const { values, missing } = scoreOf(key);
      assert.equal(values[value], null);
      assert.match(missing[value] ?? '', /LLM_BASE_URL/);
    }
  });

  it('has no hallucination if there is no response', () => {
    const { missing } = scoreOf('hallucination', { response: null, findings: {} });
    assert.match(missing['final_score'] ?? '', /No response/);
  });

  it('is asked for by exactly the metrics that carry it', () => {
    const carries = (key: MetricKey, reasonOf: LanguageModelFindings): boolean =>
      JSON.stringify(scoreOf(key, { combined: false, findings: reasonOf })) !==
      JSON.stringify(scoreOf(key, { combined: false }));
    for (const key of metricKeys) {
      const wanted = (['injection', 'hallucination'] as const).filter((need) =>
        carries(
          key,
          need === 'injection'
            ? { injection: findings.injection ?? assert.fail() }
            : { hallucination: findings.hallucination ?? assert.fail() },
        ),
      );
      assert.deepEqual(needsOf(key, 'r'), wanted, key);
    }
    assert.deepEqual(needsOf(combined, 'r'), ['injection', 'hallucination']);
    assert.deepEqual(needsOf(combined, null), ['injection']);
  });
});
