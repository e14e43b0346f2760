import { pause } from '../../../runtime/backoff.js';
import { reasonOf, type TelltaleError } from '../../../runtime/errors.js';
import type { Condition } from '../../../runtime/health.js';
import type { KafkaAccess } from '../../../runtime/kafka/client/kafka-access.js';
import { sharedRounds, type PartitionHistory } from '../../../runtime/kafka/consume/topic-growth.js';
import {
  joinGroup,
  memberGrowthCheckMs,
  type GroupMembership,
} from '../../../runtime/kafka/consume/group-membership.js';
import type { HeldPartitions } from '../../../runtime/kafka/views/held-partitions.js';
import type { Gauge, Metrics } from '../../../runtime/metrics.js';
import type { TaskStatus } from '../../../schemas/generated/task-status.js';
import type { ShardingConfig } from './config.js';
import { introduce, memberNameOf, provenMembers } from '../../peers/peer-proof.js';
import type { ShardOwners } from './shard-owners.js';
import type { StatusShards } from './status-shards.js';

export interface ShardGroupOptions {
  readonly groupId: string;
  readonly topic: string;
  readonly kafka: KafkaAccess;
  readonly sessionTimeoutMs: number;
  readonly config: ShardingConfig;
  readonly shards: StatusShards;
  readonly owners: ShardOwners;
  readonly partitions: HeldPartitions<TaskStatus>;
  readonly history: PartitionHistory;
  /** Met once this edge knows the other edges, and keeps the partitions of its first assignment. */
  readonly condition: Condition;
  readonly metrics: Metrics;
  readonly fatal: (error: TelltaleError) => void;
}

/**
 * The edges that share the statuses. This one keeps the partitions that the group assigns to it, and those
 * that no other edge has acquired yet.
 */
export interface ShardGroup {
  /** Whether this edge knows every partition that a task can be in. */
  readonly knowsHistory: boolean;
  /** Asks how many partitions the topic has now. */
  followGrowth(): Promise<void>;
  /** Leaves the group, but answers until the others keep what this edge kept, for some seconds at most. */
  stop(): Promise<void>;
}

const settleEveryMs = 250;
/** How long a new store waits to learn which other edges have the partition. */
const learnFirstMs = 500;
const handOverMs = 5_000;
const handOverCheckMs = 100;

export async function joinShardGroup(options: ShardGroupOptions): Promise<ShardGroup> {
  const { config, shards } = options;
  const assignment = new Assignment();
  const membership = await joinGroup({
    ...options,
    groupInstanceId: memberNameOf(config.EDGE_PEER_URL),
    copies: config.STATUS_VIEW_COPIES,
    notice: () => ({
      held: shards.stored().filter((id) => shards.isCaughtUp(id) || !shards.kept().includes(id)),
      about: introduce(config.EDGE_PEER_URL, config.EDGE_PEER_SECRET),
    }),
    onAssigned: (partitions) => assignment.change(partitions),
  });
  return new JoinedShardGroup(options, membership, assignment);
}

/** What the group assigned to this edge last. */
class Assignment {
  /** Undefined before the first assignment. */
  partitions: ReadonlySet<number> | undefined;
  /** Counts assignments: each can have different members. */
  generation = 0;

  change(partitions: readonly number[]): void {
    this.partitions = new Set(partitions);
    this.generation++;
  }
}

class JoinedShardGroup implements ShardGroup {
  /** The generation whose members are known; there can be a later one already. */
  private knownGeneration: number | undefined;
  /** The partition history that the group has stored. */
  private keptHistory: string | undefined;
  private isReady = false;
  private readonly gauge: Gauge;
  private readonly timers: readonly NodeJS.Timeout[];
  private readonly settle = sharedRounds(() => this.settleOnce());
  readonly followGrowth = sharedRounds(() => this.followGrowthOnce());

  constructor(
    private readonly options: ShardGroupOptions,
    private readonly membership: GroupMembership,
    private readonly assignment: Assignment,
  ) {
    this.gauge = options.metrics.gauge(
      'telltale_status_view_partitions',
      'Partitions of the task statuses that are assigned to this edge, and that it keeps up to date.',
      ['state'],
    );
    options.owners.onFailure(() => (this.knownGeneration = undefined));
    this.timers = [
      this.now('settle', this.settle, settleEveryMs),
      this.now('follow growth', this.followGrowth, memberGrowthCheckMs),
    ];
  }

