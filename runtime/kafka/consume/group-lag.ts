import kafkajs, { type Admin, type GroupDescription } from 'kafkajs';
import { reasonOf } from '../../errors.js';
import { type Unread, firstUnread } from './find-records.js';
import { kafkaUnreachable, type KafkaAccess } from '../client/kafka-access.js';
import { openLastingAdmin } from '../client/admin.js';

export interface ConsumedTopic {
  readonly groupId: string;
  readonly topic: string;
}

/** What is between a group's position and the end of its topic. */
export interface GroupLag extends ConsumedTopic {
  /** `stopped`: the group has no members. `joining`: its members are being assigned partitions. */
  readonly state: 'running' | 'joining' | 'stopped' | 'unknown';
  readonly members: number | null;
  /** Offsets appended within the last minute, including transaction markers; null if unknown. */
  readonly appendedLastMinute: number | null;
  readonly partitions: readonly PartitionLag[];
  /** Why nothing is known about any partition; null if something is. */
  readonly unknown: string | null;
}

export interface PartitionLag {
  readonly partition: number;
  /** The id of the member that reads it; null if none does. */
  readonly process: string | null;
  /** The first offset that the group has not committed. */
  readonly next: number;
  /** Offsets from `next` to the log end, including markers; 0 if no record is unread, null if unknown. */
  readonly records: number | null;
  /** Age of the first unread record, even if not committed yet; 0 if there is none, null if unknown. */
  readonly seconds: number | null;
  /** Whether everything unread belongs to open transactions. */
  readonly isUndecided: boolean;
  /** Why something is unknown; null if nothing is. */
  readonly unknown: string | null;
}

/** The lag of groups and the size of topics at one time. */
interface GroupLags {
  /** In the order in which they were asked for. */
  readonly groups: readonly GroupLag[];
  /** How many records each topic keeps; null if unknown. */
  readonly kept: ReadonlyMap<string, number | null>;
}

/** Reads over one connection, any number of times. */
export interface GroupLagReader {
  /** Rejects with KAFKA_UNREACHABLE if no broker answers. */
  read(consumed: readonly ConsumedTopic[], topics: readonly string[]): Promise<GroupLags>;
  stop(): Promise<void>;
}

export function openGroupLagReader(access: KafkaAccess): GroupLagReader {
  const asking = openLastingAdmin(access);
  return {
    async read(consumed, topics) {
      try {
        return await asking.ask(async (admin) => {
          const bounds = boundsOnce(admin);
          const [groups, kept] = await Promise.all([
            readGroupLags(consumed, { admin, bounds, kafka: access }),
            Promise.all(
              topics.map(async (topic): Promise<[string, number | null]> => [
                topic,
                await keptIn(topic, bounds),
              ]),
            ),
          ]);
          return { groups, kept: new Map(kept) };
        });
      } catch (cause) {
        throw kafkaUnreachable(access, cause);
      }
    },
    stop: () => asking.stop(),
  };
}

/** The first and the next offset of each partition of a topic. */
type Bounds = (topic: string) => ReturnType<Admin['fetchTopicOffsets']>;

/** Asks once per topic, however many groups read it. */
function boundsOnce(admin: Admin): Bounds {
  const asked = new Map<string, ReturnType<Bounds>>();
  return (topic) => {
    const bounds = asked.get(topic) ?? admin.fetchTopicOffsets(topic);
    asked.set(topic, bounds);
    return bounds;
  };
}

interface Sources {
  readonly admin: Admin;
  readonly bounds: Bounds;
  readonly kafka: KafkaAccess;
}

async function keptIn(topic: string, bounds: Bounds): Promise<number | null> {
  try {
    return (await bounds(topic)).reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  } catch {
    return null;
  }
}

interface Position {
  readonly partition: number;
  readonly next: number;
  readonly end: number;
}

/**
 * Reads the lags of groups. If one group's lag can't be read, its result says why; rejects only if Kafka does
 * not answer at all.
 */
