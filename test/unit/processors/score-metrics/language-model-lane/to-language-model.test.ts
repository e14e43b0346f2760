import assert from 'node:assert/strict';
import { toLanguageModel } from '../../../../../processors/score-metrics/language-model-lane/to-language-model.js';
import { type IncomingRecord, drop, emit, record } from '../../../../../runtime/processor.js';
import type { ScoringRequest } from '../../../../../schemas/generated/scoring-request.js';
import { scoringRequestsRealtime as lane } from '../../../../../topics/scoring.js';

const context = { signal: new AbortController().signal };

function request(id: string, metric: string): IncomingRecord<ScoringRequest> {
  const value = { id, metric, prompt: 'p', response: null } as unknown as ScoringRequest;
  return { topic: 't', partition: 0, offset: 0, key: id, value, appendedAt: 0 };
}

describe('passing on to the lane of the language model', () => {
  const stepped: string[][] = [];
  const step = toLanguageModel(
    (requests) => {
      stepped.push(requests.map(({ key }) => key));
      return Promise.resolve(requests.map(({ key }) => drop(`scored ${key}`)));
    },
    lane,
    ({ id }) => id,
  );

  beforeEach(() => {
    stepped.length = 0;
  });

  it('forwards unchanged requests that need one, and leaves the rest to the scorer, in order', async () => {
    const requests = [
      request('a', 'text_sentiment'),
      request('b', 'all'),
      request('c', 'detected_prompt_injection'),
      request('d', 'detected_pii'),
      request('e', 'no such metric'),
    ];
    const passed = (at: number): unknown =>
      emit(record(lane, requests[at]?.key ?? '', requests[at]?.value as ScoringRequest));
    assert.deepEqual(await step(requests, context), [
      drop('scored a'),
      passed(1),
      passed(2),
      drop('scored d'),
      drop('scored e'),
    ]);
    assert.deepEqual(stepped, [['a', 'd', 'e']]);
  });

  it('does not call the scorer if nothing is left', async () => {
    await step([request('a', 'text_metrics')], context);
    assert.deepEqual(stepped, []);
  });
});
