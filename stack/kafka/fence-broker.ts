import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, type Launch } from '../running-process.js';

/**
 * Whether the broker that wrote this folder was killed: the folder has topics, but not the file of a clean
 * stop (Kafka's CleanShutdownFileHandler).
 */
export function wasKilled(dataFolder: string): boolean {
  return (
    existsSync(dataFolder) &&
    !existsSync(join(dataFolder, '.kafka_cleanshutdown')) &&
    readdirSync(dataFolder).some((name) => name.startsWith('__transaction_state-'))
  );
}

export interface Fencing extends Pick<Launch, 'title' | 'logFolder' | 'startMs' | 'stopMs'> {
  /** Starts Kafka as only a controller, with the broker's own metadata. */
  readonly spawn: Launch['spawn'];
}

/**
 * Runs only a controller, which fences the killed broker, so that no partition has a leader when the broker
 * is back.
 *
 * Without this, Kafka 4.3.1 as a combined broker and controller breaks transactions. It starts from metadata
 * in which it still leads its partitions, so the transaction coordinator loads at once. Then the controller
 * fences the former incarnation, and for a moment no broker leads. The coordinator permanently skips the
 * markers that it sends in this moment ("Couldn't find leader endpoint for partitions … likely deleted
 * already"): KRaftMetadataCache.getPartitionLeaderEndpoint answers for a partition without a leader as for
 * one that does not exist. A committed transaction then has its marker in some partitions but not in others:
 * its offsets are forgotten, and its records appear with those of the next one.
 */
export async function fenceKilledBroker(fencing: Fencing): Promise<void> {
  let started: number | undefined;
  const controller = await launch({
    ...fencing,
    name: 'kafka-controller',
    isReady(logged) {
      const log = logged();
      if (log.includes('handleBrokerFenced: changing')) return true;
      if (log.includes('Kafka Server started')) started ??= Date.now();
      // If an earlier attempt has fenced the broker already, nothing is logged.
      return started !== undefined && Date.now() - started > alreadyFencedMs;
    },
  });
  await controller.stop();
}

/**
 * Fifty times the session time-out with which the controller is started. On a busy machine a controller can
 * take seconds to lead and to fence; if it is wrongly taken to have fenced already, the broker breaks
 * transactions. This wait happens only if a broker was killed before it led anything.
 */
const alreadyFencedMs = 10_000;
