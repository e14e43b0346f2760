import assert from 'node:assert/strict';
import { TelltaleError } from '../../../../../runtime/errors.js';
import type { Found } from '../../../../../processors/score-metrics/language-model-lane/find-with-language-model.js';
import {
  createFindingsInFlight,
  type FindingsInFlight,
} from '../../../../../processors/score-metrics/language-model-lane/findings-in-flight.js';
import type { ScoringJob } from '../../../../../processors/score-metrics/scoring-job.js';

const job = (id: string): ScoringJob => ({ id, workspace: 'w', metric: 'all', prompt: 'p', response: null });
const found: Found = { findings: {} };
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('findings in flight', () => {
  let begun: string[];
  let finish: Map<string, (value: Found) => void>;
  let nowMs: number;
  let inFlight: FindingsInFlight;

  const withWidth = (atOnce: number): FindingsInFlight =>
    createFindingsInFlight({
      atOnce,
      now: () => nowMs,
      find: ({ id }, { signal }) => {
        begun.push(id);
        return new Promise((resolve, reject) => {
          finish.set(id, resolve);
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
      },
    });

  beforeEach(() => {
    begun = [];
    finish = new Map();
    nowMs = 0;
    inFlight = withWidth(10);
  });

  it('are worked on once, however often they are asked for', async () => {
    const first = inFlight.of(job('a'), () => 1);
    const again = inFlight.of(job('a'), () => 1);
    await soon();
    finish.get('a')?.(found);
    assert.deepEqual([await first, await again, await inFlight.of(job('a'), () => 1)], [found, found, found]);
    assert.deepEqual(begun, ['a']);
  });

  it('are worked on again once they were forgotten', async () => {
    void inFlight.of(job('a'), () => 1);
    await soon();
    inFlight.forget('a');
    void inFlight.of(job('a'), () => 1);
    await soon();
    assert.deepEqual(begun, ['a', 'a']);
  });

  it('wait for their turn, and their deadline counts from then', async () => {
    inFlight = withWidth(1);
    const asked: number[] = [];
    const deadline = (): number => asked.push(nowMs);
    void inFlight.of(job('a'), deadline);
    void inFlight.of(job('b'), deadline);
    await soon();
    assert.deepEqual(begun, ['a']);
    nowMs = 500;
    finish.get('a')?.(found);
    await soon();
    assert.deepEqual(begun, ['a', 'b']);
    assert.deepEqual(asked, [0, 500]);
  });

  it('are not kept forever if nobody collects them', async () => {
    void inFlight.of(job('moved'), () => 1);
    await soon();
    finish.get('moved')?.(found);
    await soon();
    nowMs = 60_001;
    void inFlight.of(job('other'), () => 1);
    void inFlight.of(job('moved'), () => 1);
    await soon();
    assert.deepEqual(begun, ['moved', 'other', 'moved']);
  });

  it('are abandoned when the process stops, even while they wait for their turn', async () => {
    inFlight = withWidth(1);
    const working = inFlight.of(job('a'), () => 1);
    const waiting = inFlight.of(job('b'), () => 1);
    await soon();
    inFlight.stop();
    for (const asked of [working, waiting]) {
      await assert.rejects(
        asked,
        (error) => error instanceof TelltaleError && error.code === 'LLM_ABANDONED',
      );
    }
  });
});
