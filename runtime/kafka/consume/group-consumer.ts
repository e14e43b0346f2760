import type { Consumer } from 'kafkajs';
import type { TelltaleError } from '../../errors.js';
import type { Logger } from '../../logging.js';
import type { Metrics } from '../../metrics.js';
import { createKafka } from '../client/client.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { assignedBatch, type AssignedBatch } from './assigned-batch.js';
import { readGroupPosition, type GroupPosition } from './group-position.js';
import { watchLag, type LagWatch } from './lag-watch.js';
import { openLastingConsumer } from './lasting-consumer.js';

export interface GroupConsumerOptions {
  readonly kafka: KafkaAccess;
  readonly groupId: string;
  readonly topic: string;
  /** How many partitions of the topic may be processed at the same time: all. */
  readonly partitions: number;
  readonly fetch: {
    readonly maxWaitTimeInMs: number;
    readonly minBytes?: number;
    readonly maxBytesPerPartition?: number;
    readonly maxBytes?: number;
  };
  /** After this long without a record, fetches wait longer, and for the first record alone; never unless given. */
  readonly idleAfterMs?: number;
  /** The group assigns the partitions of a member that has been silent for this long to others. */
  readonly sessionTimeoutMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Ends the process: where the group does not move, or after an unknown error. */
  readonly fatal: (error: TelltaleError) => void;
  /** This member's partitions after a rebalance. */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /**
   * The library has read from `first` to `last` by itself and delivers none of it: control records and aborted ones. A
   * caller with a position of its own has to follow, or would take the next records for a skip.
   */
  readonly onPassedOver: (partition: number, first: number, last: number) => void;
  /** The consumer fails and restarts by itself; `onAssigned` follows. */
  readonly onCrash: () => void;
}

/** A member of a consumer group that survives any outage, and whose caller commits, not the library. */
export interface GroupConsumer {
  /** The present position of the group, from the coordinator. */
  readonly position: (partition: number) => Promise<GroupPosition>;
  readonly watch: LagWatch;
  seek(partition: number, offset: number): void;
  run(eachBatch: (batch: AssignedBatch) => Promise<void>): Promise<void>;
  /** Stops fetching and waits for the batches under way; then runs `whileStopped` before the connections close. */
  stop(whileStopped: () => Promise<void> | void): Promise<void>;
}

export async function openGroupConsumer(options: GroupConsumerOptions): Promise<GroupConsumer> {
  const { groupId, topic, logger } = options;
  const admin = createKafka(options.kafka).admin();
  await admin.connect();
  const { consumer, run, stop } = openLastingConsumer(options);
  const watch = watchLag({ admin, groupId, topic, logger, metrics: options.metrics, fatal: options.fatal });
  listen(consumer, watch, options);
  return {
    position: (partition) => readGroupPosition(admin, { groupId, topic }, partition),
    watch,
    seek: (partition, offset) => consumer.seek({ topic, partition, offset: String(offset) }),
    run: (eachBatch) =>
      run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: options.partitions,
        eachBatch: (payload) => eachBatch(assignedBatch(payload)),
      }),
    async stop(whileStopped) {
      watch.stop();
      await stop();
      await whileStopped();
      await consumer.disconnect();
      await admin.disconnect();
    },
  };
}

function listen(
  consumer: Consumer,
  watch: LagWatch,
  { groupId, topic, logger, onAssigned, onPassedOver }: GroupConsumerOptions,
): void {
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const partitions = [...(payload.memberAssignment[topic] ?? [])].sort((a, b) => a - b);
    watch.assigned(partitions);
    logger.info({ event: 'partitions-assigned', groupId, topic, partitions }, 'partitions assigned');
    onAssigned(partitions);
  });
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    if (payload.batchSize > 0) return;
    const last = Number(payload.lastOffset);
    watch.skippedTo(payload.partition, last + 1);
    onPassedOver(payload.partition, Number(payload.firstOffset), last);
  });
}
