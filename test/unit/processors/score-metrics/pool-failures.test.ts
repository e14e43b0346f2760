import assert from 'node:assert/strict';
import { readConfig } from '../../../../runtime/config.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { createMetrics } from '../../../../runtime/metrics.js';
import { scoringConfig } from '../../../../processors/score-metrics/config.js';
import { createScoringPool } from '../../../../processors/score-metrics/pool.js';
import type { ScoringJob, ScoringPool } from '../../../../processors/score-metrics/scoring-job.js';
import { metricKeys } from '../../../../schemas/metrics.js';

function createPool(worker?: URL, timeoutMs = 1_000): ScoringPool {
  return createScoringPool({
    of: 'tasks',
    config: readConfig(scoringConfig, { SCORING_THREADS: '1', SCORING_TEXT_TIMEOUT_MS: String(timeoutMs) }),
    metrics: createMetrics(),
    logger: silentLogger,
    ...(worker === undefined ? {} : { worker }),
  });
}

const job = (id: string, metric: ScoringJob['metric'], prompt: string): ScoringJob => ({
  id,
  workspace: 'w',
  metric,
  prompt,
  response: null,
});

describe('the scoring pool, with texts that do harm,', function () {
  it('scores one metric and all of them, with the versions of the scorers', async () => {
    const pool = createPool(undefined, 120_000);
    const [sentiment, all] = await pool.score([
      job('1', 'text_sentiment', 'What a lovely day!'),
      job('2', 'all', 'What a lovely day!'),
    ]);
    await pool.stop();
    assert.ok(sentiment?.ok && all?.ok);
    assert.deepEqual(Object.keys(sentiment.metrics), ['text_sentiment']);
    assert.deepEqual(Object.keys(all.metrics), [...metricKeys]);
    assert.deepEqual(Object.keys(all.scorerVersions), [...metricKeys]);
    assert.match(
      sentiment.metrics.text_sentiment?.created_at ?? '',
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
    );
  });

  it('scores a hundred texts around one that hangs, one that ends its worker and one that throws', async () => {
    const pool = createPool(new URL('../../../support/hostile-scoring-worker.js', import.meta.url));
    const bad: Readonly<Record<number, string>> = { 3: 'hang', 50: 'exit', 99: 'throw' };
    const jobs = Array.from({ length: 100 }, (_, n) =>
      job(String(n), 'text_metrics', bad[n] ?? 'x'.repeat(n)),
    );
    const results = await pool.score(jobs);
    await pool.stop();
    results.forEach((result, n) => {
      if (bad[n] === undefined) {
        assert.ok(result.ok);
        assert.equal(result.metrics.text_metrics?.['prompt.lexicon_count'], n);
      } else assert.ok(!result.ok);
    });
    const reasons = [3, 50, 99]
      .map((n) => results[n])
      .map((result) => (result?.ok === false ? result.reason : ''));
    assert.match(reasons[0] ?? '', /took longer than 1002 ms/);
    assert.match(reasons[1] ?? '', /crashed its worker/);
    assert.match(reasons[2] ?? '', /this metric throws/);
  });

  it('gives a combined result in which a metric that throws is null and says why', async () => {
    const pool = createPool(new URL('../../../support/hostile-scoring-worker.js', import.meta.url));
    const [result] = await pool.score([job('1', 'all', 'throw')]);
    await pool.stop();
    assert.ok(result?.ok);
    assert.deepEqual(result.metrics, {
      text_metrics: {
        created_at: '1970-01-01T00:00:01.000000Z',
        'prompt.lexicon_count': null,
        unavailable: 'The calculation failed: this metric throws',
      },
      text_sentiment: { created_at: '1970-01-01T00:00:01.000000Z', 'prompt.sentiment_lexicon': 0.5 },
    });
  });
});
