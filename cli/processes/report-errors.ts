import { pause } from '../../runtime/backoff.js';
import { systemClock, type Clock } from '../../runtime/clock.js';
import type { Codec } from '../../runtime/codec.js';
import { reasonOf } from '../../runtime/errors.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import type { ProcessReport } from '../../schemas/generated/process-report.js';
import { processReports } from '../../topics/processes.js';
import type { RoleContext } from '../role.js';
import { errorsSoFar, type ReportingRole } from './counted-errors.js';

export interface ReportErrorsOptions {
  readonly role: ReportingRole;
  readonly processId: string;
  readonly appender: Pick<Appender, 'append'>;
  readonly codec: Codec<ProcessReport>;
  readonly everyMs?: number;
  /** Errors of the last minute are counted from the totals of this many reports ago. */
  readonly reportsPerMinute?: number;
  readonly clock?: Clock;
}

/**
 * Reports regularly how many errors each stage of this process had in the last minute, from the counters in
 * its metrics. A report that fails is skipped.
 */
export function startErrorReports(
  { metrics, logger, lifecycle }: Pick<RoleContext, 'metrics' | 'logger' | 'lifecycle'>,
  options: ReportErrorsOptions,
): void {
  const {
    role,
    processId,
    appender,
    codec,
    everyMs = 15_000,
    reportsPerMinute = 4,
    clock = systemClock,
  } = options;
  const stopped = new AbortController();
  let earlier: ReadonlyMap<string, number>[] = [];
  const report = async (): Promise<void> => {
    const total = await errorsSoFar(role, metrics);
    const [before] = earlier;
    earlier = [...earlier, total].slice(-reportsPerMinute);
    const errors = [...total].map(([stage, count]) => [stage, count - (before?.get(stage) ?? 0)] as const);
    const value = codec.encode({
      process_id: processId,
      role,
      reported_at: clock(),
      errors: Object.fromEntries(errors),
    });
    await appender.append([{ topic: processReports.name, key: processId, value }]);
  };
  const work = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await report().catch((error: unknown) => {
        logger.debug({ event: 'errors-not-reported', reason: reasonOf(error) }, 'a report was skipped');
      });
      await pause(everyMs, stopped.signal);
    }
  };
  const working = work();
  lifecycle.register({
    name: 'reports of errors',
    stop: () => {
      stopped.abort();
      return working;
    },
  });
}
