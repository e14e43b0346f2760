import type { Kafka, Producer, TopicMessages, Transaction } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError, reasonOf } from '../errors.js';
import { accessOf } from './client.js';
import { endAgain, type WrittenByTransaction } from './end-again.js';
import type { KafkaAccess } from './kafka-access.js';
import { keyPartitioner } from './key-partitioner.js';
import { protocolErrorOf } from './protocol-error.js';
import type { EncodedRecord } from './records.js';

/** Where the group stands after a transaction: committed with it. */
export interface ConsumedOffset {
  readonly groupId: string;
  readonly topic: string;
  readonly partition: number;
  /** The next offset to read. */
  readonly next: number;
}

/**
 * A producer under one transactional id that has fenced every predecessor. After any rejection the outcome of the
 * transaction is unknown: discard the producer, open another (which fences, and so settles, this one's), and read the
 * committed offset again.
 */
export interface TransactionalProducer {
  /** Appends the records and, with them, commits the offset. Rejects with PRODUCER_FENCED or APPEND_FAILED. */
  commit(records: readonly EncodedRecord[], consumed?: ConsumedOffset): Promise<void>;
  discard(): Promise<void>;
}

const transactionTimeoutMs = 15_000;
const fencedTypes = new Set(['PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_ID_MAPPING']);
/** A group that nobody has used yet has no coordinator for a moment; the library gives up on the first two. */
const coordinatorTypes = new Set([
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'CONCURRENT_TRANSACTIONS',
]);
const coordinatorTries = 20;

/** `written` is where the id's transactions write to: an end of the last one that Kafka has left out is made up for. */
export async function openTransactionalProducer(
  kafka: Kafka,
  id: string,
  written?: WrittenByTransaction,
): Promise<TransactionalProducer> {
  const producer = kafka.producer({
    transactionalId: id,
    idempotent: true,
    maxInFlightRequests: 1,
    transactionTimeout: transactionTimeoutMs,
    allowAutoTopicCreation: false,
    createPartitioner: keyPartitioner,
    retry: { initialRetryTime: 5, maxRetryTime: 500, retries: 8 },
  });
  try {
    // Before the first InitProducerId: with it the coordinator forgets how the last transaction ended.
    if (written !== undefined) await makeUpForLostEnd(kafka, id, written);
    await producer.connect();
    // Only this sends InitProducerId with the transactional id: connect() alone fences nobody.
    await (await producer.transaction()).abort();
  } catch (cause) {
    await disconnect(producer);
    throw failure(id, cause);
  }
  return {
    async commit(records, consumed) {
      try {
        const transaction = await producer.transaction();
        for (const part of inParts(records)) await transaction.sendBatch({ topicMessages: byTopic(part) });
        if (consumed !== undefined) await commitOffset(transaction, consumed);
        await transaction.commit();
      } catch (cause) {
        throw failure(id, cause);
      }
    },
    discard: () => disconnect(producer),
  };
}

async function makeUpForLostEnd(kafka: Kafka, id: string, written: WrittenByTransaction): Promise<void> {
  const access = accessOf(kafka);
  if (access === undefined) return;
  const ended = await endAgain(access, id, written, (what) => tellRefusal(access, what));
  if (ended === undefined) return;
  access.logger.warn({ transactionalId: id, ended }, 'Kafka had left out an end of the last transaction');
}

const toldRefusals = new WeakMap<KafkaAccess, Set<string>>();

/** Once for each thing: there is a producer for every partition. */
function tellRefusal(access: KafkaAccess, what: string): void {
  const told = toldRefusals.get(access) ?? new Set<string>();
  if (told.has(what)) return;
  toldRefusals.set(access, told.add(what));
  access.logger.warn(
    { refused: what },
    'Kafka does not say which transactions are open, so an end that it may have left out is not made up for',
  );
}

async function commitOffset(transaction: Transaction, consumed: ConsumedOffset): Promise<void> {
  const { groupId, topic, partition, next } = consumed;
  for (let tries = 1; ; tries++) {
    try {
      await transaction.sendOffsets({
        consumerGroupId: groupId,
        topics: [{ topic, partitions: [{ partition, offset: String(next) }] }],
      });
      return;
    } catch (error) {
      if (tries === coordinatorTries || !coordinatorTypes.has(protocolErrorOf(error))) throw error;
      await sleep(25);
    }
  }
}

/** What one request takes: brokers refuse a batch of a partition over `max.message.bytes`, and kafkajs never splits one. */
const partBytes = 1024 * 1024;

/** The records in their order, in parts that one request can take; a record that is larger goes alone. */
export function inParts(records: readonly EncodedRecord[]): readonly (readonly EncodedRecord[])[] {
  const parts: EncodedRecord[][] = [];
  let room = 0;
  for (const record of records) {
    const bytes = (record.value?.length ?? 0) + (record.key?.length ?? 0);
    if (parts.length === 0 || bytes > room) {
      parts.push([]);
      room = partBytes;
    }
    parts.at(-1)?.push(record);
    room -= bytes;
  }
  return parts;
}

/** kafkajs's shape of a batch: messages grouped by topic, in their order. The records themselves serve as messages. */
export function byTopic(records: readonly EncodedRecord[]): TopicMessages[] {
  const groups = new Map<string, EncodedRecord[]>();
  for (const record of records) {
    const group = groups.get(record.topic);
    if (group === undefined) groups.set(record.topic, [record]);
    else group.push(record);
  }
  return [...groups].map(([topic, messages]) => ({ topic, messages }));
}

function failure(id: string, cause: unknown): TelltaleError {
  return fencedTypes.has(protocolErrorOf(cause))
    ? new TelltaleError('PRODUCER_FENCED', { id }, { cause })
    : new TelltaleError(
        'APPEND_FAILED',
        { topic: `the transaction of ${id}`, reason: reasonOf(cause) },
        { cause },
      );
}

async function disconnect(producer: Producer): Promise<void> {
  await producer.disconnect().catch(() => undefined);
}
