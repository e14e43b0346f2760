import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createGate, hasLoaded } from '../../../../runtime/pool/native-gate.js';

/** A thread that stays inside the gate for a requested time, and shows when it enters and leaves. */
const source = (module: string): string => `
  import { parentPort, workerData } from 'node:worker_threads';
  import { passGate } from '${module}';
  const pass = passGate(workerData.gate);
  const inside = new Int32Array(workerData.inside);
  parentPort.on('message', (ms) => {
    void pass(async () => {
      Atomics.store(inside, 0, 1);
      parentPort.postMessage('in');
      await new Promise((done) => setTimeout(done, ms));
      Atomics.store(inside, 0, 0);
      parentPort.postMessage('out');
    });
  });`;

interface Thread {
  readonly worker: Worker;
  /** Read from shared memory, because the thread's messages can arrive late. */
  readonly isInside: () => boolean;
}

function startThread(gate: SharedArrayBuffer): Thread {
  const module = new URL('../../../../runtime/pool/native-gate.js', import.meta.url).href;
  const code = new URL(`data:text/javascript,${encodeURIComponent(source(module))}`);
  const inside = new SharedArrayBuffer(4);
  const worker = new Worker(code, { workerData: { gate, inside } });
  return { worker, isInside: () => Atomics.load(new Int32Array(inside), 0) === 1 };
}

describe('the gate to native code', () => {
  const threads: Worker[] = [];
  const thread = (gate: SharedArrayBuffer): Thread => {
    const started = startThread(gate);
    threads.push(started.worker);
    return started;
  };
  afterEach(() => Promise.all(threads.splice(0).map((each) => each.terminate())));

  it('is closed only once nobody is inside', async () => {
    const gate = createGate();
    const { worker, isInside } = thread(gate.shared);
    worker.postMessage(200);
    await once(worker, 'message');
    let insideWhileClosed: boolean | undefined;
    await gate.whileClosed(() => void (insideWhileClosed = isInside()));
    assert.equal(insideWhileClosed, false);
  });

  it('keeps out threads that come while it is closed, and lets them in afterwards', async () => {
    const gate = createGate();
    const { worker: waiting } = thread(gate.shared);
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

  it('is closed only once every thread has loaded its modules', async () => {
    const gate = createGate(2);
    let isClosed = false;
    const closing = gate.whileClosed(() => void (isClosed = true));
    hasLoaded(gate.shared);
    await sleep(50);
    assert.equal(isClosed, false);
    hasLoaded(gate.shared);
    await closing;
    assert.equal(isClosed, true);
  });

  it('is not held open by a thread that replaces another', async () => {
    const gate = createGate(1);
    for (let thread = 0; thread < 3; thread += 1) hasLoaded(gate.shared);
    let isClosed = false;
    await gate.whileClosed(() => void (isClosed = true));
    assert.equal(isClosed, true);
  });

  it('waits synchronously for those inside at the end of the process', async () => {
    const gate = createGate();
    const { worker, isInside } = thread(gate.shared);
    worker.postMessage(200);
    await once(worker, 'message');
    gate.closeNow();
    assert.equal(isInside(), false);
  });

  it('closes for one caller after another if several ask at the same time', async () => {
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
