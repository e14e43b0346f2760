import assert from 'node:assert/strict';
import { startLiveBrake, type LiveLag } from '../../../../../processors/score-metrics/replay/live-brake.js';
import { LiveCalls } from '../../../../../processors/score-metrics/replay/live-calls.js';
import { portionsOf } from '../../../../../processors/score-metrics/replay/score-portion.js';
import type { Processor } from '../../../../../runtime/processor.js';
import { until } from '../../../../support/until.js';

describe('a replay beside live work', () => {
  const { signal } = new AbortController();
  const brakeOf = (look: () => Promise<readonly LiveLag[]>, areComing = false) =>
    startLiveBrake(look, { areComing });

  it('hears of calls as they are taken', async () => {
    const calls = new LiveCalls();
    assert.equal(calls.areComing, false);
    const lane = { name: 'lane', step: () => Promise.resolve([]) } as unknown as Processor<string>;
    await calls.of(lane).step([], { signal });
    assert.equal(calls.areComing, true);
  });

  it('takes small portions and rests while calls come, and neither else', async () => {
    const [alone, beside] = [brakeOf(() => Promise.resolve([])), brakeOf(() => Promise.resolve([]), true)];
    assert.ok(beside.portion < alone.portion / 5);
    const timed = async (work: Promise<void>): Promise<number> => {
      const began = performance.now();
      await work;
      return performance.now() - began;
    };
    assert.ok((await timed(beside.rest(20, signal))) >= 60);
    assert.ok((await timed(alone.rest(60_000, signal))) < 1_000);
    assert.ok((await timed(beside.rest(60_000, AbortSignal.abort()))) < 1_000);
    for (const brake of [alone, beside]) brake.stop();
  });

  it('waits while a live lane lags, and goes on once it does not', async () => {
    let seconds = 3;
    let looks = 0;
    const brake = brakeOf(() => {
      looks += 1;
      return Promise.resolve([{ seconds, mostSeconds: 1 }]);
    });
    await until('it has looked', () => looks === 1);
    let isFree = false;
    const waiting = brake.wait(signal).then(() => (isFree = true));
    await until('it has looked again', () => looks === 2);
    assert.equal(isFree, false);
    seconds = 0;
    await waiting;
    assert.ok(looks >= 3);
    brake.stop();
  });

  it('has portions as large as the moment allows', () => {
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
