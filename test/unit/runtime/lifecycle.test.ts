import assert from 'node:assert/strict';
import { stoppedTogether } from '../../../runtime/lifecycle.js';

describe('components that are stopped together', () => {
  it('are told to stop at once, and are all waited for', async () => {
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

  it('are named where they do not stop cleanly, and hold no other up', async () => {
    let isStopped = false;
    const group = stoppedTogether('sinks');
    group.add({ name: 'a', stop: () => Promise.reject(new Error('the broker is away')) });
    group.add({ name: 'b', stop: () => void (isStopped = true) });
    await assert.rejects(group.stop(), /^Error: a: the broker is away$/);
    assert.ok(isStopped);
  });
});
