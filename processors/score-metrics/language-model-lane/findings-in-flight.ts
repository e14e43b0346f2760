import { setMaxListeners } from 'node:events';
import { TelltaleError } from '../../../runtime/errors.js';
import { FairSemaphore } from '../../../runtime/pool/fair-semaphore.js';
import type { ScoringJob } from '../scoring-job.js';
import type { FindingLimits, Found } from './find-with-language-model.js';

/**
 * Questions to the language model that are in progress, by request. They outlive the step that started them,
 * but not the process.
 */
export interface FindingsInFlight {
  /**
   * The work on a request: starts it, unless it is in progress or done. `deadlineMs` is called when it
   * starts. Rejects with LLM_ABANDONED after `stop`.
   */
  of(job: ScoringJob, deadlineMs: () => number): Promise<Found>;
  /** The result is emitted, or no longer needed: the next `of` starts again. */
  forget(id: string): void;
  stop(): void;
}

export interface FindingsInFlightOptions {
  readonly find: (job: ScoringJob, limits: FindingLimits) => Promise<Found>;
  /** How many requests are processed at the same time. If more wait, workspaces take turns. */
  readonly atOnce: number;
  readonly now: () => number;
}

/** How long a result is kept if nobody collects it because its record has moved to another process. */
const keptMs = 60_000;

export function createFindingsInFlight({ find, atOnce, now }: FindingsInFlightOptions): FindingsInFlight {
  const stopping = new AbortController();
  // Every question of every request listens to it; Node takes more than ten listeners for a leak.
  setMaxListeners(Infinity, stopping.signal);
  const semaphore = new FairSemaphore(atOnce);
  const inFlight = new Map<string, { readonly found: Promise<Found>; settledAtMs?: number }>();

  const work = async (job: ScoringJob, deadlineMs: () => number): Promise<Found> => {
    await semaphore.acquire(job.workspace, stopping.signal);
    try {
      return await find(job, { deadlineMs: deadlineMs(), signal: stopping.signal });
    } finally {
      semaphore.release();
    }
  };
  const sweep = (): void => {
    for (const [id, { settledAtMs }] of inFlight) {
      if (settledAtMs !== undefined && now() - settledAtMs > keptMs) inFlight.delete(id);
    }
  };
  const begin = (job: ScoringJob, deadlineMs: () => number): Promise<Found> => {
    sweep();
    const found = work(job, deadlineMs);
    const entry: { readonly found: Promise<Found>; settledAtMs?: number } = { found };
    inFlight.set(job.id, entry);
    // Callers handle the failure; here it only ends the work.
    const settled = (): void => {
      entry.settledAtMs = now();
    };
    found.then(settled, settled);
    return found;
  };

  return {
    of: (job, deadlineMs) => inFlight.get(job.id)?.found ?? begin(job, deadlineMs),
    forget: (id) => void inFlight.delete(id),
    stop: () => {
      stopping.abort(new TelltaleError('LLM_ABANDONED'));
    },
  };
}
