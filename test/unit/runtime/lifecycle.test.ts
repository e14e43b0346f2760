import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { createHealth } from '../../../runtime/health.js';
import { createLifecycle, stoppedTogether } from '../../../runtime/lifecycle.js';
import { silentLogger } from '../../../runtime/logging.js';

describe('components that are stopped together', () => {
  it('are all told to stop at the same time, and are all waited for', async () => {
    const told: string[] = [];
    const ended: string[] = [];
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const group = stoppedTogether('sinks');
    for (const name of ['a', 'b'])
      group.add({
        name,
        async stop() {
          told.push(name);
          await held;
          ended.push(name);
        },
      });
    const stopping = group.stop();
    assert.deepEqual(told, ['a', 'b']);
    assert.deepEqual(ended, []);
    release();
    await stopping;
    assert.deepEqual(ended, ['a', 'b']);
  });

  it('are named if they do not stop cleanly, and hold no other up', async () => {
    let isStopped = false;
    const group = stoppedTogether('sinks');
    group.add({ name: 'a', stop: () => Promise.reject(new Error('the broker is away')) });
    group.add({ name: 'b', stop: () => void (isStopped = true) });
    await assert.rejects(group.stop(), /^Error: a: the broker is away$/);
    assert.ok(isStopped);
  });
});

describe('the lifecycle of a process', () => {
  afterEach(() => mock.timers.reset());

  it("abandons what has not stopped in time, but waits as long as a component's settings allow", async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    for (const [maxStopMs, deadlineMs] of [
      [undefined, 10_000],
      [30_000, 32_000],
    ] as const) {
      const lifecycle = createLifecycle({ logger: silentLogger, health: createHealth() });
      const never = new Promise<void>(() => undefined);
      lifecycle.register({
        name: 'listener',
        ...(maxStopMs !== undefined && { maxStopMs }),
        stop: () => never,
      });
      let isOver = false;
      const stopped = lifecycle.stop('the test').then(() => (isOver = true));
      mock.timers.tick(deadlineMs - 1);
      await new Promise(setImmediate);
      assert.equal(isOver, false);
      mock.timers.tick(1);
      await stopped;
    }
  });
});
