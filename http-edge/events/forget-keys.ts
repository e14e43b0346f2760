import { reasonOf } from '../../runtime/errors.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import type { Logger } from '../../runtime/logging.js';
import { ingestBatches } from '../../topics/ingest.js';
import type { BatchView } from '../agent-batches/batch-view.js';

const lookEveryMs = 60_000;

/**
 * Removes expired Idempotency-Keys from the compacted topic, and so from every edge's store. Each edge does
 * this; if two remove the same key, that is harmless. The names of keys contain the day, so none of them is
 * used again.
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

/** Removes all expired keys, a page of the view at a time. */
export async function forgetExpired(
  view: Pick<BatchView, 'expired' | 'last'>,
  appender: Pick<Appender, 'append'>,
  stopping: AbortSignal,
): Promise<void> {
  for (let keys = view.expired(); keys.length > 0 && !stopping.aborted; keys = view.expired()) {
    await appender.append(keys.map((key) => ({ topic: ingestBatches.name, key, value: null })));
    // Without this wait, the view would return the same keys again.
    await Promise.all(keys.map((key) => view.last(key)));
  }
}
