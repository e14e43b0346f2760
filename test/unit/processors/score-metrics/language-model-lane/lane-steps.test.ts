import assert from 'node:assert/strict';
import { createFindingsInFlight } from '../../../../../processors/score-metrics/language-model-lane/findings-in-flight.js';
import type { Found } from '../../../../../processors/score-metrics/language-model-lane/find-with-language-model.js';
import {
  stepOfCalls,
  stepOfTasks,
  type LaneStepOptions,
} from '../../../../../processors/score-metrics/language-model-lane/lane-steps.js';
import type { LanguageModelFindings } from '../../../../../processors/score-metrics/metrics/language-model/finding.js';
import { type IncomingRecord, drop, retryLater, type StepOutcome } from '../../../../../runtime/processor.js';
import type { ScoringRequest } from '../../../../../schemas/generated/scoring-request.js';
import { scoringRequestsRealtime } from '../../../../../topics/scoring.js';

const context = { signal: new AbortController().signal };

function request(id: string, deadlineMs: number | null = null): IncomingRecord<ScoringRequest> {
  const value: ScoringRequest = {
    id,
    workspace: 'w',
    key_id: 'k',
    metric: 'detected_prompt_injection',
    prompt: 'p',
    response: null,
    accepted_at: 0,
    deadline: deadlineMs === null ? null : deadlineMs * 1_000,
    reply_to: null,
    request_digest: null,
  };
  return { topic: 't', partition: 0, offset: 0, key: id, value, appendedAt: 0 };
}

const finding = (score: number): LanguageModelFindings => ({
  injection: { values: { score, response: '' }, missing: {} },
});
const scored = (id: string, findings: LanguageModelFindings | undefined): StepOutcome =>
  drop(`scored ${id} with ${String(findings?.injection?.values['score'] ?? 'nothing')}`);

