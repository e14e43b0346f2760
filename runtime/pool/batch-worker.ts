import { platform, setPriority } from 'node:os';
import { workerData } from 'piscina';
import { reasonOf } from '../errors.js';
import { passGate, type PassGate } from './native-gate.js';
import { Progress } from './progress.js';

/** What became of one job: its answer, or why there is none. */
export type JobOutcome<Answer> =
  { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly reason: string };

/** What goes to a worker. */
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

/** What a pool gives to its workers at their start. */
export interface WorkerStart {
  readonly settings: unknown;
  readonly gate: SharedArrayBuffer;
  readonly background: boolean;
}

/** The nice value of a background thread: it has a tenth of a processor that another thread wants whole. */
const backgroundNiceness = 10;

// On Linux a nice value is a thread's own; elsewhere it is the process's, which has other threads to serve.
if ((workerData as WorkerStart | null)?.background === true && platform() === 'linux')
  setPriority(backgroundNiceness);

/** In a worker: what its pool was given as `settings`, or null. */
export function workerSettings(): unknown {
  return (workerData as WorkerStart).settings;
}

/** In a worker: to be passed by every call of native code that must not be cut off. */
export function workerGate(): PassGate {
  return passGate((workerData as WorkerStart).gate);
}
