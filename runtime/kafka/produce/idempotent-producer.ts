import type Cluster from 'kafkajs/src/cluster/index.js';
import type { ProducerIdentity } from 'kafkajs/src/cluster/index.js';
import { pause } from '../../backoff.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { connectWithRetry } from '../client/cluster.js';
import { tryWhilePassing } from '../protocol/kafka-error.js';
import { RecordSender } from './record-sender.js';

/** A producer of which Kafka takes each record once. */
export interface IdempotentProducer {
  /** May send again before an earlier send has ended, once that has stalled, records that do not wait. */
  readonly sender: RecordSender;
  close(): Promise<void>;
}

/** Rejects where Kafka can't be reached, or gives no identity now, and soon after `closed` is aborted. */
export async function openIdempotentProducer(
  access: KafkaAccess,
  closed: AbortSignal,
): Promise<IdempotentProducer> {
  const cluster = await connectWithRetry('append', access, { closed });
  const closing = new AbortController();
  const close = (): Promise<void> => {
    closing.abort();
    return cluster.disconnect().catch(() => undefined);
  };
  try {
    const { producerId, producerEpoch } = await identityFrom(cluster, closed);
    const identity = { producerId: BigInt(producerId), producerEpoch };
    const sender = new RecordSender(cluster, identity, access.logger, closing.signal);
    return { sender, close };
  } catch (error) {
    void close();
    throw error;
  }
}

/**
 * Any broker gives one, once the controller has told it which ones it may give. One that still waits for a controller
 * which hangs can't, for as long as its own request to that takes, and one that hangs itself does not answer: so all are
 * asked in turn.
 */
function identityFrom(cluster: Cluster, closed: AbortSignal): Promise<ProducerIdentity> {
  const ask = async (): Promise<ProducerIdentity> => {
    await cluster.refreshMetadataIfNecessary();
    return cluster.brokerPool.withBroker(({ broker }) => broker.initProducerId({}));
  };
  return tryWhilePassing(ask, { retryForMs, beforeNext: () => pause(pauseMs, closed), closed });
}

/** Longer than a broker waits for a controller that has stopped to answer (`controller.socket.timeout.ms`, 30 s). */
const retryForMs = 45_000;
const pauseMs = 20;