describe('the lanes of the language model', () => {
  let begun: string[];
  let find: (id: string) => Promise<Found>;
  let nowMs: number;
  let options: LaneStepOptions;

  beforeEach(() => {
    begun = [];
    find = () => Promise.resolve({ findings: finding(0) });
    nowMs = 0;
    options = {
      inFlight: createFindingsInFlight({
        atOnce: 10,
        now: () => nowMs,
        find: ({ id }) => {
          begun.push(id);
          return find(id);
        },
      }),
      jobOf: ({ id, workspace, prompt, response }) => ({ id, workspace, metric: 'all', prompt, response }),
      score: (requests, findings) =>
        Promise.resolve(requests.map(({ value }) => scored(value.id, findings.get(value.id)))),
      now: () => nowMs,
    };
  });

  describe('tasks', () => {
    const limits = { timeoutMs: 1_000, patienceMs: 10_000 };

    it('are scored with what was found for each, in their order', async () => {
      find = (id) => Promise.resolve({ findings: finding(id === 'a' ? 0 : 1) });
      const step = stepOfTasks(options, limits);
      assert.deepEqual(await step([request('a'), request('b')], context), [
        drop('scored a with 0'),
        drop('scored b with 1'),
      ]);
    });

    it('wait together while the language model is down, and keep what was already found', async () => {
      let away = true;
      find = (id) =>
        Promise.resolve(
          away && id === 'b' ? { findings: {}, outage: 'status 500' } : { findings: finding(1) },
        );
      const step = stepOfTasks(options, limits);
      assert.deepEqual(await step([request('a'), request('b')], context), [
        retryLater('status 500'),
        retryLater('status 500'),
      ]);
      away = false;
      assert.deepEqual(await step([request('a'), request('b')], context), [
        drop('scored a with 1'),
        drop('scored b with 1'),
      ]);
      assert.deepEqual(begun, ['a', 'b', 'b']);
    });

    it('are scored without it once an outage has lasted too long; the next outage is timed from its own start', async () => {
      find = () => Promise.resolve({ findings: {}, outage: 'status 500' });
      const step = stepOfTasks(options, limits);
      assert.deepEqual(await step([request('a')], context), [retryLater('status 500')]);
      nowMs = 10_000;
      assert.deepEqual(await step([request('a')], context), [drop('scored a with nothing')]);
      find = () => Promise.resolve({ findings: finding(0) });
      await step([request('b')], context);
      find = () => Promise.resolve({ findings: {}, outage: 'status 500' });
      assert.deepEqual(await step([request('c')], context), [retryLater('status 500')]);
    });

    it('ask only once even if their scoring has to be retried', async () => {
      const score = options.score;
      let first = true;
      const step = stepOfTasks(
        {
          ...options,
          score: async (...given) => {
            if (!first) return await score(...given);
            first = false;
            return [retryLater('the pool is full')];
          },
        },
        limits,
      );
      assert.deepEqual(await step([request('a')], context), [retryLater('the pool is full')]);
      assert.deepEqual(await step([request('a')], context), [drop('scored a with 0')]);
      assert.deepEqual(begun, ['a']);
    });

    it('are given up when their partition is taken away', async () => {
      find = () => new Promise(() => undefined);
      const taken = new AbortController();
      const stepped = stepOfTasks(options, limits)([request('a')], taken);
      taken.abort();
      assert.equal((await stepped)[0]?.kind, 'retry-later');
    });

    it('are abandoned when the process stops', async () => {
      const stepped = stepOfTasks(
        {
          ...options,
          inFlight: {
            ...options.inFlight,
            of: (...given) => {
              options.inFlight.stop();
              return options.inFlight.of(...given);
            },
          },
        },
        limits,
      )([request('a')], context);
      assert.equal((await stepped)[0]?.kind, 'retry-later');
    });

    it('end the process on an unknown error', async () => {
      find = () => Promise.reject(new TypeError('oops'));
      await assert.rejects(stepOfTasks(options, limits)([request('a')], context), TypeError);
    });
  });

  describe('calls', () => {
    const lane = scoringRequestsRealtime;
    const goesRound = (outcome: StepOutcome | undefined): boolean =>
      outcome?.kind === 'emit' && outcome.records.length === 1 && outcome.records[0]?.topic === lane;

    it('are scored as soon as they are answered, and do not wait for others', async () => {
      find = (id) =>
        id === 'slow' ? new Promise(() => undefined) : Promise.resolve({ findings: finding(0) });
      const slow = request('slow', 30_000);
      const [first, second] = await stepOfCalls(options, lane)([slow, request('fast', 30_000)], context);
      assert.deepEqual(first, {
        kind: 'emit',
        records: [{ topic: lane, key: 'slow', value: slow.value }],
      });
      assert.deepEqual(second, drop('scored fast with 0'));
    });

    it('are requeued while there is no answer, and scored with the answer that was already requested', async () => {
      let answer: (found: Found) => void = () => undefined;
      find = () => new Promise((resolve) => (answer = resolve));
      const step = stepOfCalls(options, lane);
      const [round] = await step([request('a', 30_000)], context);
      assert.ok(goesRound(round));
      answer({ findings: finding(1) });
      assert.deepEqual(await step([request('a', 30_000)], context), [drop('scored a with 1')]);
      assert.deepEqual(begun, ['a']);
    });

    it('are passed to the scorer without asking if they are past their deadline', async () => {
      nowMs = 31_000;
      const outcomes = await stepOfCalls(options, lane)([request('late', 30_000)], context);
      assert.deepEqual(outcomes, [drop('scored late with nothing')]);
      assert.deepEqual(begun, []);
    });

    it('leave time before their deadline for what follows', async () => {
      let deadlineMs = 0;
      options = {
        ...options,
        inFlight: createFindingsInFlight({
          atOnce: 1,
          now: () => nowMs,
          find: (_, limits) => {
            deadlineMs = limits.deadlineMs;
            return Promise.resolve({ findings: {} });
          },
        }),
      };
      await stepOfCalls(options, lane)([request('a', 30_000)], context);
      assert.ok(deadlineMs < 30_000 && deadlineMs > 28_000);
    });

    it('are given up when their partition is taken away', async () => {
      find = () => new Promise(() => undefined);
      const outcomes = await stepOfCalls(options, lane)([request('a', 30_000)], {
        signal: AbortSignal.abort(),
      });
      assert.equal(outcomes[0]?.kind, 'retry-later');
    });
  });
});
