import { sinkGroup } from './group-ids.js';
import { z } from 'zod';
import { positiveInteger } from './config.js';
import type { TelltaleError } from './errors.js';
import type { Condition } from './health.js';
import type { Appender } from './kafka/produce/appender.js';
import type { KafkaAccess } from './kafka/client/kafka-access.js';
import { openGroupConsumer } from './kafka/consume/group-consumer.js';
import type { Logger } from './logging.js';
import type { Metrics } from './metrics.js';
import type { WriterSchemas } from './registry/writer-schemas.js';
import type { Sink } from './sink.js';
import { Assignments } from './sink/assignments.js';
import { eachBatch } from './sink/each-batch.js';
import { PartitionLost, type SinkEnvironment } from './sink/environment.js';
import { PartitionRests } from './sink/partition-rests.js';
import { sinkMetrics } from './sink/sink-metrics.js';
import { acquirePartition } from './sink/acquire-partition.js';

export const sinkConfig = z.object({
  SINK_BATCH_ROWS: positiveInteger(20_000).describe('Maximum number of records per insert.'),
  SINK_BATCH_BYTES: positiveInteger(16 * 1024 * 1024).describe(
    'Maximum number of bytes per insert, exceeded by one record at most.',
  ),
  SINK_MAX_WAIT_MS: positiveInteger(500).describe('Maximum time that a single record waits for others.'),
  SINK_BUSY_WAIT_MS: positiveInteger(2_000).describe(
    'How long a record waits for others when there are many, so that inserts are few and large.',
  ),
});

type SinkConfig = z.output<typeof sinkConfig>;

export interface SinkLoopOptions {
  readonly kafka: KafkaAccess;
  readonly schemas: WriterSchemas;
  readonly clickhouse: SinkEnvironment['clickhouse'];
  /** Appends to `<topic>.dead-letters`. */
  readonly deadLetters: Pick<Appender, 'append'>;
  readonly config: SinkConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Met while the sink is a member of its group. */
  readonly condition: Condition;
  /** The consumer group; `sinkGroup` of the sink by default. */
  readonly groupId?: string;
  /** After a member has been silent for this long, the group assigns its partitions to others. */
  readonly sessionTimeoutMs: number;
  /** Ends the process: an unknown error, no progress, or another process with its name in the group. */
  readonly fatal: (error: TelltaleError) => void;
}

export interface RunningSink {
  stop(): Promise<void>;
}

/**
 * A range ends with its fetch, and an insert costs ClickHouse tens of milliseconds before its first row. So a
 * fetch may return a whole range from each of a few partitions, rather than a little from many.
 */
const fetchBytes = { enough: 1024 * 1024, partition: 16 * 1024 * 1024, all: 32 * 1024 * 1024 } as const;

/** How long a stopping sink waits for answers to its inserts: less than the process has to stop. */
const lastWorkMs = 4_000;

/** Runs a sink: each record of its topic is stored in its table, once. See sink/partition-sink.ts. */
export async function startSink(sink: Sink, options: SinkLoopOptions): Promise<RunningSink> {
  const { kafka, logger, config, condition, metrics } = options;
  const groupId = options.groupId ?? sinkGroup(sink);
  const topic = sink.from.name;
  const group = await openGroupConsumer({
    kafka,
    groupId,
    topic,
    partitions: sink.from.partitions,
    fetch: {
      minBytes: fetchBytes.enough,
      maxWaitTimeInMs: config.SINK_MAX_WAIT_MS,
      maxBytesPerPartition: fetchBytes.partition,
      maxBytes: fetchBytes.all,
    },
    // Partitions without records rest no longer than this; after a rest they wait for the fetch in progress.
    idleAfterMs: config.SINK_BUSY_WAIT_MS,
    sessionTimeoutMs: options.sessionTimeoutMs,
    metrics,
    fatal: options.fatal,
    onAssigned(partitions) {
      assignments.begin(partitions);
      condition.met();
    },
    onSkipped: (partition, first, last) => assignments.passOver(partition, first, last),
    onCrash: () => condition.unmet('Kafka is unavailable'),
  });
  const [stopping, abandoned] = [new AbortController(), new AbortController()];
  const environment: SinkEnvironment = {
    sink,
    schemas: options.schemas,
    clickhouse: options.clickhouse,
    deadLetters: options.deadLetters,
    groupId,
    limits: { records: config.SINK_BATCH_ROWS, bytes: config.SINK_BATCH_BYTES },
    logger,
    metrics: sinkMetrics(metrics, sink.name),
    progressed: () => group.watch.progressed(),
    stopping: stopping.signal,
    abandoned: abandoned.signal,
  };
  const assignments = new Assignments(environment, (partition, assignment) =>
    acquirePartition(environment, group, partition, assignment),
  );
  const rests = new PartitionRests(
    { busyMs: config.SINK_BUSY_WAIT_MS, fetchMs: 2 * config.SINK_MAX_WAIT_MS },
    { now: () => performance.now(), after: (ms, action) => void setTimeout(action, ms).unref() },
  );
  await group.run((batch) =>
    eachBatch(batch, environment, assignments, {
      fatal: options.fatal,
      seek: (partition, offset) => group.seek(partition, offset),
      logStart: async (partition) => (await group.position(partition)).logStart,
      rests,
    }),
  );
  return {
    async stop() {
      stopping.abort();
      const patience = setTimeout(() => abandoned.abort(new PartitionLost()), lastWorkMs);
      await group.stop(() => assignments.end());
      clearTimeout(patience);
    },
  };
}
