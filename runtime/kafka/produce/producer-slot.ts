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
 * One idempotent producer with one send in flight: sends overlap only over several slots, or while one waits
 * for a leader's election. After a failed send the outcome is unknown, so the producer is replaced.
 */
export interface ProducerSlot {
  /** Can take a batch now. */
  readonly ready: boolean;
  /** Has no producer, because Kafka has not given it a new one yet. */
  readonly replacing: boolean;
  /** When the send in flight started (`performance.now()`); undefined without one. */
  readonly sendingSince: number | undefined;
  /** Which records wait for a leader; undefined while it has no producer. */
  readonly stall: Stall | undefined;
  /** Resolves once every in-sync replica has the records; rejects if they may or may not be there. */
  send(records: readonly EncodedRecord[], progress?: SendProgress): Promise<void>;
  close(): Promise<void>;
}

interface ProducerSlotOptions {
  readonly access: KafkaAccess;
  /** Called whenever the slot can take a batch again. */
  readonly onReady: () => void;
  /** How long a send is retried, milliseconds. */
  readonly retryForMs?: number;
}

/** Rejects if Kafka can't be reached. */
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

/** Retries until Kafka gives it a producer; undefined if `closed` is aborted first. */
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

/** A producer whose records Kafka appends once each. */
export interface IdempotentProducer {
  /** While a send is stalled, it may also send records for which `waits` is false. */
  readonly sender: RecordSender;
  close(): Promise<void>;
}

/** Rejects if Kafka can't be reached or gives no identity, and soon after `closed` is aborted. */
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
 * Any broker can give an identity, once the controller has told it which ones it may give. A broker that
 * waits for a hung controller can't until its own request to it ends, and a hung broker does not answer. So
 * all are asked in turn.
 */
function identityFrom(cluster: Cluster, closed: AbortSignal): Promise<ProducerIdentity> {
  const ask = async (): Promise<ProducerIdentity> => {
    await cluster.refreshMetadataIfNecessary();
    return cluster.brokerPool.withBroker(({ broker }) => broker.initProducerId({}));
  };
  return tryWhilePassing(ask, { retryForMs, beforeNext: () => pause(pauseMs, closed), closed });
}

/** Longer than a broker waits for a silent controller (`controller.socket.timeout.ms`, 30 s). */
const retryForMs = 45_000;
const pauseMs = 20;
