import type { Topic } from '../../../topics/topic.js';
import type { Codec } from '../../codec.js';
import { reasonOf, TelltaleError } from '../../errors.js';
import type { Condition } from '../../health.js';
import type { Metrics } from '../../metrics.js';
import { pause } from '../../backoff.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { logEnd, logStart, type LogAccess } from '../consume/log-access.js';
import { connectLog, startPartitionReader, type PartitionReader } from '../consume/partition-reader.js';
import { lastingReaderWaitMs, type Delivery } from '../consume/read-from-broker.js';
import {
  type PartitionCheckpoint,
  type ViewChange,
  type ViewTarget,
  reasonToRebuild,
} from './view-target.js';
import type { AppliedPositions } from './view-positions.js';

export interface CompactedViewOptions<Value> {
  readonly topic: Topic<Value>;
  readonly codec: Codec<Value>;
  readonly target: ViewTarget<Value>;
  readonly kafka: KafkaAccess;
  /** Met once the view has read up to the log end at the time of its start. */
  readonly condition: Condition;
  readonly metrics: Metrics;
  /** How long `upToDate` waits, milliseconds. */
  readonly timeoutMs?: number;
}

/** Finds the starting point, then reads forever; undefined if it was stopped before it could start. */
export async function followTopic<Value>(
  options: CompactedViewOptions<Value>,
  log: LogAccess,
  positions: AppliedPositions,
  onCaughtUp: () => void,
  stopped: AbortSignal,
): Promise<PartitionReader | undefined> {
  const { topic, target, kafka, condition } = options;
  const goals = await begin(options, log, positions, stopped);
  if (goals === undefined) return undefined;
  const checkProgress = (): void => {
    let missing = 0;
    for (const [id, goal] of goals) {
      const rest = goal - (positions.of(id)?.position ?? 0);
      if (rest <= 0) goals.delete(id);
      else missing += rest;
    }
    if (goals.size === 0) {
      condition.met();
      onCaughtUp();
    } else condition.unmet(`${missing} offsets of ${topic.name} are still to be read`);
  };
  checkProgress();
  const decode = decoderOf(options);
  return startPartitionReader({
    topic: topic.name,
    log,
    logger: kafka.logger,
    metrics: options.metrics,
    maxWaitMs: lastingReaderWaitMs,
    from: new Map([...positions.entries()].map(([id, { restartAt }]) => [id, restartAt])),
    async deliver(deliveries) {
      const news = deliveries.filter(
        ({ partition, position }) => position !== positions.of(partition)?.position,
      );
      if (news.length === 0) return;
      const changes = await decode(news);
      const reached = new Map(positions.entries());
      for (const delivery of news)
        reached.set(delivery.partition, checkpointOf(delivery, reached.get(delivery.partition)));
      await target.apply(changes, {
        clusterId: log.clusterId,
        topic: topic.name,
        savedAt: Date.now(),
        partitions: Object.fromEntries(reached),
      });
      // Only now, because callers that wait for a position read the data right after.
      for (const { partition } of news) positions.set(partition, reached.get(partition) ?? unread);
      if (goals.size > 0) checkProgress();
    },
  });
}

/** Sets `positions` to where reading starts. Returns the present log ends; undefined if stopped first. */
async function begin<Value>(
  options: CompactedViewOptions<Value>,
  log: LogAccess,
  positions: AppliedPositions,
  stopped: AbortSignal,
): Promise<Map<number, number> | undefined> {
  const { topic, kafka } = options;
  while (await connectLog(log, kafka.logger, stopped)) {
    try {
      const start = await startingPoint(options, log, log.partitions);
      const goals = await log.offsets(new Map(log.partitions.map((id) => [id, logEnd])));
      for (const [id, at] of start) positions.set(id, at);
      return stopped.aborted ? undefined : new Map(goals);
    } catch (error) {
      kafka.logger.warn(
        { event: 'view-not-started', topic: topic.name, reason: reasonOf(error) },
        'the view cannot start yet; trying again',
      );
      await pause(200, stopped);
    }
  }
  return undefined;
}

const unread: PartitionCheckpoint = { position: 0, restartAt: 0, lastTimestamp: null };

/** The checkpoint of a target after a delivery. */
export function checkpointOf(
  { position, restartAt, latestTimestamp }: Delivery,
  before: PartitionCheckpoint | undefined,
): PartitionCheckpoint {
  const latest = Math.max(latestTimestamp ?? -Infinity, before?.lastTimestamp ?? -Infinity);
  return { position, restartAt, lastTimestamp: latest === -Infinity ? null : latest };
}

/** Where to start reading these partitions into the target. Empties a target that does not fit the log. */
export async function startingPoint<Value>(
  { topic, target, kafka: { logger } }: Pick<CompactedViewOptions<Value>, 'topic' | 'target' | 'kafka'>,
  log: LogAccess,
  partitions: readonly number[],
): Promise<Map<number, PartitionCheckpoint>> {
  const checkpoint = target.checkpoint();
  const rebuild = await reasonToRebuild(checkpoint, topic.name, log, Date.now());
  const starts = await log.offsets(new Map(partitions.map((id) => [id, logStart])));
  if (rebuild !== undefined) {
    logger.info(
      { event: 'view-rebuilt', topic: topic.name, reason: rebuild },
      'the view is built from the start of the topic',
    );
    await target.clear();
  }
  const kept = rebuild === undefined ? checkpoint?.partitions : undefined;
  return new Map(
    partitions.map((id) => {
      const start = starts.get(id) ?? 0;
      return [id, kept?.[id] ?? { position: start, restartAt: start, lastTimestamp: null }];
    }),
  );
}

/** Counts and skips records that can't be decoded. Rejects while the registry is down; the reader retries. */
export function decoderOf<Value>({
  topic,
  codec,
  kafka: { logger },
  metrics,
}: Pick<CompactedViewOptions<Value>, 'topic' | 'codec' | 'kafka' | 'metrics'>) {
  const undecodable = metrics.counter(
    'telltale_view_undecodable_records_total',
    'Records of compacted topics that a view could not decode.',
    ['topic'],
  );
  return async (deliveries: readonly Delivery[]): Promise<ViewChange<Value>[]> => {
    const changes: ViewChange<Value>[] = [];
    for (const { partition, records } of deliveries) {
      for (const { key, value, offset } of records) {
        if (key === null) continue;
        try {
          const decoded = value === null ? null : codec.decode(value);
          changes.push({
            key: key.toString(),
            value: decoded instanceof Promise ? await decoded : decoded,
            offset,
          });
        } catch (error) {
          if (!(error instanceof TelltaleError) || error.code !== 'RECORD_UNDECODABLE') throw error;
          undecodable.inc({ topic: topic.name });
          logger.error(
            { event: 'view-record-skipped', topic: topic.name, partition, offset, reason: error.message },
            'a record was skipped',
          );
        }
      }
    }
    return changes;
  };
}
