import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, type Launch } from '../running-process.js';

/**
 * Whether the broker that wrote this folder was killed: the folder has topics, and not the file of a clean stop
 * (Kafka's CleanShutdownFileHandler).
 */
export function wasKilled(dataFolder: string): boolean {
  return (
    existsSync(dataFolder) &&
    !existsSync(join(dataFolder, '.kafka_cleanshutdown')) &&
    readdirSync(dataFolder).some((name) => name.startsWith('__transaction_state-'))
  );
}

export interface Fencing extends Pick<Launch, 'title' | 'logFolder' | 'startMs' | 'stopMs'> {
  /** Starts Kafka as a controller alone, over the broker's own metadata. */
  readonly spawn: Launch['spawn'];
}

/**
 * Lets a controller alone fence the broker that was killed, so that every partition is without a leader before the
 * broker is back.
 *
 * Without this, Kafka 4.3.1 as broker and controller in one breaks transactions. It starts out from metadata in which
 * it still leads its partitions, so the transaction coordinator loads at once; then the controller fences the former
 * incarnation, and for a moment nobody leads. Markers that the coordinator sends in this moment it skips for good
 * ("Couldn't find leader endpoint for partitions … likely deleted already"): KRaftMetadataCache.getPartitionLeaderEndpoint
 * answers for a partition without leader as for one that does not exist. A committed transaction then has its marker in
 * some partitions and not in others: its offsets are forgotten, and its records appear with those of the next one.
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
      // An earlier attempt has fenced the broker already, and logs nothing.
      return started !== undefined && Date.now() - started > alreadyFencedMs;
    },
  });
  await controller.stop();
}

/**
 * Fifty times the session's length under which the controller is started: on a busy machine a controller that runs may
 * take seconds to lead and to fence, and one taken to have fenced already lets the broker break transactions. Waited for
 * only where a broker was killed before it led anything.
 */
const alreadyFencedMs = 10_000;
