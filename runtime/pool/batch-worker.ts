import { platform, setPriority } from 'node:os';
import { workerData } from 'piscina';
import { reasonOf } from '../errors.js';
import { hasLoaded, passGate, type PassGate } from './native-gate.js';
import { Progress } from './progress.js';

/** The outcome of one job: its answer, or why there is none. */
export type JobOutcome<Answer> =
  { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly reason: string };

/** The message to a worker. */
export interface Batch<Job> {
  readonly jobs: readonly Job[];
  readonly progress: SharedArrayBuffer;
}

/** The worker's side of a batch pool: export the result under the name that the pool was given. */
export function batchWorker<Job, Answer>(
  answer: (job: Job) => Answer | Promise<Answer>,
): (batch: Batch<Job>) => Promise<readonly JobOutcome<Answer>[]> {
  return async ({ jobs, progress }) => {
    const own = new Progress(progress);
    const outcomes: JobOutcome<Answer>[] = [];
    for (const [index, job] of jobs.entries()) {
      own.begin(index);
      try {
        outcomes.push({ ok: true, answer: await answer(job) });
      } catch (error) {
        outcomes.push({ ok: false, reason: `The calculation failed: ${reasonOf(error)}` });
      }
    }
    return outcomes;
  };
}

/** What a pool passes to its workers at their start. */
export interface WorkerStart {
  readonly settings: unknown;
  readonly gate: SharedArrayBuffer;
  readonly background: boolean;
}

/** The nice value of a background thread: it gets a seventieth of a processor that another thread wants. */
const backgroundNiceness = 19;

const start = workerData as WorkerStart | null;
if (start !== null) hasLoaded(start.gate);

// On Linux a nice value belongs to a thread; elsewhere it belongs to the process, which has other threads.
if (start?.background === true && platform() === 'linux') setPriority(backgroundNiceness);

/** In a worker: the `settings` of its pool, or null. */
export function workerSettings(): unknown {
  return (workerData as WorkerStart).settings;
}

/** In a worker: the gate that every call of native code must pass. */
export function workerGate(): PassGate {
  return passGate((workerData as WorkerStart).gate);
}
