import type Cluster from 'kafkajs/src/cluster/index.js';
import type { ProducerIdentity } from 'kafkajs/src/cluster/index.js';
import { pause } from '../../backoff.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { connectWithRetry, turned } from '../client/cluster.js';
import { isPassing } from '../protocol/protocol-error.js';
import { RecordSender } from './record-sender.js';
import type { EncodedRecord } from './records.js';

/** A producer of which Kafka takes each record once. After any rejection it must not be used any more. */
export interface IdempotentProducer {
  send(records: readonly EncodedRecord[], retryForMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Rejects where Kafka can't be reached, or gives no identity now. */
export async function openIdempotentProducer(access: KafkaAccess): Promise<IdempotentProducer> {
  const cluster = await connectWithRetry('append', access);
  const close = (): Promise<void> => cluster.disconnect().catch(() => undefined);
  try {
    const { producerId, producerEpoch } = await identityFrom(cluster);
    const sender = new RecordSender(cluster, { producerId: BigInt(producerId), producerEpoch });
    return { send: (records, retryForMs) => sender.send(records, retryForMs), close };
  } catch (error) {
    void close();
    throw error;
  }
}

/**
 * Any broker gives one, once the controller has told it which ones it may give. One that still waits for a controller which hangs
 * can't, for as long as its own request to that takes: so all are asked in turn.
 */
async function identityFrom(cluster: Cluster): Promise<ProducerIdentity> {
  const deadline = performance.now() + retryForMs;
  for (;;) {
    try {
      await cluster.refreshMetadataIfNecessary();
      const [nodeId = ''] = turned(cluster.brokerPool.getNodeIds());
      const broker = await cluster.findBroker({ nodeId });
      return await broker.initProducerId({});
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error;
      await pause(pauseMs);
    }
  }
}

/** Longer than a broker waits for a controller that has stopped to answer (`controller.socket.timeout.ms`, 30 s). */
const retryForMs = 45_000;
const pauseMs = 20;
