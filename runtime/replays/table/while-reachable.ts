import { Backoff, pause } from '../../backoff.js';
import { reasonOf, TelltaleError } from '../../errors.js';
import type { Logger } from '../../logging.js';
import type { Sink } from '../../sink.js';

/** Repeats the work until ClickHouse is available for all of it. */
export async function whileReachable(
  { sink, logger }: { readonly sink: Sink; readonly logger: Logger },
  work: () => Promise<void>,
): Promise<void> {
  const backoff = new Backoff(100, 5_000);
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof TelltaleError) || error.code !== 'CLICKHOUSE_UNREACHABLE') throw error;
      logger.warn(
        { event: 'replay-waits', table: sink.table, reason: reasonOf(error) },
        'ClickHouse is unavailable: the replay continues once it is back',
      );
      await pause(backoff.next());
    }
  }
}