  get knowsHistory(): boolean {
    return this.keptHistory !== undefined;
  }

  async stop(): Promise<void> {
    const { kafka } = this.options;
    this.timers.forEach(clearInterval);
    // It leaves anyway: the edges that acquire its partitions read them from Kafka.
    await this.settle().catch(() => undefined);
    await this.membership.leave();
    const deadline = Date.now() + (kafka.groupInstanceId === undefined ? handOverMs : 0);
    while (Date.now() < deadline && !(await this.isHandedOver().catch(() => false)))
      await pause(handOverCheckMs);
    await this.membership.stop();
  }

  private async settleOnce(): Promise<void> {
    const { shards } = this.options;
    if (this.assignment.partitions === undefined) return;
    const learning = this.learnMembers();
    await Promise.race([learning.catch(() => undefined), pause(learnFirstMs)]);
    const wanted = this.assignment.partitions;
    for (const id of wanted) if (!shards.kept().includes(id)) shards.take(id);
    try {
      await learning;
      if (this.knowsMembers) await this.releaseRest(wanted);
    } finally {
      this.sayState(wanted);
    }
  }

  private get knowsMembers(): boolean {
    return this.knownGeneration === this.assignment.generation;
  }

  private async learnMembers(): Promise<void> {
    if (this.knowsMembers) return;
    const { config, owners, kafka } = this.options;
    const { generation } = this.assignment;
    const members = await this.membership.members();
    if (members === undefined) return;
    this.knownGeneration = generation;
    owners.know(provenMembers(members, config, kafka.logger), [...(this.assignment.partitions ?? [])]);
  }

  private async releaseRest(wanted: ReadonlySet<number>): Promise<void> {
    const { shards, owners } = this.options;
    for (const id of shards.stored()) {
      if (wanted.has(id) || (shards.isCaughtUp(id) && !(await owners.isTakenOver(id)))) continue;
      if (this.assignment.partitions === wanted) await shards.drop(id);
    }
  }

  private sayState(wanted: ReadonlySet<number>): void {
    const { condition, topic } = this.options;
    const caughtUp = this.caughtUp();
    this.gauge.set({ state: 'assigned' }, wanted.size);
    this.gauge.set({ state: 'kept' }, caughtUp.length);
    if (this.isReady) return;
    const missing = [...wanted].filter((id) => !caughtUp.includes(id)).length;
    this.isReady = missing === 0 && this.knowsMembers && this.knowsHistory;
    if (this.isReady) condition.met();
    else condition.unmet(`${missing} of ${wanted.size} partitions of ${topic} are still to be read`);
  }

  private async followGrowthOnce(): Promise<void> {
    const { history, partitions } = this.options;
    history.know(await partitions.countPartitions());
    if (history.text() === this.keptHistory) return;
    const noted = await this.membership.note();
    history.learn(noted);
    const text = history.text();
    if (text !== noted) await this.membership.keepNote(text);
    this.keptHistory = text;
  }

  private async isHandedOver(): Promise<boolean> {
    const { owners } = this.options;
    this.knownGeneration = undefined;
    await this.learnMembers();
    if (owners.urls.length === 0) return true;
    const taken = await Promise.all(this.caughtUp().map((id) => owners.isTakenOver(id)));
    return taken.every(Boolean);
  }

  private caughtUp(): readonly number[] {
    const { shards } = this.options;
    return shards.kept().filter((id) => shards.isCaughtUp(id));
  }

  /** Runs the work now and at every interval: the next run makes up for one that failed. */
  private now(what: string, work: () => Promise<void>, everyMs: number): NodeJS.Timeout {
    const { logger } = this.options.kafka;
    const quietly = (): void =>
      void work().catch((error: unknown) => {
        logger.debug({ event: 'shards-not-settled', what, reason: reasonOf(error) }, 'trying again');
      });
    quietly();
    return setInterval(quietly, everyMs).unref();
  }
}
