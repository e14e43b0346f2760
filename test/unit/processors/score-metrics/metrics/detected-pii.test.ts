import assert from 'node:assert/strict';
import type { MetricKey } from '../../../../../schemas/metrics.js';
import { detectedPii } from '../../../../../processors/score-metrics/metrics/detected-pii.js';
import { defaultPiiSettings } from '../../../../../processors/score-metrics/metrics/pii/score-pii.js';
import { metrics, metricsWith } from '../../../../../processors/score-metrics/metrics/registry.js';
import { standardSettings } from '../../../../../processors/score-metrics/metrics/settings.js';
import { AnalysedText } from '../../../../../processors/score-metrics/metrics/text/analysed-text.js';
import { textMetrics } from '../../../../../processors/score-metrics/metrics/text-metrics.js';

const text = 'mail jane@example.org';
const langkit = { pii: { ...defaultPiiSettings, mode: 'langkit' } } as const;
const input = (settings = standardSettings, combined = false) => ({
  prompt: new AnalysedText(text, settings),
  response: null,
  combined,
});

describe('detected_pii', () => {
  it('has only its two keys when asked for alone', () => {
    const { values, missing } = detectedPii.score(input());
    assert.deepEqual(Object.keys(values), ['prompt.pii_engine.result', 'prompt.pii_engine.entities_count']);
    assert.equal(values['prompt.pii_engine.entities_count'], 1);
    assert.deepEqual(missing, {});
  });

  it('also has the measures of the prompt in the combined call, with the same two values', () => {
    const alone = detectedPii.score(input()).values;
    const { values } = detectedPii.score(input(standardSettings, true));
    assert.ok('prompt.flesch_reading_ease' in values && 'prompt.toxicity' in values);
    for (const [key, value] of Object.entries(alone)) assert.equal(values[key], value);
  });

  it('finds in text_metrics what it finds alone', () => {
    const { values } = textMetrics.score(input());
    for (const [key, value] of Object.entries(detectedPii.score(input()).values))
      assert.equal(values[key], value);
  });

  it('obeys the settings the text was analysed with', () => {
    const { values } = detectedPii.score(input(langkit));
    assert.match(String(values['prompt.pii_engine.result']), /"URL"/);
  });

  it('identifies the settings in each version that depends on them', () => {
    const changed = metricsWith(langkit).filter(({ version }, at) => version !== metrics[at]?.version);
    const keys: MetricKey[] = ['detected_pii', 'text_metrics', 'theme_similarity'];
    assert.deepEqual(changed.map(({ key }) => key).sort(), keys);
  });
});
