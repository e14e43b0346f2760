import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createGate } from '../../../../runtime/pool/native-gate.js';

/** A thread that passes the gate for as long as it is told, and says when it went in and out. */
const source = (module: string): string => `
  import { parentPort, workerData } from 'node:worker_threads';
  import { passGate } from '${module}';
  const pass = passGate(workerData);
  parentPort.on('message', (ms) => {
    void pass(async () => {
      parentPort.postMessage('in');
      await new Promise((done) => setTimeout(done, ms));
      parentPort.postMessage('out');
    });
  });`;

function startThread(gate: SharedArrayBuffer): Worker {
  const module = new URL('../../../../runtime/pool/native-gate.js', import.meta.url).href;
  const code = new URL(`data:text/javascript,${encodeURIComponent(source(module))}`);
  return new Worker(code, { workerData: gate });
}

describe('the gate to native code', () => {
  const threads: Worker[] = [];
  const thread = (gate: SharedArrayBuffer): Worker => {
    const started = startThread(gate);
    threads.push(started);
    return started;
  };
  afterEach(() => Promise.all(threads.splice(0).map((each) => each.terminate())));

  it('is closed only once nobody is inside', async () => {
    const gate = createGate();
    const inside = thread(gate.shared);
    const said: unknown[] = [];
    inside.on('message', (message) => said.push(message));
    inside.postMessage(200);
    await once(inside, 'message');
    await gate.whileClosed(() => void said.push('closed'));
    assert.deepEqual(said, ['in', 'out', 'closed']);
  });

  it('keeps out who comes while it is closed, and lets them in after', async () => {
    const gate = createGate();
    const waiting = thread(gate.shared);
    await once(waiting, 'online');
    const said: unknown[] = [];
    waiting.on('message', (message) => said.push(message));
    await gate.whileClosed(async () => {
      waiting.postMessage(0);
      await sleep(300);
      assert.deepEqual(said, []);
    });
    while (said.length < 2) await once(waiting, 'message');
    assert.deepEqual(said, ['in', 'out']);
  });

  it('waits for those inside at the end of the process, without giving up the thread', async () => {
    const gate = createGate();
    const inside = thread(gate.shared);
    inside.postMessage(200);
    await once(inside, 'message');
    const before = performance.now();
    gate.closeNow();
    assert.ok(performance.now() - before > 50);
  });

  it('closes once after another for several who ask at the same time', async () => {
    const gate = createGate();
    let closed = 0;
    await Promise.all(
      [1, 2, 3].map(() =>
        gate.whileClosed(async () => {
          assert.equal(++closed, 1);
          await sleep(10);
          closed--;
        }),
      ),
    );
  });
});
