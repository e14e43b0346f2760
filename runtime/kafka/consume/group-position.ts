import type { Admin } from 'kafkajs';
import { withAdmin } from '../client/admin.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import type { ConsumedTopic } from './group-lag.js';

/** The position of a group in one partition, and the bounds of the partition. */
export interface GroupPosition {
  /** The next offset to read; -1 where nothing is committed. */
  readonly committed: number;
  /** The metadata of that commit. */
  readonly metadata: string | null;
  readonly logStart: number;
  readonly logEnd: number;
}

export async function readGroupPosition(
  admin: Admin,
  { groupId, topic }: ConsumedTopic,
  partition: number,
): Promise<GroupPosition> {
  const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
  // Read after the commit, so that the log's end is not before it.
  const ends = await admin.fetchTopicOffsets(topic);
  const position = committed?.partitions.find((found) => found.partition === partition);
  const log = ends.find((found) => found.partition === partition);
  return {
    committed: Number(position?.offset ?? -1),
    metadata: position?.metadata ?? null,
    logStart: Number(log?.low ?? 0),
    logEnd: Number(log?.high ?? 0),
  };
}

/** The commits of a group in each partition of a topic. */
export function readCommits(
  kafka: KafkaAccess,
  { groupId, topic }: ConsumedTopic,
): Promise<readonly (Pick<GroupPosition, 'committed' | 'metadata'> & { readonly partition: number })[]> {
  return withAdmin(kafka, async (admin) => {
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    return (found?.partitions ?? []).map(({ partition, offset, metadata }) => ({
      partition,
      committed: Number(offset),
      metadata,
    }));
  });
}
