import type { KafkaAccess } from '../client/kafka-access.js';
import { partitionsOfKey } from './topic-growth.js';
import { type LogAccess, fetchPartition, leaderByLeader, logStart, openLog } from './log-access.js';
import { type LogRecord, OpenTransactions } from '../protocol/record-batches.js';
import { pause, untilAvailable } from '../../backoff.js';

export interface LogSearch {
  readonly topic: string;
  readonly kafka: KafkaAccess;
  /** Searches only the partitions that may have this key; all of them if absent. */
  readonly key?: string;
  /** Searches only what was appended from then on, milliseconds since 1970; the whole log if absent. */
  readonly since?: number;
  /** Stops after the first batch that was appended later, milliseconds since 1970. */
  readonly until?: number;
  readonly matches: (record: LogRecord) => boolean;
  /** Called for each match, which counts only if this resolves to true. */
  readonly counts?: (record: LogRecord) => Promise<boolean>;
  /** The search ends after this many matches. */
  readonly most: number;
  /** Ends the search early. */
  readonly signal: AbortSignal;
}

export interface LogMatch {
  readonly topic: string;
  readonly partition: number;
  readonly record: LogRecord;
}

export interface LogSearched {
  readonly matches: readonly LogMatch[];
  /** False if the search ended before it had seen everything. */
  readonly complete: boolean;
  /** When the oldest record was appended, milliseconds since 1970; null if there is none, or any matched. */
  readonly oldest: number | null;
}

const bytesPerFetch = 1024 * 1024;
const always = (): Promise<boolean> => Promise.resolve(true);

/**
 * Searches a log for committed records, without a consumer group. Rejects with TOPIC_MISSING, or if Kafka is
 * unavailable.
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

/** Adds the matches to `found`; returns whether it has seen everything that it had to. */
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
      maxBytes: bytesPerFetch,
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

/** What is between a group's position and the log end. */
export type Unread =
  /** The log-append time of the first committed record, in milliseconds since 1970. */
  | { readonly kind: 'record'; readonly appendedAt: number }
  /** Only control records and aborted records: the group is at the end. */
  | { readonly kind: 'nothing' }
  /** Only records of open transactions; the log-append time of the oldest. */
  | { readonly kind: 'open transaction'; readonly appendedAt: number }
  /** The first record is further ahead than the search reads. */
  | { readonly kind: 'too far' };

const looks = 16;
const bytesPerLook = 256 * 1024;

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
    const fetched = await fetchPartition(log, leader, { partition, from: position, maxBytes: bytesPerLook });
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

interface RecordsByOffsetOptions {
  readonly topic: string;
  readonly kafka: KafkaAccess;
  /** How long a read waits, milliseconds. */
  readonly timeoutMs?: number;
}

const retryMs = 200;

/**
 * Reads single records of a topic, committed or not. It has its own connections, which the first read opens:
 * a broker answers the requests of a connection one after another, and a reader's fetches wait for new
 * records.
 */
export class RecordsByOffset {
  private readonly log: LogAccess;
  private readonly timeoutMs: number;
  private opening: Promise<void> | undefined;
  /** The last request to each broker. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor({ topic, kafka, timeoutMs = 2_000 }: RecordsByOffsetOptions) {
    this.log = openLog(topic, kafka);
    this.timeoutMs = timeoutMs;
  }

  /** Undefined if the log no longer has the record, or Kafka does not answer in time. */
  read(partition: number, offset: number): Promise<LogRecord | undefined> {
    const deadline = Date.now() + this.timeoutMs;
    return untilAvailable(() => this.readOnce(partition, offset, deadline), deadline);
  }

  close(): Promise<void> {
    return this.log.close();
  }

  private async readOnce(
    partition: number,
    offset: number,
    deadline: number,
  ): Promise<LogRecord | undefined> {
    const opening = (this.opening ??= this.log.refresh());
    try {
      await opening;
      const [leader = ''] = this.log.byLeader([partition]).keys();
      return await this.inTurn(leader, async () => {
        if (Date.now() > deadline) return undefined; // nobody waits for it
        // Kafka answers with the whole batch that has the offset, however small the limit.
        const fetched = await fetchPartition(this.log, leader, { partition, from: offset, maxBytes: 1 });
        return fetched.batches.flatMap(({ records }) => records).find((record) => record.offset === offset);
      });
    } catch (error) {
      // The leader has moved, or the connection is broken.
      await pause(retryMs);
      if (this.opening === opening) this.opening = undefined;
      throw error;
    }
  }

  /** One after another: if two fetches start at once, kafkajs opens a connection for each. */
  private inTurn<Result>(leader: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.turns.get(leader) ?? Promise.resolve()).then(work);
    this.turns.set(
      leader,
      turn.catch(() => undefined),
    );
    return turn;
  }
}
