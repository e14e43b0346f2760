import type { Metrics } from '../../metrics.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import type { GroupPosition } from '../consume/group-consumer.js';
import { AcquiredPartitions } from '../consume/assigned-partition.js';
import { openTransactionalProducer, type TransactionalProducer } from './transactional-producer.js';

/** An acquired partition: its predecessors are fenced, and its group's position is known. */
interface OwnedPartition {
  readonly producer: TransactionalProducer;
  /** The next offset to process. It moves only after the transaction that contains it is committed. */
  next: number;
}

interface OwnershipOptions {
  readonly kafka: KafkaAccess;
  /** The group's position in a partition. */
  readonly position: (partition: number) => Promise<GroupPosition>;
  readonly groupId: string;
  readonly topic: string;
  /** The topics that its transactions write to. */
  readonly writes: readonly string[];
  readonly metrics: Metrics;
  /** Makes the consumer read from here; records that it fetched before are dropped. */
  readonly seek: (partition: number, offset: number) => void;
}

/** The partitions that this process owns since the group's last rebalance. */
export interface Ownership {
  /**
   * Forgets everything: after a rebalance each partition is acquired again, even one that stayed. Returns a
   * signal that the next reset aborts.
   */
  reset(): AbortSignal;
  /** Acquires the partition, once; concurrent callers share it. */
  of(partition: number): Promise<OwnedPartition>;
  /** Releases the result of `of` after a transaction whose outcome is unknown. The next `of` settles it. */
  release(partition: number, acquired: Promise<OwnedPartition>): Promise<void>;
  /**
   * Skips the offsets `first` to `last`, which have nothing for this group. Ignores a partition that is not
   * acquired yet: acquiring it seeks anyway.
   */
  passOver(partition: number, first: number, last: number): void;
  close(): Promise<void>;
}

/**
 * Acquires partitions in the one safe order: fence, then read the committed offset, then seek. An offset that
 * is read before the fence would miss one in a predecessor's open transaction: kafkajs sends OffsetFetch
 * without "require stable", and only after the fence is there no open transaction left.
 */
export function partitionOwnership(options: OwnershipOptions): Ownership {
  const { kafka, groupId, topic, seek } = options;
  const owned = new AcquiredPartitions<OwnedPartition>();
  let assignment = new AbortController();
  const removed = options.metrics.counter(
    'telltale_consumer_removed_offsets_total',
    'Offsets that retention removed before the group had read them.',
    ['group', 'topic'],
  );

  const acquire = async (partition: number): Promise<OwnedPartition> => {
    const producer = await openTransactionalProducer(kafka, `${groupId}.${topic}.${partition}`, {
      topics: options.writes,
      groupId,
    });
    try {
      const { committed, logStart } = await options.position(partition);
      // Nothing is committed yet, or retention has deleted the committed offset: the log's start is the first record
      // there is.
      const next = Math.max(committed, logStart);
      if (committed >= 0 && next > committed) {
        removed.inc({ group: groupId, topic }, next - committed);
        kafka.logger.error(
          { event: 'unread-records-expired', groupId, topic, partition, committed, logStart },
          'retention has removed records that this group had not read: raise the retention of the topic, or add processors',
        );
      }
      seek(partition, next);
      return { producer, next };
    } catch (error) {
      await producer.discard();
      throw error;
    }
  };

  const discard = async (acquired: Promise<OwnedPartition>): Promise<void> => {
    const partition = await acquired.catch(() => undefined);
    await partition?.producer.discard();
  };

  return {
    reset() {
      assignment.abort();
      assignment = new AbortController();
      // If a run still uses one of these, its transaction is refused, and it drops its results.
      for (const acquired of owned.forgetAll()) void discard(acquired);
      return assignment.signal;
    },
    of: (partition) => owned.of(partition, () => acquire(partition)),
    async release(partition, acquired) {
      owned.forget(partition, acquired);
      await discard(acquired);
    },
    passOver(partition, first, last) {
      const acquired = owned.present(partition);
      if (acquired !== undefined && first <= acquired.next && last >= acquired.next) acquired.next = last + 1;
    },
    async close() {
      assignment.abort();
      await Promise.all(owned.forgetAll().map(discard));
    },
  };
}