async function readGroupLags(
  consumed: readonly ConsumedTopic[],
  sources: Sources,
): Promise<readonly GroupLag[]> {
  const { groups } = await sources.admin.describeGroups(consumed.map(({ groupId }) => groupId));
  const known = new Map(groups.map((group) => [group.groupId, group]));
  return Promise.all(
    consumed.map(async (of): Promise<GroupLag> => {
      const group = known.get(of.groupId);
      const membership = {
        ...of,
        state: stateOf(group?.state),
        members: group === undefined ? null : group.members.length,
      };
      try {
        const [positions, appendedLastMinute] = await Promise.all([
          positionsOf(of, sources),
          appendedSince(of.topic, Date.now() - 60_000, sources),
        ]);
        const readers = readersOf(of.topic, group);
        const partitions = (await partitionLags(of.topic, positions, sources.kafka)).map(
          (lag): PartitionLag => ({
            ...lag,
            process: readers.get(lag.partition) ?? null,
          }),
        );
        return { ...membership, appendedLastMinute, partitions, unknown: null };
      } catch (error) {
        return { ...membership, appendedLastMinute: null, partitions: [], unknown: reasonOf(error) };
      }
    }),
  );
}

/** The member of each partition that has one; empty while the group is assigning partitions. */
function readersOf(topic: string, group: GroupDescription | undefined): ReadonlyMap<number, string> {
  return new Map(
    (group?.members ?? []).flatMap(({ memberId, memberAssignment }) => {
      if (memberAssignment.length === 0) return [];
      const assigned = kafkajs.AssignerProtocol.MemberAssignment.decode(memberAssignment);
      return (assigned?.assignment[topic] ?? []).map((partition) => [partition, memberId] as const);
    }),
  );
}

function stateOf(state: string | undefined): GroupLag['state'] {
  if (state === 'Stable') return 'running';
  if (state === 'PreparingRebalance' || state === 'CompletingRebalance') return 'joining';
  return state === 'Empty' || state === 'Dead' ? 'stopped' : 'unknown';
}

async function positionsOf(
  { groupId, topic }: ConsumedTopic,
  { admin, bounds }: Sources,
): Promise<readonly Position[]> {
  const [ends, [committed]] = await Promise.all([
    bounds(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  return ends
    .map(({ partition, high, low }) => {
      const offset = committed?.partitions.find((found) => found.partition === partition)?.offset ?? -1;
      return { partition, next: Math.max(Number(offset), Number(low)), end: Number(high) };
    })
    .sort((a, b) => a.partition - b.partition);
}

async function appendedSince(topic: string, timestamp: number, { admin, bounds }: Sources): Promise<number> {
  const [then, now] = await Promise.all([
    admin.fetchTopicOffsetsByTimestamp(topic, timestamp),
    bounds(topic),
  ]);
  const ends = new Map(now.map(({ partition, high }) => [partition, Number(high)]));
  return then.reduce(
    (sum, { partition, offset }) => sum + Math.max(0, (ends.get(partition) ?? 0) - Number(offset)),
    0,
  );
}

async function partitionLags(
  topic: string,
  positions: readonly Position[],
  kafka: KafkaAccess,
): Promise<readonly Omit<PartitionLag, 'process'>[]> {
  const behind = new Map(
    positions.filter(({ next, end }) => next < end).map((at) => [at.partition, at.next]),
  );
  const unread = behind.size === 0 ? new Map<number, Unread>() : await firstUnread(topic, behind, kafka);
  const now = Date.now();
  return positions.map(({ partition, next, end }) => {
    const first = unread.get(partition) ?? { kind: 'nothing' };
    const records = Math.max(0, end - next);
    switch (first.kind) {
      case 'nothing':
        return { partition, next, records: 0, seconds: 0, isUndecided: false, unknown: null };
      case 'record':
      case 'open transaction':
        return {
          partition,
          next,
          records,
          seconds: Math.max(0, now - first.appendedAt) / 1_000,
          isUndecided: first.kind === 'open transaction',
          unknown: null,
        };
      case 'too far':
        return {
          partition,
          next,
          records,
          seconds: null,
          isUndecided: false,
          unknown: 'no committed record among the first unread',
        };
    }
  });
}
