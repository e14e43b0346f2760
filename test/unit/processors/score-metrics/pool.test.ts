import assert from 'node:assert/strict';
import { scoringConfig } from '../../../../processors/score-metrics/config.js';
import { defaultPiiSettings } from '../../../../processors/score-metrics/metrics/pii/score-pii.js';
import {
  standardSettings,
  type ScoringSettings,
} from '../../../../processors/score-metrics/metrics/settings.js';
import { createScoringPool } from '../../../../processors/score-metrics/pool.js';
import type { ScoringJobResult } from '../../../../processors/score-metrics/scoring-job.js';
import { readConfig } from '../../../../runtime/config.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { createMetrics } from '../../../../runtime/metrics.js';

async function personalDataIn(
  prompt: string,
  settings: ScoringSettings,
): Promise<ScoringJobResult | undefined> {
  const pool = createScoringPool({
    of: 'realtime',
    config: readConfig(scoringConfig, {}),
    settings,
    metrics: createMetrics(),
    logger: silentLogger,
  });
  try {
    const [result] = await pool.score([
      { id: 'one', workspace: 'w', metric: 'detected_pii', prompt, response: null },
    ]);
    return result;
  } finally {
    await pool.stop();
  }
}

describe('the scoring pool', () => {
  it('scores in its threads with the settings it was made with, and says so in the version', async () => {
    const prompt = 'mail jane@example.org';
    const langkit: ScoringSettings = { pii: { ...defaultPiiSettings, mode: 'langkit' } };
    const [standard, raw] = [
      await personalDataIn(prompt, standardSettings),
      await personalDataIn(prompt, langkit),
    ];
    assert.ok(standard?.ok && raw?.ok);
    assert.match(JSON.stringify(standard.metrics), /EMAIL_ADDRESS/);
    assert.doesNotMatch(JSON.stringify(raw.metrics), /EMAIL_ADDRESS/);
    assert.match(String(raw.scorerVersions['detected_pii']), /pii-langkit/);
  });
});
