import type { KafkaAccess } from '../client/kafka-access.js';
import { leaderByLeader } from './leader-by-leader.js';
import { logStart, openLog, type FetchedPartition, type LogAccess } from './log-access.js';
import { OpenTransactions } from '../protocol/open-transactions.js';
import { partitionOf } from '../protocol/partitioning.js';
import type { LogRecord } from '../protocol/record-batches.js';

export interface LogSearch {
  readonly topic: string;
  readonly kafka: KafkaAccess;
  /** Searches only the partition of this key; all of them where it is absent. */
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
    const partitions =
      search.key === undefined ? log.partitions : [partitionOf(search.key, log.partitions.length)];
    const starts = await log.offsets(new Map(partitions.map((id) => [id, logStart])));
    const { since } = search;
    const from =
      since === undefined ? starts : await log.offsets(new Map(partitions.map((id) => [id, since])));
    const searched = await leaderByLeader(log, partitions, (leader, id) =>
      searchPartition(log, { leader, id, from: from.get(id) ?? -1 }, search),
    );
    const matches = searched.flatMap((one) => one.matches).slice(0, search.most);
    const oldest = matches.length > 0 ? null : await oldestOf(log, starts);
    return { matches, complete: searched.every(({ complete }) => complete), oldest };
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

async function searchPartition(
  log: LogAccess,
  { leader, id, from }: PartitionStart,
  { topic, matches, counts = always, most, until = Infinity, signal }: LogSearch,
): Promise<{ readonly matches: readonly LogMatch[]; readonly complete: boolean }> {
  const found: LogMatch[] = [];
  const transactions = new OpenTransactions();
  let position = from;
  while (position >= 0) {
    if (signal.aborted) return { matches: found, complete: false };
    const fetched = await fetchFrom(log, leader, id, position);
    for (const batch of fetched.batches) {
      if (batch.nextOffset <= position) continue;
      position = batch.nextOffset;
      const records = transactions.settle(batch, from);
      for (const record of records) {
        if (!matches(record) || !(await counts(record))) continue;
        found.push({ topic, partition: id, record });
        if (found.length >= most) return { matches: found, complete: true };
      }
      if ((records[0]?.timestamp ?? 0) > until) return { matches: found, complete: true };
    }
    if (position >= fetched.highWatermark) break;
  }
  return { matches: found, complete: true };
}

async function fetchFrom(
  log: LogAccess,
  leader: string,
  id: number,
  position: number,
  bytes = bytesAFetch,
): Promise<FetchedPartition> {
  const [fetched] = await log.fetch({
    leader,
    from: new Map([[id, position]]),
    maxWaitMs: 1,
    maxBytesPerPartition: bytes,
  });
  if (fetched === undefined || fetched.error !== 0)
    throw new Error(`partition ${id} can not be read (error ${fetched?.error ?? 'unknown'})`);
  return fetched;
}

async function oldestOf(log: LogAccess, starts: ReadonlyMap<number, number>): Promise<number | null> {
  const timestamps = await leaderByLeader(log, [...starts.keys()], async (leader, id) => {
    const { batches } = await fetchFrom(log, leader, id, starts.get(id) ?? 0, 1);
    return batches.flatMap(({ records }) => records)[0]?.timestamp ?? Infinity;
  });
  const oldest = Math.min(...timestamps);
  return oldest === Infinity ? null : oldest;
}
