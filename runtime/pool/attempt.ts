import type { Piscina } from 'piscina';
import { reasonOf } from '../errors.js';
import type { Batch, JobOutcome } from './batch-worker.js';
import type { GateKeeper } from './native-gate.js';
import { Progress } from './progress.js';

/** The outcome of a batch that was given to a worker. */
export type Attempt<Answer> =
  | { readonly kind: 'answered'; readonly outcomes: readonly JobOutcome<Answer>[] }
  /** The worker is gone; it was working on this job. */
  | { readonly kind: 'lost'; readonly index: number; readonly cause: LossCause; readonly reason: string }
  /** No worker started the batch, so no job is to blame. */
  | { readonly kind: 'not begun'; readonly reason: string };

type LossCause = 'timeout' | 'memory' | 'crash';

/** A worker that has not started within this time will never start. */
const startLimitMs = 30_000;

/**
 * Gives a batch to a worker; a job that exceeds its limit ends the worker. `broken` is aborted, with the error, once
 * workers no longer start.
 */
export async function attempt<Job, Answer>(
  piscina: Piscina,
  jobs: readonly Job[],
  limitMsOf: (job: Job) => number,
  broken: AbortSignal,
  gate: GateKeeper,
): Promise<Attempt<Answer>> {
  const progress = new Progress();
  const watch = watchOver(progress, (index) => limitMsOf(jobs[index] as Job), gate);
  try {
    const batch: Batch<Job> = { jobs, progress: progress.shared };
    const signal = AbortSignal.any([watch.signal, broken]);
    const outcomes = (await piscina.run(batch, { signal })) as readonly JobOutcome<Answer>[];
    return { kind: 'answered', outcomes };
  } catch (error) {
    const { index } = progress;
    if (index === undefined) return { kind: 'not begun', reason: reasonOf(broken.reason ?? error) };
    return { kind: 'lost', index, ...lossOf(error, watch.overtime) };
  } finally {
    watch.end();
  }
}

function lossOf(error: unknown, overtimeMs: number | undefined): { cause: LossCause; reason: string } {
  if (overtimeMs !== undefined) {
    return { cause: 'timeout', reason: `The calculation took longer than ${overtimeMs} ms.` };
  }
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return { cause: 'memory', reason: 'The calculation took more memory than a worker has.' };
  }
  return { cause: 'crash', reason: `The calculation crashed its worker: ${reasonOf(error)}` };
}

interface Watch {
  readonly signal: AbortSignal;
  /** The limit that was exceeded; undefined until then. */
  readonly overtime: number | undefined;
  end(): void;
}

function watchOver(progress: Progress, limitMsOf: (index: number) => number, gate: GateKeeper): Watch {
  const ending = new AbortController();
  const since = performance.now();
  let overtime: number | undefined;
  const look = (): void => {
    const { index } = progress;
    const limit = index === undefined ? startLimitMs : limitMsOf(index);
    const left = limit - (index === undefined ? performance.now() - since : progress.elapsedMs);
    if (left > 0) {
      // At most a second, so that the long limit of one job does not hide the short one of the next.
      timer = setTimeout(look, Math.min(Math.ceil(left), 1_000));
      return;
    }
    overtime = limit;
    void gate.whileClosed(() => ending.abort());
  };
  let timer = setTimeout(look, 250);
  return {
    signal: ending.signal,
    get overtime() {
      return overtime;
    },
    end: () => clearTimeout(timer),
  };
}
