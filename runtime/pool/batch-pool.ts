import { Piscina } from 'piscina';
import { unlessAborted } from '../backoff.js';
import { TelltaleError } from '../errors.js';
import type { Logger } from '../logging.js';
import type { Metrics } from '../metrics.js';
import { attempt, type Attempt } from './attempt.js';
import type { JobOutcome, WorkerStart } from './batch-worker.js';
import { FairSemaphore } from './fair-semaphore.js';
import { createGate, type GateKeeper } from './native-gate.js';
import { splitIntoBatches, type BatchBounds } from './split.js';

export interface BatchPoolOptions<Job> {
  /** Used in metrics and messages. */
  readonly name: string;
  /** Module of the worker, and the name under which it exports a `batchWorker`. */
  readonly worker: URL;
  readonly handler: string;
  /** Passed to each worker at its start, where `workerSettings()` reads it; must be cloneable. */
  readonly settings?: unknown;
  readonly threads: number;
  /** Whether these threads have a low priority on the machine; Linux only. */
  readonly background?: boolean;
  /** Heap of one worker. */
  readonly heapMegabytes: number;
  readonly batch: BatchBounds;
  /** Jobs that may wait for a worker. */
  readonly queue: number;
  readonly weightOf: (job: Job) => number;
  /** Groups that wait are served round robin; all jobs are of one group unless given. */
  readonly groupOf?: (job: Job) => string;
  /** Milliseconds after which a job counts as hanging. */
  readonly limitMsOf: (job: Job) => number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Worker threads that take jobs in batches; a job that kills its worker fails alone. */
export interface BatchPool<Job, Answer> {
  /**
   * One outcome for each job, in their order. Rejects only if no job is to blame: with POOL_FULL, with
   * STEP_FAILED (workers don't start), or with the reason of the signal. Work already started is then
   * finished, and its outcome dropped.
   */
  run(jobs: readonly Job[], options?: RunOptions): Promise<readonly JobOutcome<Answer>[]>;
  /** Ends the workers. */
  stop(): Promise<void>;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

/** How often a batch is given to a new worker if none started it. */
const starts = 3;

export function createBatchPool<Job, Answer>(options: BatchPoolOptions<Job>): BatchPool<Job, Answer> {
  const gate = createGate(options.threads);
  const { piscina, broken } = startWorkers(options, gate);
  const idle = new FairSemaphore(options.threads);
  const groupOf = options.groupOf ?? (() => '');
  const losses = options.metrics.counter(
    'telltale_pool_lost_workers_total',
    'Workers lost to a job, by pool and cause (timeout, memory, crash).',
    ['pool', 'cause'],
  );
  let waiting = 0;

  async function begin(jobs: readonly Job[], group: string, signal?: AbortSignal): Promise<Attempt<Answer>> {
    waiting += jobs.length;
    await idle.acquire(group, signal).finally(() => (waiting -= jobs.length));
    try {
      return await attempt<Job, Answer>(piscina, jobs, options.limitMsOf, broken, gate);
    } finally {
      idle.release();
    }
  }

  const lost = ({ cause, reason }: Lost, batch: number): void => {
    losses.inc({ pool: options.name, cause });
    options.logger.warn(
      { event: 'worker-lost-to-job', pool: options.name, cause, reason, batch },
      'a worker thread died while it ran a job',
    );
  };
  const settling = { pool: options.name, begin, lost };

  return {
    async run(jobs, { signal } = {}) {
      signal?.throwIfAborted();
      if (waiting > 0 && waiting + jobs.length > options.queue) {
        throw new TelltaleError('POOL_FULL', { queued: waiting });
      }
      const even = Math.ceil(jobs.length / options.threads);
      const bounds = { ...options.batch, jobs: Math.min(options.batch.jobs, even) };
      const batches = splitIntoBatches(jobs, bounds, options.weightOf, groupOf);
      const outcomes: JobOutcome<Answer>[] = [];
      await Promise.all(
        batches.map(async ({ group, indices }) => {
          const batch = indices.map((index) => jobs[index] as Job);
          const settled = await unlessAborted(settle(settling, batch, group, signal), signal);
          indices.forEach((index, at) => (outcomes[index] = settled[at] as JobOutcome<Answer>));
        }),
      );
      return outcomes;
    },
    async stop() {
      await gate.whileClosed(() => piscina.destroy());
      process.off('exit', gate.closeNow);
    },
  };
}

type Lost = Extract<Attempt<unknown>, { kind: 'lost' }>;

interface Settling<Job, Answer> {
  readonly pool: string;
  begin(jobs: readonly Job[], group: string, signal?: AbortSignal): Promise<Attempt<Answer>>;
  lost(attempt: Lost, jobs: number): void;
}

/** The job that a lost worker was working on is tried again alone, so that it can't fail the others. */
async function settle<Job, Answer>(
  settling: Settling<Job, Answer>,
  jobs: readonly Job[],
  group: string,
  signal?: AbortSignal,
): Promise<readonly JobOutcome<Answer>[]> {
  if (jobs.length === 0) return [];
  let tried = await settling.begin(jobs, group, signal);
  for (let start = 1; tried.kind === 'not begun' && start < starts; start += 1)
    tried = await settling.begin(jobs, group, signal);
  if (tried.kind === 'answered') return tried.outcomes;
  if (tried.kind === 'not begun')
    throw new TelltaleError('STEP_FAILED', { stage: `pool ${settling.pool}`, reason: tried.reason });
  settling.lost(tried, jobs.length);
  const { index, reason } = tried;
  if (jobs.length === 1) return [{ ok: false, reason }];
  const [alone, rest] = await Promise.all([
    settle(settling, jobs.slice(index, index + 1), group, signal),
    settle(settling, jobs.toSpliced(index, 1), group, signal),
  ]);
  return rest.toSpliced(index, 0, ...alone);
}

interface Workers {
  readonly piscina: Piscina;
  /** Aborted, with the error, once workers no longer start: Piscina then gives up without telling its callers. */
  readonly broken: AbortSignal;
}

function startWorkers<Job>(options: BatchPoolOptions<Job>, gate: GateKeeper): Workers {
  process.on('exit', gate.closeNow);
  const piscina = new Piscina({
    filename: options.worker.href,
    name: options.handler,
    workerData: {
      settings: options.settings ?? null,
      gate: gate.shared,
      background: options.background ?? false,
    } satisfies WorkerStart,
    minThreads: options.threads,
    maxThreads: options.threads,
    concurrentTasksPerWorker: 1,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMegabytes },
  });
  const broken = new AbortController();
  // Without this listener, a worker that dies between batches would end this process.
  piscina.on('error', (error: unknown) => {
    options.logger.error(
      { event: 'worker-died', pool: options.name, err: error },
      'a worker thread died while it was idle',
    );
    if (piscina.threads.length === 0) broken.abort(error);
  });
  return { piscina, broken: broken.signal };
}
