import type { KafkaAccess } from '../client/kafka-access.js';
import { fetchPartition, leaderByLeader, openLog, type LogAccess } from './log-access.js';
import { OpenTransactions } from '../protocol/open-transactions.js';

/** What is between a group's position and the log end. */
export type Unread =
  /** The oldest record that is for the group, by its log-append time in milliseconds since 1970. */
  | { readonly kind: 'record'; readonly appendedAt: number }
  /** Control records and aborted records alone: the group is at the end. */
  | { readonly kind: 'nothing' }
  /** Only records of transactions that have not ended; the oldest by its log-append time. */
  | { readonly kind: 'open transaction'; readonly appendedAt: number }
  /** The first record is further ahead than this reads. */
  | { readonly kind: 'too far' };

const looks = 16;
const bytesALook = 256 * 1024;

/** Finds the first record after each position, as a reader of committed records would see it. */
export async function firstUnread(
  topic: string,
  positions: ReadonlyMap<number, number>,
  kafka: KafkaAccess,
): Promise<ReadonlyMap<number, Unread>> {
  const log = openLog(topic, kafka);
  try {
    await log.refresh();
    const found = await leaderByLeader(
      log,
      [...positions.keys()],
      async (leader, id): Promise<[number, Unread]> => [
        id,
        await lookFrom(log, leader, id, positions.get(id) ?? 0),
      ],
    );
    return new Map(found);
  } finally {
    await log.close().catch(() => undefined);
  }
}

async function lookFrom(log: LogAccess, leader: string, partition: number, from: number): Promise<Unread> {
  const transactions = new OpenTransactions();
  let position = from;
  for (let look = 0; look < looks; look++) {
    const fetched = await fetchPartition(log, leader, { partition, from: position, maxBytes: bytesALook });
    for (const batch of fetched.batches) {
      if (batch.nextOffset <= position) continue;
      const [first] = transactions.settle(batch, from);
      if (first !== undefined) return { kind: 'record', appendedAt: first.timestamp };
      position = batch.nextOffset;
    }
    if (position < fetched.highWatermark) continue;
    const openSince = transactions.openSince();
    return openSince === undefined
      ? { kind: 'nothing' }
      : { kind: 'open transaction', appendedAt: openSince };
  }
  return { kind: 'too far' };
}
