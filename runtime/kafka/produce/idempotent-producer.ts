import type Cluster from 'kafkajs/src/cluster/index.js';
import type { ProducerIdentity } from 'kafkajs/src/cluster/index.js';
import { pause } from '../../backoff.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { connectWithRetry } from '../client/cluster.js';
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

/** Any broker gives one, once it has been told by the controller which ones it may give. */
async function identityFrom(cluster: Cluster): Promise<ProducerIdentity> {
  const deadline = performance.now() + retryForMs;
  for (;;) {
    try {
      const broker = await cluster.brokerPool.findConnectedBroker();
      return await broker.initProducerId({});
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error;
      await pause(pauseMs);
    }
  }
}

const retryForMs = 12_000;
const pauseMs = 20;
