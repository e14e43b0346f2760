import assert from 'node:assert/strict';
import { scoreMetrics, scoreMetricsRealtime } from '../../../../processors/score-metrics/index.js';
import type { ScoringJobResult, ScoringPool } from '../../../../processors/score-metrics/scoring-job.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import type { IncomingRecord, StepOutcome } from '../../../../runtime/processor.js';
import type { ScoringRequest } from '../../../../schemas/generated/scoring-request.js';

const now = 5_000_000;
const clock = (): number => now;
const context = { signal: new AbortController().signal };

/** Stands in for the pool: returns the answers of `answer`, and records the requested ids. */
function poolThat(answer: (id: string) => ScoringJobResult): ScoringPool & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    score: (jobs) => {
      asked.push(...jobs.map(({ id }) => id));
      return Promise.resolve(jobs.map(({ id }) => answer(id)));
    },
    stop: () => Promise.resolve(),
  };
}

const metrics = {
  text_sentiment: { created_at: '2026-01-01T00:00:00.000000Z', 'prompt.sentiment_lexicon': 0.4 },
};
const patternPlaces = { prompt: { start: 0, end: 4 } };
const scored: ScoringJobResult = {
  ...{ ok: true, metrics, scorerVersions: { text_sentiment: 'v/1' }, patternPlaces },
};
const failed: ScoringJobResult = { ok: false, reason: 'No language model is configured.' };

function request(id: string, more: Partial<ScoringRequest> = {}): IncomingRecord<ScoringRequest> {
  const value: ScoringRequest = {
    id,
    workspace: 'w',
    key_id: 'k',
    metric: 'text_sentiment',
    prompt: 'good',
    response: null,
    accepted_at: 1_000_000,
    deadline: null,
    reply_to: null,
    request_digest: null,
    ...more,
  };
  return { topic: 'scoring.requests', partition: 0, offset: 7, key: id, value, appendedAt: 2_000_000 };
}

const emitted = (outcome: StepOutcome | undefined) => {
  assert.ok(outcome?.kind === 'emit', JSON.stringify(outcome));
  return outcome.records.map(({ topic, key, value }) => ({ topic: topic.name, key, value }));
};

describe('the task lane', () => {
  it('emits the result and the processed status of a task that was scored', async () => {
    const lane = scoreMetrics({ pool: poolThat(() => scored), clock });
    const [outcome] = await lane.step([request('t1', { request_digest: 'd' })], context);
    const result = JSON.stringify({ id: 't1', prompt: 'good', response: null, metrics });
    assert.deepEqual(emitted(outcome), [
      {
        topic: 'scoring.results',
        key: 't1',
        value: {
          ...{ id: 't1', workspace: 'w', key_id: 'k', lane: 'task', metric: 'text_sentiment' },
          ...{ prompt: 'good', response: null, metrics: JSON.stringify(metrics), error: null },
          scorer_versions: { text_sentiment: 'v/1' },
          ...{ accepted_at: 1_000_000, appended_at: 2_000_000, taken_at: now, scored_at: now },
          version: 0,
          pattern_places: patternPlaces,
        },
      },
      {
        topic: 'scoring.task-status',
        key: 't1',
        value: {
          ...{ task_id: 't1', workspace: 'w', metric: 'text_sentiment', status: 'processed' },
          ...{ message: 'The calculation is complete.', result, error: null },
          ...{ accepted_at: 1_000_000, updated_at: now, request_digest: 'd' },
        },
      },
    ]);
  });

  it('emits the failed status and a result with the reason for a task that could not be scored', async () => {
    const lane = scoreMetrics({ pool: poolThat((id) => (id === 'bad' ? failed : scored)), clock });
    const [good, bad] = await lane.step([request('good'), request('bad')], context);
    assert.equal(emitted(good).length, 2);
    const [result, status] = emitted(bad).map(({ value }) => value as Record<string, unknown>);
    assert.deepEqual([result?.['metrics'], result?.['error']], [null, 'No language model is configured.']);
    assert.deepEqual(result?.['pattern_places'], {});
    assert.deepEqual(
      [status?.['status'], status?.['result'], status?.['error']],
      ['failed', null, 'No language model is configured.'],
    );
  });

  it('says that a slow task is being processed', () => {
    const { announce } = scoreMetrics({ pool: poolThat(() => scored), clock });
    const [status] = announce?.records(request('t1')) ?? [];
    assert.equal(status?.key, 't1');
    assert.equal((status.value as Record<string, unknown>)['status'], 'processing');
  });

  it('retries the whole run later if the pool has no room', async () => {
    const full: ScoringPool = {
      score: () => Promise.reject(new TelltaleError('POOL_FULL', { queued: 9 })),
      stop: () => Promise.resolve(),
    };
    const outcomes = await scoreMetrics({ pool: full, clock }).step([request('1'), request('2')], context);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['retry-later', 'retry-later'],
    );
  });

  it('does not hide an unknown error', async () => {
    const broken: ScoringPool = {
      score: () => Promise.reject(new Error('broken')),
      stop: () => Promise.resolve(),
    };
    await assert.rejects(scoreMetrics({ pool: broken, clock }).step([request('1')], context), /broken/);
  });
});

describe('the real-time lane', () => {
  it('answers the edge that waits, and keeps the result', async () => {
    const lane = scoreMetricsRealtime({ pool: poolThat(() => scored), clock });
    const [outcome] = await lane.step([request('c1', { reply_to: 'edge-2', deadline: now + 1 })], context);
    const [result, reply] = emitted(outcome);
    assert.deepEqual([result?.topic, result?.key], ['scoring.results', 'c1']);
    assert.equal((result?.value as Record<string, unknown>)['lane'], 'realtime');
    assert.deepEqual(reply, {
      topic: 'scoring.replies',
      key: 'edge-2',
      value: {
        id: 'c1',
        result: JSON.stringify({ id: 'c1', prompt: 'good', response: null, metrics }),
        error: null,
      },
    });
  });

  it("answers with the reason if a call can't be scored", async () => {
    const lane = scoreMetricsRealtime({ pool: poolThat(() => failed), clock });
    const [outcome] = await lane.step([request('c1', { reply_to: 'edge-2' })], context);
    assert.deepEqual(emitted(outcome)[1]?.value, {
      id: 'c1',
      result: null,
      error: 'No language model is configured.',
    });
  });

  it('drops what is past its deadline before it is scored, and scores the rest', async () => {
    const pool = poolThat(() => scored);
    const requests = [request('late', { deadline: now }), request('timely', { deadline: now + 1 })];
    const [late, timely] = await scoreMetricsRealtime({ pool, clock }).step(requests, context);
    assert.deepEqual(late, { kind: 'drop', reason: 'deadline passed' });
    assert.equal(timely?.kind, 'emit');
    assert.deepEqual(pool.asked, ['timely']);
  });
});
