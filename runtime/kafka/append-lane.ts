import type { Kafka, Producer, TopicMessages } from 'kafkajs';
import { reasonOf } from '../errors.js';
import type { Logger } from '../logging.js';
import { Backoff, pause } from '../backoff.js';
import { keyPartitioner } from './key-partitioner.js';

/**
 * One idempotent producer, with one request in flight: kafkajs holds a lock a broker anyway, so that requests only
 * overlap over several lanes.
 *
 * After any failed send its producer is thrown away. kafkajs takes back the sequence numbers of what failed; had the
 * broker appended it all the same, it would take the next records under these numbers for the same ones, confirm
 * them, and drop them (kafkajs/src/producer/sendMessages.js; test/integration/runtime/kafka/append-lane.test.ts).
 */
export interface Lane {
  /** Can take a batch now. */
  readonly ready: boolean;
  /** Has no producer, because Kafka gave it none yet; or has waited for an answer since `sendingSince`. */
  readonly replacing: boolean;
  readonly sendingSince: number | undefined;
  /** Resolves once every in-sync replica has the records; rejects where they may or may not be there. */
  send(topicMessages: TopicMessages[]): Promise<void>;
  close(): Promise<void>;
}

export interface LaneOptions {
  readonly kafka: Kafka;
  readonly logger: Logger;
  /** Called whenever the lane can take a batch again. */
  readonly onReady: () => void;
}

/** Retries inside one send resend the same records under the same numbers, which is safe; they bridge a new leader. */
const retry = { initialRetryTime: 20, maxRetryTime: 400, retries: 6 };
const allReplicasWithinMs = 5_000;

/** Rejects where Kafka can't be reached. */
export async function openLane(options: LaneOptions): Promise<Lane> {
  const { kafka, logger, onReady } = options;
  const closing = new AbortController();
  let producer: Producer | undefined = await openProducer(kafka);
  let sendingSince: number | undefined;

  const replace = async (spent: Producer): Promise<void> => {
    producer = undefined;
    void spent.disconnect().catch(() => undefined);
    const backoff = new Backoff(50, 1_000);
    const attempt = (): Promise<Producer | undefined> =>
      openProducer(kafka).catch((error: unknown) => {
        logger.debug({ reason: reasonOf(error) }, 'no new producer yet');
        return undefined;
      });
    for (let fresh = await attempt(); ; fresh = await attempt()) {
      if (closing.signal.aborted) {
        await fresh?.disconnect();
        return;
      }
      producer = fresh;
      if (fresh !== undefined) break;
      await pause(backoff.next(), closing.signal);
    }
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
    async send(topicMessages) {
      if (producer === undefined || sendingSince !== undefined) throw new Error('the lane is not ready');
      const current = producer;
      sendingSince = performance.now();
      try {
        await current.sendBatch({ acks: -1, timeout: allReplicasWithinMs, topicMessages });
      } catch (error) {
        void replace(current);
        throw error;
      } finally {
        sendingSince = undefined;
      }
    },
    async close() {
      closing.abort();
      await producer?.disconnect();
    },
  };
}

async function openProducer(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({
    idempotent: true,
    retry,
    allowAutoTopicCreation: false,
    createPartitioner: keyPartitioner,
  });
  try {
    await producer.connect();
    return producer;
  } catch (error) {
    void producer.disconnect().catch(() => undefined);
    throw error;
  }
}
