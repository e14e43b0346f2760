import type { Admin, Kafka } from 'kafkajs';
import { openTransactionalProducer, type TransactionalProducer } from './transactional-producer.js';

/** A partition taken over: its predecessors are fenced, and this is where its group stands. */
export interface OwnedPartition {
  readonly producer: TransactionalProducer;
  /** The next offset to process. Moved only after the transaction that contains it has been committed. */
  next: number;
}

export interface OwnershipOptions {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly groupId: string;
  readonly topic: string;
  /** Makes the consumer read on from here; whatever it fetched before is dropped. */
  readonly seek: (partition: number, offset: number) => void;
}

/** The partitions that this process owns since the group's last rebalance. */
export interface Ownership {
  /** Forgets everything: after a rebalance each partition is taken over anew, even one that stayed. */
  reset(): void;
  /** Takes the partition over, once; concurrent callers share it. */
  of(partition: number): Promise<OwnedPartition>;
  /** Gives up what `of` gave: its last transaction has an unknown outcome. The next `of` settles it. */
  giveUp(partition: number, taken: Promise<OwnedPartition>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Takes partitions over in the one safe order: fence, then read the committed offset, then seek. Read before fencing,
 * the offset of a predecessor's open transaction would be missed; OffsetFetch is not "require stable" in kafkajs, and
 * only after the fence is there no open transaction left to wait for.
 */
export function partitionOwnership({ kafka, admin, groupId, topic, seek }: OwnershipOptions): Ownership {
  const owned = new Map<number, Promise<OwnedPartition>>();

  const takeOver = async (partition: number): Promise<OwnedPartition> => {
    const producer = await openTransactionalProducer(kafka, `${groupId}.${topic}.${partition}`);
    try {
      const next = await committedOffset(admin, groupId, topic, partition);
      seek(partition, next);
      return { producer, next };
    } catch (error) {
      await producer.discard();
      throw error;
    }
  };

  const discard = async (taken: Promise<OwnedPartition>): Promise<void> => {
    const partition = await taken.catch(() => undefined);
    await partition?.producer.discard();
  };

  return {
    reset() {
      const former = [...owned.values()];
      owned.clear();
      // A run that still works with one of these finds its transaction refused, and drops what it did.
      for (const taken of former) void discard(taken);
    },
    of(partition) {
      const present = owned.get(partition);
      if (present !== undefined) return present;
      const taken = takeOver(partition);
      owned.set(partition, taken);
      taken.catch(() => {
        if (owned.get(partition) === taken) owned.delete(partition);
      });
      return taken;
    },
    async giveUp(partition, taken) {
      if (owned.get(partition) === taken) owned.delete(partition);
      await discard(taken);
    },
    async close() {
      const former = [...owned.values()];
      owned.clear();
      await Promise.all(former.map(discard));
    },
  };
}

async function committedOffset(
  admin: Admin,
  groupId: string,
  topic: string,
  partition: number,
): Promise<number> {
  const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const offset = Number(committed?.partitions.find((found) => found.partition === partition)?.offset ?? -1);
  const ends = await admin.fetchTopicOffsets(topic);
  const logStart = Number(ends.find((found) => found.partition === partition)?.low ?? 0);
  // Nothing committed yet, or retention has overtaken the group: the log's start is the first record there is.
  return Math.max(offset, logStart);
}
