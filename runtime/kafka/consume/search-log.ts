import type { KafkaAccess } from '../client/kafka-access.js';
import { partitionsOfKey } from './topic-growth.js';
import { fetchPartition, leaderByLeader, logStart, openLog, type LogAccess } from './log-access.js';
import { OpenTransactions } from '../protocol/open-transactions.js';
import type { LogRecord } from '../protocol/record-batches.js';

export interface LogSearch {
  readonly topic: string;
  readonly kafka: KafkaAccess;
  /** Searches only the partitions that may have this key; all of them where it is absent. */
  readonly key?: string;
  /**
   * Milliseconds since 1970: searches only what was appended from then on; everything that is kept where it is absent.
   */
  readonly since?: number;
  /** Skips what was appended later. */
  readonly until?: number;
  readonly matches: (record: LogRecord) => boolean;
  /** Called for each match, before it counts. */
  readonly counts?: (record: LogRecord) => Promise<boolean>;
  /** The search ends after this many matches. */
  readonly most: number;
  /** Ends the search wherever it is. */
  readonly signal: AbortSignal;
}

export interface LogMatch {
  readonly topic: string;
  readonly partition: number;
  readonly record: LogRecord;
}

export interface LogSearched {
  readonly matches: readonly LogMatch[];
  /** False where the search ended before it had seen everything. */
  readonly complete: boolean;
  /** When the oldest record of the partitions was appended, milliseconds since 1970; null where there is none. */
  readonly oldest: number | null;
}

const bytesAFetch = 1024 * 1024;
const always = (): Promise<boolean> => Promise.resolve(true);

/**
 * Searches a log for committed records, without a consumer group. Rejects with TOPIC_MISSING, or where Kafka is away.
 */
export async function searchLog(search: LogSearch): Promise<LogSearched> {
  const log = openLog(search.topic, search.kafka);
  try {
    await log.refresh();
    const { key, since } = search;
    const partitions = key === undefined ? log.partitions : await partitionsOfKey(log, key, since);
    const starts = await log.offsets(new Map(partitions.map((id) => [id, logStart])));
    const from =
      since === undefined ? starts : await log.offsets(new Map(partitions.map((id) => [id, since])));
    const found: LogMatch[] = [];
    const complete = await leaderByLeader(log, partitions, (leader, id) =>
      searchPartition(log, { leader, id, from: from.get(id) ?? -1 }, search, found),
    );
    const oldest = found.length > 0 ? null : await oldestOf(log, starts);
    return { matches: found.slice(0, search.most), complete: complete.every(Boolean), oldest };
  } finally {
    await log.close().catch(() => undefined);
  }
}

interface PartitionStart {
  readonly leader: string;
  readonly id: number;
  /** -1: nothing has been appended since. */
  readonly from: number;
}

/** Adds the matches to those that were found; returns whether all was seen that had to be. */
async function searchPartition(
  log: LogAccess,
  { leader, id, from }: PartitionStart,
  { topic, matches, counts = always, most, until = Infinity, signal }: LogSearch,
  found: LogMatch[],
): Promise<boolean> {
  const transactions = new OpenTransactions();
  let position = from;
  while (position >= 0 && found.length < most) {
    if (signal.aborted) return false;
    const fetched = await fetchPartition(log, leader, {
      partition: id,
      from: position,
      maxBytes: bytesAFetch,
    });
    for (const batch of fetched.batches) {
      if (batch.nextOffset <= position) continue;
      position = batch.nextOffset;
      const records = transactions.settle(batch, from);
      for (const record of records) {
        if (!matches(record) || !(await counts(record))) continue;
        found.push({ topic, partition: id, record });
        if (found.length >= most) return true;
      }
      if ((records[0]?.timestamp ?? 0) > until) return true;
    }
    if (position >= fetched.highWatermark) break;
  }
  return true;
}

async function oldestOf(log: LogAccess, starts: ReadonlyMap<number, number>): Promise<number | null> {
  const timestamps = await leaderByLeader(log, [...starts.keys()], async (leader, id) => {
    const { batches } = await fetchPartition(log, leader, {
      partition: id,
      from: starts.get(id) ?? 0,
      maxBytes: 1,
    });
    return batches.flatMap(({ records }) => records)[0]?.timestamp ?? Infinity;
  });
  const oldest = Math.min(...timestamps);
  return oldest === Infinity ? null : oldest;
}
