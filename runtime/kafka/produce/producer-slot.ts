import type Cluster from 'kafkajs/src/cluster/index.js';
import type { ProducerIdentity } from 'kafkajs/src/cluster/index.js';
import { pause, Backoff } from '../../backoff.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { connectWithRetry } from '../client/cluster.js';
import { electionMs, tryWhilePassing } from '../protocol/kafka-error.js';
import { RecordSender, type SendProgress, type Stall } from './record-sender.js';
import { reasonOf } from '../../errors.js';
import type { EncodedRecord } from './appender.js';

/**
 * One idempotent producer, which tries one send at a time: sends overlap over several slots, and pass by one that waits for
 * the election of a leader. After one that failed nobody knows what became of its records, so its producer is thrown away.
 */
export interface ProducerSlot {
  /** Can take a batch now. */
  readonly ready: boolean;
  /** Has no producer, because Kafka gave it none yet; or has waited for an answer since `sendingSince`. */
  readonly replacing: boolean;
  readonly sendingSince: number | undefined;
  /** Which records wait for a leader; undefined while it has no producer. */
  readonly stall: Stall | undefined;
  /** Resolves once every in-sync replica has the records; rejects where they may or may not be there. */
  send(records: readonly EncodedRecord[], progress?: SendProgress): Promise<void>;
  close(): Promise<void>;
}

interface ProducerSlotOptions {
  readonly access: KafkaAccess;
  /** Called whenever the slot can take a batch again. */
  readonly onReady: () => void;
  /** How long a send is tried, milliseconds. */
  readonly retryForMs?: number;
}

/** Rejects where Kafka can't be reached. */
export async function openProducerSlot(options: ProducerSlotOptions): Promise<ProducerSlot> {
  const { access, onReady, retryForMs = electionMs } = options;
  const closing = new AbortController();
  let producer: IdempotentProducer | undefined = await openIdempotentProducer(access, closing.signal);
  let sendingSince: number | undefined;
  let turns = 0;

  const replace = async (spent: IdempotentProducer): Promise<void> => {
    producer = undefined;
    void spent.close();
    const fresh = await openWhenAvailable(access, closing.signal);
    if (closing.signal.aborted) return fresh?.close();
    producer = fresh;
    onReady();
  };

  return {
    get ready() {
      return producer !== undefined && sendingSince === undefined;
    },
    get replacing() {
      return producer === undefined;
    },
    get sendingSince() {
      return sendingSince;
    },
    get stall() {
      return producer?.sender;
    },
    async send(records, progress) {
      if (producer === undefined || sendingSince !== undefined) throw new Error('the slot is not ready');
      const current = producer;
      const turn = ++turns;
      sendingSince = performance.now();
      const endTurn = (): void => {
        if (turns === turn) sendingSince = undefined;
      };
      try {
        await current.sender.send(records, retryForMs, {
          taken: (taken) => progress?.taken(taken),
          stalled() {
            endTurn();
            progress?.stalled();
            onReady();
          },
        });
      } catch (error) {
        if (producer === current) void replace(current);
        throw error;
      } finally {
        endTurn();
      }
    },
    async close() {
      closing.abort();
      await producer?.close();
    },
  };
}

/** Tries until Kafka gives a producer; undefined where `closed` is aborted before. */
async function openWhenAvailable(
  access: KafkaAccess,
  closed: AbortSignal,
): Promise<IdempotentProducer | undefined> {
  const backoff = new Backoff(50, 1_000);
  while (!closed.aborted) {
    try {
      return await openIdempotentProducer(access, closed);
    } catch (error) {
      access.logger.debug({ event: 'producer-not-open', reason: reasonOf(error) }, 'no new producer yet');
      await pause(backoff.next(), closed);
    }
  }
  return undefined;
}

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
