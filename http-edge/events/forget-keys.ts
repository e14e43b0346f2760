import { reasonOf } from '../../runtime/errors.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import type { Logger } from '../../runtime/logging.js';
import { ingestBatches } from '../../topics/ingest.js';
import type { BatchView } from '../agent/batch-view.js';

const lookEveryMs = 60_000;

/**
 * Takes Idempotency-Keys that are good no more out of the compacted topic, and so out of every edge's store. Each edge
 * does it: a key that two of them forget is forgotten. The names hold the day, so none of them comes again.
 */
export function startForgettingKeys(
  view: Pick<BatchView, 'expired' | 'last'>,
  appender: Pick<Appender, 'append'>,
  logger: Logger,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let forgetting: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    forgetting = forgetting
      .then(() => forgetExpired(view, appender, stopping.signal))
      .catch((error: unknown) => {
        logger.warn(
          { event: 'idempotency-keys-not-purged', reason: reasonOf(error) },
          'old Idempotency-Keys could not be forgotten',
        );
      });
  }, lookEveryMs).unref();
  return {
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await forgetting;
    },
  };
}

/** Forgets all that can be forgotten now, as many keys at a time as the view gives. */
export async function forgetExpired(
  view: Pick<BatchView, 'expired' | 'last'>,
  appender: Pick<Appender, 'append'>,
  stopping: AbortSignal,
): Promise<void> {
  for (let keys = view.expired(); keys.length > 0 && !stopping.aborted; keys = view.expired()) {
    await appender.append(keys.map((key) => ({ topic: ingestBatches.name, key, value: null })));
    // Until the view has seen it, it would give the same keys again.
    await Promise.all(keys.map((key) => view.last(key)));
  }
}
