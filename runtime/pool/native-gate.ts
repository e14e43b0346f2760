import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Prevents threads from being ended inside native code, because some native modules (onnxruntime-node) then
 * end the whole process. So does Node 20 if a thread is ended while it links its modules: a thread counts as
 * inside until it has loaded them. A thread passes the gate before it calls such a module and leaves it
 * afterwards. The owner of the threads closes the gate before it ends some, waits until no thread is inside,
 * and opens it again for the others.
 */
export interface GateKeeper {
  /** The memory that threads share. */
  readonly shared: SharedArrayBuffer;
  /** Runs `act` while no thread is in native code, and none can enter. */
  whileClosed(act: () => void | Promise<void>): Promise<void>;
  /** Closes the gate permanently and blocks until no thread is inside. For the end of the process. */
  readonly closeNow: () => void;
}

/** A thread's side: runs native code inside the gate. */
export type PassGate = <Value>(native: () => Promise<Value>) => Promise<Value>;

const inside = 0;
const closed = 1;
/** Threads that are still loading their modules. */
const loading = 2;
const cells = 3;
/** Native calls take some 50 ms; a call that takes longer than this counts as hanging and can be ended. */
const longestMs = 5_000;
/** A thread that is told to end does so at its next step: it gets this time before others may enter again. */
const endingMs = 100;

/** `threads` threads are starting, and each will call `hasLoaded`. */
export function createGate(threads = 0): GateKeeper {
  const shared = new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT);
  const gate = new Int32Array(shared);
  Atomics.store(gate, loading, threads);
  let last: Promise<void> = Promise.resolve();

  async function closeWhile(act: () => void | Promise<void>): Promise<void> {
    Atomics.store(gate, closed, 1);
    try {
      for (let waited = 0; busyCell(gate) !== undefined && waited < longestMs; waited += 5) await sleep(5);
      await act();
      await sleep(endingMs);
    } finally {
      Atomics.store(gate, closed, 0);
      Atomics.notify(gate, closed);
    }
  }

  return {
    shared,
    whileClosed(act) {
      const done = last.then(() => closeWhile(act));
      last = done.catch(() => undefined); // its caller gets the error; the next one is unaffected
      return done;
    },
    closeNow: () => {
      Atomics.store(gate, closed, 1);
      const until = Date.now() + longestMs;
      for (;;) {
        const cell = busyCell(gate);
        if (cell === undefined || Date.now() >= until) return;
        Atomics.wait(gate, cell, Atomics.load(gate, cell), until - Date.now());
      }
    },
  };
}

const busyCell = (gate: Int32Array): number | undefined =>
  [inside, loading].find((cell) => Atomics.load(gate, cell) > 0);

/** Called by a thread once its modules are linked. Changes nothing for a replacement: it was not counted. */
export function hasLoaded(shared: SharedArrayBuffer): void {
  const gate = new Int32Array(shared);
  for (;;) {
    const left = Atomics.load(gate, loading);
    if (left === 0 || Atomics.compareExchange(gate, loading, left, left - 1) === left) break;
  }
  Atomics.notify(gate, loading);
}

/** The gate as a thread sees it. A thread is inside at most once, because it awaits its call there. */
export function passGate(shared: SharedArrayBuffer): PassGate {
  const gate = new Int32Array(shared);
  return async (native) => {
    enter(gate);
    try {
      return await native();
    } finally {
      leave(gate);
    }
  };
}

function enter(gate: Int32Array): void {
  for (;;) {
    Atomics.wait(gate, closed, 1); // returns at once if it is open
    Atomics.add(gate, inside, 1);
    if (Atomics.load(gate, closed) === 0) return;
    leave(gate); // closed meanwhile
  }
}

function leave(gate: Int32Array): void {
  Atomics.sub(gate, inside, 1);
  Atomics.notify(gate, inside);
}
