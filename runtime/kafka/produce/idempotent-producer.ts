import type Cluster from 'kafkajs/src/cluster/index.js';
import type { ProducerIdentity } from 'kafkajs/src/cluster/index.js';
import { pause } from '../../backoff.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { connectWithRetry, turned } from '../client/cluster.js';
import { isPassing } from '../protocol/protocol-error.js';
import { RecordSender, type SendProgress } from './record-sender.js';
import type { EncodedRecord } from './records.js';

/** A producer of which Kafka takes each record once. After any rejection it must not be used any more. */
export interface IdempotentProducer {
  /** May be called again before an earlier one has ended, once that has stalled, for records that do not wait. */
  send(records: readonly EncodedRecord[], retryForMs: number, progress?: SendProgress): Promise<void>;
  /** Some records are sent again until a leader takes them. */
  readonly isStalled: boolean;
  /** Whether a record has to wait for one that is sent again. */
  waits(record: EncodedRecord): boolean;
  /** No broker is left that answers. */
  readonly isSilent: boolean;
  close(): Promise<void>;
}

/** Rejects where Kafka can't be reached, or gives no identity now. */
export async function openIdempotentProducer(access: KafkaAccess): Promise<IdempotentProducer> {
  const cluster = await connectWithRetry('append', access);
  const closing = new AbortController();
  const close = (): Promise<void> => {
    closing.abort();
    return cluster.disconnect().catch(() => undefined);
  };
  try {
    const { producerId, producerEpoch } = await identityFrom(cluster);
    const identity = { producerId: BigInt(producerId), producerEpoch };
    const sender = new RecordSender(cluster, identity, undefined, closing.signal);
    return {
      send: (records, retryForMs, progress) => sender.send(records, retryForMs, progress),
      get isStalled() {
        return sender.isStalled;
      },
      waits: (record) => sender.waits(record),
      get isSilent() {
        return sender.isSilent;
      },
      close,
    };
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
