import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLiveBrake, type LiveLag } from '../../../../runtime/replays/live-brake.js';
import { until } from '../../../support/until.js';

describe('the brake of a replay', () => {
  const { signal } = new AbortController();
  const lane = { lane: 'telltale.score-metrics', isStopped: false };
  const brakeOf = (
    look: () => Promise<readonly LiveLag[]>,
    areArriving = false,
    waits?: (lag: LiveLag) => void,
  ) => startLiveBrake(look, { areArriving }, waits);

  it('takes small portions and rests only while calls come', async () => {
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

  it("lets no one continue before it has looked, and everyone if it can't look", async () => {
    let fail = (): void => undefined;
    const brake = brakeOf(
      () =>
        new Promise((_, reject) => {
          fail = () => reject(new Error('Kafka is away'));
        }),
    );
    let isFree = false;
    const waiting = brake.wait(signal).then(() => (isFree = true));
    await sleep(200);
    assert.equal(isFree, false);
    fail();
    await waiting;
    brake.stop();
  });

  it('waits while a live lane lags, and continues once it does not', async () => {
    let seconds = 3;
    let looks = 0;
    const brake = brakeOf(() => {
      looks += 1;
      return Promise.resolve([{ ...lane, seconds, mostSeconds: 1 }]);
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

  it('says once what it waits for, and once more if no process of that runs', async () => {
    let isStopped = false;
    let looks = 0;
    const told: LiveLag[] = [];
    const stop = new AbortController();
    const look = (): Promise<readonly LiveLag[]> => {
      looks += 1;
      const behind = { seconds: 7, mostSeconds: 1 };
      return Promise.resolve([
        { ...lane, isStopped, ...behind },
        { lane: 'telltale.sink.events', isStopped: true, seconds: 0, mostSeconds: 1 },
      ]);
    };
    const brake = brakeOf(look, false, (lag) => told.push(lag));
    const waiting = [brake.wait(stop.signal), brake.wait(stop.signal)];
    await until('it has looked twice', () => looks >= 2);
    isStopped = true;
    await until('it has said so', () => told.some((lag) => lag.isStopped));
    stop.abort();
    await Promise.all(waiting);
    brake.stop();
    assert.deepEqual(
      told.map((lag) => [lag.lane, lag.isStopped, lag.seconds]),
      [
        ['telltale.score-metrics', false, 7],
        ['telltale.score-metrics', true, 7],
      ],
    );
  });
});
