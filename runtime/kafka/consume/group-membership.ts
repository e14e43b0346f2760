import kafkajs, { type PartitionAssigner } from 'kafkajs';
import type { TelltaleError } from '../../errors.js';
import { openLastingAdmin } from '../client/admin.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { openLastingConsumer } from './lasting-consumer.js';

/** What a member tells the others when it joins. */
interface MemberNotice {
  /** The partitions whose data it already has: it is preferred for them. */
  readonly held: readonly number[];
  /** Anything that the other members have to know. */
  readonly about: string;
}

interface GroupMember extends MemberNotice {
  readonly partitions: readonly number[];
}

interface GroupMembershipOptions {
  readonly kafka: KafkaAccess;
  readonly groupId: string;
  readonly topic: string;
  readonly sessionTimeoutMs: number;
  /** The member's name if the process has none: the group recognises it after a kill. It leaves at a stop. */
  readonly groupInstanceId: string;
  /** How many members each partition is assigned to. */
  readonly copies: number;
  /** Called at every join. */
  readonly notice: () => MemberNotice;
  readonly onAssigned: (partitions: readonly number[]) => void;
  readonly fatal: (error: TelltaleError) => void;
}

/** A consumer group member that only learns its partitions from the group, and reads them by other means. */
export interface GroupMembership {
  /** Every member, including this one; undefined while the group has not settled. */
  members(): Promise<readonly GroupMember[] | undefined>;
  /** The text that a member last stored with the group; empty if there is none. */
  note(): Promise<string>;
  keepNote(text: string): Promise<void>;
  /** Leaves the group, unless the process has a name in its groups. `members` still works afterwards. */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

/** How often a member checks whether it has to send a heartbeat or to rejoin. */
const idleMs = 200;
/** How often a member checks for new partitions: until the group assigns them, nobody has them. */
export const memberGrowthCheckMs = 1_000;

export async function joinGroup(options: GroupMembershipOptions): Promise<GroupMembership> {
  const { kafka, groupId, topic } = options;
  const asking = openLastingAdmin(kafka);
  const { consumer, run, stop } = openLastingConsumer({
    ...options,
    assigner: stickyAssigner(options),
    growthSeenMs: memberGrowthCheckMs,
    fetch: { maxWaitTimeInMs: idleMs },
  });
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    // Paused before anything is fetched.
    consumer.pause([{ topic }]);
    const partitions = [...(payload.memberAssignment[topic] ?? [])].sort((a, b) => a - b);
    kafka.logger.info({ event: 'partitions-assigned', groupId, topic, partitions }, 'partitions assigned');
    options.onAssigned(partitions);
  });
  await run({ autoCommit: false, eachBatch: () => Promise.resolve() });
  return {
    members: () =>
      asking.ask(async (admin) => {
        const [group] = (await admin.describeGroups([groupId])).groups;
        if (group?.state !== 'Stable' && group?.state !== 'Empty') return undefined;
        return group.members.map(({ memberMetadata, memberAssignment }): GroupMember => {
          const assigned = kafkajs.AssignerProtocol.MemberAssignment.decode(memberAssignment);
          return { ...noticeIn(memberMetadata), partitions: assigned?.assignment[topic] ?? [] };
        });
      }),
    note: () =>
      asking.ask(async (admin) => {
        const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
        return committed?.partitions.find(({ partition }) => partition === 0)?.metadata ?? '';
      }),
    keepNote: (text) => consumer.commitOffsets([{ topic, partition: 0, offset: '0', metadata: text }]),
    leave: stop,
    async stop() {
      await stop();
      await consumer.disconnect();
      await asking.stop();
    },
  };
}

function stickyAssigner({ topic, copies, notice }: GroupMembershipOptions): PartitionAssigner {
  const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;
  const name = 'telltale-sticky';
  const version = 0;
  return ({ cluster }) => ({
    name,
    version,
    protocol: ({ topics }) => ({
      name,
      metadata: MemberMetadata.encode({ version, topics, userData: Buffer.from(JSON.stringify(notice())) }),
    }),
    assign({ members }) {
      const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
      const sticky = members.map(({ memberId, memberMetadata }) => ({
        id: memberId,
        held: noticeIn(memberMetadata).held,
      }));
      const assigned = assignSticky(sticky, partitions, copies);
      return Promise.resolve(
        [...assigned].map(([memberId, its]) => ({
          memberId,
          memberAssignment: MemberAssignment.encode({
            version,
            assignment: { [topic]: [...its] },
            userData: Buffer.alloc(0),
          }),
        })),
      );
    },
  });
}

/** A member whose metadata can't be read counts as one that has no data. */
function noticeIn(memberMetadata: Buffer): MemberNotice {
  try {
    const { userData } = kafkajs.AssignerProtocol.MemberMetadata.decode(memberMetadata) ?? {};
    const said = JSON.parse(String(userData)) as Partial<MemberNotice>;
    return { held: Array.isArray(said.held) ? said.held : [], about: said.about ?? '' };
  } catch {
    return { held: [], about: '' };
  }
}

/** A member of a group, and the partitions whose data it has already. */
export interface StickyMember {
  readonly id: string;
  readonly held: readonly number[];
}

/**
 * Assigns each partition to `copies` members, evenly, and preferably to those that already have its data.
 * Every member computes the same result.
 */
export function assignSticky(
  members: readonly StickyMember[],
  partitions: readonly number[],
  copies: number,
): ReadonlyMap<string, readonly number[]> {
  const sorted = [...members].sort((one, other) => (one.id < other.id ? -1 : 1));
  const given = new Map(sorted.map(({ id }) => [id, new Set<number>()]));
  const wanted = Math.min(copies, sorted.length);
  for (const partition of partitions) {
    const holders = bySize(
      given,
      sorted.filter(({ held }) => held.includes(partition)),
    );
    for (const { id } of holders.slice(0, wanted)) given.get(id)?.add(partition);
  }
  for (const partition of partitions) {
    const others = bySize(
      given,
      sorted.filter(({ id }) => given.get(id)?.has(partition) !== true),
    );
    const missing = wanted - (sorted.length - others.length);
    for (const { id } of others.slice(0, missing)) given.get(id)?.add(partition);
  }
  evenOut(given, sorted, partitions);
  return new Map([...given].map(([id, its]) => [id, [...its].sort((one, other) => one - other)]));
}

type Shares = ReadonlyMap<string, Set<number>>;

/** The member with the smallest share first. */
function bySize(given: Shares, members: readonly StickyMember[]): readonly StickyMember[] {
  const size = ({ id }: StickyMember): number => given.get(id)?.size ?? 0;
  return [...members].sort((one, other) => size(one) - size(other));
}

/**
 * Moves partitions from the largest share to the smallest until they differ by at most one. Partitions that
 * have to be read anyway move first.
 */
function evenOut(given: Shares, members: readonly StickyMember[], partitions: readonly number[]): void {
  for (;;) {
    const sorted = bySize(given, members);
    const [least, most] = [sorted[0], sorted.at(-1)];
    const [smallest, largest] = [given.get(least?.id ?? ''), given.get(most?.id ?? '')];
    if (smallest === undefined || largest === undefined || largest.size - smallest.size <= 1) return;
    const movable = partitions.filter((id) => largest.has(id) && !smallest.has(id));
    const moved = movable.find((id) => most?.held.includes(id) !== true) ?? movable[0];
    if (moved === undefined) return;
    largest.delete(moved);
    smallest.add(moved);
  }
}
