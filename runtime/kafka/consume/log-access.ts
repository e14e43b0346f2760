import type { PartitionMetadata } from 'kafkajs/src/cluster/index.js';
import { TelltaleError } from '../../errors.js';
import { connectCluster, newCluster, logThrottling } from '../client/cluster.js';
import { registerCompressionCodecs } from '../client/client.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { turned } from '../corrections/connections.js';
import { fetchRecords, type FetchedPartition } from '../protocol/fetch-request.js';
import { protocolErrorOf } from '../protocol/kafka-error.js';

/**
 * Access to a topic's log without a consumer group: partition leaders, bounds, and data from any offset.
 * Every method rejects when a broker is unavailable; callers decide how to wait.
 */
export interface LogAccess {
  /** Connects and loads the metadata again; rejects with TOPIC_MISSING if Kafka does not know the topic. */
  refresh(): Promise<void>;
  /** Asks over the existing connections how many partitions the topic has, and which brokers lead them. */
  recount(): Promise<void>;
  readonly clusterId: string;
  readonly partitions: readonly number[];
  hasLeader(partition: number): boolean;
  /** Partitions by the broker that leads them; throws for one without a leader. */
  byLeader(partitions: readonly number[]): ReadonlyMap<string, readonly number[]>;
  /** The offsets at `logStart`, `logEnd` (the high watermark) or milliseconds since 1970 (-1: none). */
  offsets(at: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, number>>;
  fetch(request: FetchRequest): Promise<readonly FetchedPartition[]>;
  close(): Promise<void>;
}

export const logStart = -2;
export const logEnd = -1;

interface FetchRequest {
  readonly leader: string;
  readonly from: ReadonlyMap<number, number>;
  readonly maxWaitMs: number;
  readonly maxBytesPerPartition: number;
}

const readUncommitted = 0;

export function openLog(topic: string, access: KafkaAccess): LogAccess {
  registerCompressionCodecs();
  let cluster = newCluster(topic, access, access.brokers);
  const metadata = (): PartitionMetadata[] => cluster.findTopicPartitionMetadata(topic);

  return {
    async refresh() {
      // A new cluster each time: an old one takes a connection for open even if its other end is gone.
      const fresh = await connectCluster(topic, access, async (connected) => {
        try {
          await connected.addTargetTopic(topic);
        } catch (error) {
          const missing = protocolErrorOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION';
          throw missing ? new TelltaleError('TOPIC_MISSING', { topic }, { cause: error }) : error;
        }
      });
      void cluster.disconnect().catch(() => undefined);
      cluster = fresh;
    },
    recount: () => cluster.refreshMetadata(),
    get clusterId() {
      return cluster.brokerPool.metadata?.clusterId ?? '';
    },
    get partitions() {
      return metadata()
        .map(({ partitionId }) => partitionId)
        .sort((a, b) => a - b);
    },
    hasLeader: (partition) => leaderOf(metadata(), partition) >= 0,
    byLeader: (partitions) => groupByLeader(metadata(), partitions),
    async offsets(at) {
      const groups = [...groupByLeader(metadata(), [...at.keys()])];
      const answers = await Promise.all(
        groups.map(async ([nodeId, partitions]) => {
          const broker = await cluster.findBroker({ nodeId });
          const wanted = partitions.map((partition) => ({
            partition,
            timestamp: at.get(partition) ?? logEnd,
          }));
          return broker.listOffsets({
            isolationLevel: readUncommitted,
            topics: [{ topic, partitions: wanted }],
          });
        }),
      );
      const found = answers.flatMap(({ responses }) => responses.flatMap(({ partitions }) => partitions));
      return new Map(found.map(({ partition, offset }) => [partition, Number(offset)]));
    },
    async fetch({ leader, from, maxWaitMs, maxBytesPerPartition }) {
      const broker = await cluster.findBroker({ nodeId: leader });
      const { partitions, clientSideThrottleTime } = await fetchRecords(broker, {
        topic,
        from: turned([...from]),
        maxWaitMs,
        maxBytes: maxBytesPerPartition * 4,
        maxBytesPerPartition,
      });
      logThrottling(access.logger, 'fetch', clientSideThrottleTime);
      return partitions;
    },
    close: () => cluster.disconnect(),
  };
}

function leaderOf(metadata: readonly PartitionMetadata[], partition: number): number {
  return metadata.find(({ partitionId }) => partitionId === partition)?.leader ?? -1;
}

function groupByLeader(
  metadata: readonly PartitionMetadata[],
  partitions: readonly number[],
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const partition of partitions) {
    const leader = leaderOf(metadata, partition);
    if (leader < 0) throw new Error(`partition ${partition} has no leader at the moment`);
    const group = groups.get(String(leader));
    if (group === undefined) groups.set(String(leader), [partition]);
    else group.push(partition);
  }
  return groups;
}

/**
 * Runs work for each partition; for partitions of one broker, one after another. If two fetches start at
 * once, kafkajs opens a connection for each and closes only one of them.
 */
export async function leaderByLeader<Result>(
  log: Pick<LogAccess, 'byLeader'>,
  partitions: readonly number[],
  work: (leader: string, partition: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = await Promise.all(
    [...log.byLeader(partitions)].map(async ([leader, ids]) => {
      const done: Result[] = [];
      for (const id of ids) done.push(await work(leader, id));
      return done;
    }),
  );
  return results.flat();
}

/** One fetch of one partition; rejects if it can't be read. */
export async function fetchPartition(
  log: LogAccess,
  leader: string,
  {
    partition,
    from,
    maxBytes,
  }: { readonly partition: number; readonly from: number; readonly maxBytes: number },
): Promise<FetchedPartition> {
  const [fetched] = await log.fetch({
    leader,
    from: new Map([[partition, from]]),
    maxWaitMs: 1,
    maxBytesPerPartition: maxBytes,
  });
  if (fetched === undefined || fetched.error !== 0)
    throw new Error(`partition ${partition} cannot be read (error ${fetched?.error ?? 'unknown'})`);
  return fetched;
}
