import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../../runtime/errors.js';
import type { Logger } from '../../../runtime/logging.js';
import { logsAreThere } from '../tail/logs-there.js';
import type { Ledger } from './ledger.js';

const dayMs = 86_400_000;

export interface TidyOptions {
  readonly ledger: Ledger;
  /** The names of the pages of the endpoints in the present integration.json. */
  readonly endpoints: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Removes from the ledger what is no longer needed: at once, and every day until the signal is aborted. */
export async function keepTidy(options: TidyOptions, signal: AbortSignal): Promise<void> {
  const { ledger, endpoints, now, logger } = options;
  while (!signal.aborted) {
    try {
      await ledger.forgetGone(endpoints, logsAreThere, now());
    } catch (error) {
      logger.warn(
        { event: 'ledger-not-tidied', reason: reasonOf(error) },
        'the ledger of slow logs could not be cleaned up; next attempt tomorrow',
      );
    }
    await sleep(dayMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
