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
  /** All partitions of the topic may be worked on at the same time. */
  readonly partitions: number;
  readonly fetch: {
    readonly maxWaitTimeInMs: number;
    readonly minBytes?: number;
    readonly maxBytesPerPartition?: number;
    readonly maxBytes?: number;
  };
  /** After so long without a sign of life its partitions are given to others. */
  readonly sessionTimeoutMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Ends the process: the group stands still, or an error that nobody knows. */
  readonly fatal: (error: TelltaleError) => void;
  /** This member's partitions since a rebalance. */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /**
   * The library has read past `first` to `last` by itself and shows none of it: control records and aborted ones. Whoever
   * keeps a position of its own has to follow, or would take what comes next for a skip.
   */
  readonly onPassedOver: (partition: number, first: number, last: number) => void;
  /** The consumer fails and starts again by itself; `onAssigned` follows. */
  readonly onCrash: () => void;
}

/** A member of a consumer group that commits by itself, never the library, and that outlives any outage. */
export interface GroupConsumer {
  /** Where the group stands now, as the coordinator says. */
  readonly position: (partition: number) => Promise<GroupPosition>;
  readonly watch: LagWatch;
  seek(partition: number, offset: number): void;
  run(eachBatch: (batch: AssignedBatch) => Promise<void>): Promise<void>;
  /** Stops fetching and waits for the batches under way; `whileStopped` then runs before the connections close. */
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
