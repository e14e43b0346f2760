import assert from 'node:assert/strict';
import { LiveCalls } from '../../../../../processors/score-metrics/replay/live-calls.js';
import { portionsOf } from '../../../../../processors/score-metrics/replay/score-portion.js';
import type { Processor } from '../../../../../runtime/processor.js';

describe('a replay of scoring during live work', () => {
  it('learns of calls as they are taken', async () => {
    const calls = new LiveCalls();
    assert.equal(calls.areArriving, false);
    const lane = { name: 'lane', step: () => Promise.resolve([]) } as unknown as Processor<string>;
    await calls.of(lane).step([], { signal: new AbortController().signal });
    assert.equal(calls.areArriving, true);
  });

  it('has portions as large as the load allows', () => {
    let most = 2;
    const parts: number[] = [];
    for (const part of portionsOf(
      [1, 2, 3, 4, 5, 6],
      () => 1,
      () => most,
    )) {
      parts.push(part.length);
      most = 4;
    }
    assert.deepEqual(parts, [2, 4]);
  });
});
