import type { Clock } from '../../../runtime/clock.js';
import { Backoff, pause } from '../../../runtime/backoff.js';
import { reasonOf } from '../../../runtime/errors.js';
import type { Logger } from '../../../runtime/logging.js';
import type { Scorer } from '../../../schemas/generated/scorer.js';
import type { ScorerDescription } from './describe-scorers.js';

export interface ReportScorersOptions {
  readonly describe: (signal: AbortSignal) => Promise<readonly ScorerDescription[]>;
  /** Resolves once the records are durable. */
  readonly append: (scorers: readonly Scorer[]) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long after a report the metrics are described again, because an endpoint can come or go. */
  readonly everyMs?: number;
}

/**
 * Reports the metrics of this installation at the start, and whenever they have changed. A failure is retried
 * and stops nothing.
 */
export function reportScorers({ describe, append, clock, logger, everyMs = 60_000 }: ReportScorersOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = (): boolean => signal.aborted;
  let reported: readonly string[] = [];
  const report = async (): Promise<void> => {
    const found = await describe(signal);
    const texts = found.map((scorer) => JSON.stringify(scorer));
    const changed = found.filter((_, at) => texts[at] !== reported[at]);
    if (changed.length === 0 || signal.aborted) return;
    await append(changed.map((scorer) => ({ ...scorer, reported_at: clock() })));
    reported = texts;
  };
  const work = async (): Promise<void> => {
    const backoff = new Backoff(Math.min(250, everyMs), everyMs);
    while (!stopped()) {
      try {
        await report();
        backoff.succeeded();
        await pause(everyMs, signal);
      } catch (error) {
        if (stopped()) return;
        logger.warn(
          { event: 'scorers-not-reported', reason: reasonOf(error) },
          'the scorers could not be reported; trying again',
        );
        await pause(backoff.next(), signal);
      }
    }
  };
  const working = work();
  return {
    stop: () => {
      stopping.abort();
      return working;
    },
  };
}
