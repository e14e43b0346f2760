import { reasonOf } from '../../runtime/errors.js';
import type { Appender } from '../../runtime/kafka/appender.js';
import type { Logger } from '../../runtime/logging.js';
import { ingestBatches } from '../../topics/ingest.js';
import type { BatchView } from '../agent/batch-view.js';

const lookEveryMs = 60_000;

/**
 * Takes Idempotency-Keys that are good no more out of the compacted topic, and so out of every edge's store. Each edge
 * does it: a key that two of them forget is forgotten. The names hold the day, so none of them comes again.
 */
export function startForgettingKeys(
  view: Pick<BatchView, 'expired'>,
  appender: Pick<Appender, 'append'>,
  logger: Logger,
): { stop(): Promise<void> } {
  let forgetting: Promise<void> = Promise.resolve();
  const forget = async (): Promise<void> => {
    const keys = view.expired();
    if (keys.length > 0)
      await appender.append(keys.map((key) => ({ topic: ingestBatches.name, key, value: null })));
  };
  const timer = setInterval(() => {
    forgetting = forgetting.then(forget).catch((error: unknown) => {
      logger.warn({ reason: reasonOf(error) }, 'old Idempotency-Keys could not be forgotten');
    });
  }, lookEveryMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await forgetting;
    },
  };
}
