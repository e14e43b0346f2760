import { reasonOf } from '../../errors.js';
import type { AssignedBatch } from './assigned-batch.js';

const heartbeatEveryMs = 200;

/**
 * Keeps the group membership alive while `work` runs. A heartbeat that fails (a rebalance, an outage) aborts the
 * signal, and is thrown where the work was dropped: the library rejoins the group only when it sees the error itself.
 */
export async function whileHeartbeating<Result>(
  { heartbeat }: Pick<AssignedBatch, 'heartbeat'>,
  work: (signal: AbortSignal) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const abort = new AbortController();
  let failure: Error | undefined;
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      failure ??= error instanceof Error ? error : new Error(reasonOf(error));
      abort.abort();
    });
  }, heartbeatEveryMs);
  try {
    const result = await work(abort.signal);
    if (failure !== undefined && result === undefined) throw failure;
    return result;
  } finally {
    clearInterval(timer);
  }
}
