import { pause } from '../../../runtime/backoff.js';
import { reasonOf, type TelltaleError } from '../../../runtime/errors.js';
import type { Condition } from '../../../runtime/health.js';
import type { KafkaAccess } from '../../../runtime/kafka/client/kafka-access.js';
import { growthCheckMs, sharedRounds } from '../../../runtime/kafka/client/partition-counts.js';
import { joinGroup } from '../../../runtime/kafka/consume/group-membership.js';
import type { HeldPartitions } from '../../../runtime/kafka/views/held-partitions.js';
import type { PartitionHistory } from '../../../runtime/kafka/views/partition-history.js';
import type { Metrics } from '../../../runtime/metrics.js';
import type { TaskStatus } from '../../../schemas/generated/task-status.js';
import type { ShardingConfig } from './config.js';
import { introduce, provenUrl } from '../../peers/peer-proof.js';
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
  /** Met once this edge knows the others, and keeps what the group gave to it first. */
  readonly condition: Condition;
  readonly metrics: Metrics;
  readonly fatal: (error: TelltaleError) => void;
}

/** The edges that share the statuses. This one keeps what the group gives to it, and what is not taken over yet. */
export interface ShardGroup {
  /** Whether all is known of where a task may be. */
  readonly knowsHistory: boolean;
  /** Asks how many partitions there are now. */
  followGrowth(): Promise<void>;
  /** Leaves, and goes on answering until the others keep what this edge kept, for some seconds at most. */
  stop(): Promise<void>;
}

const settleEveryMs = 250;
const handOverMs = 5_000;
const handOverCheckMs = 100;

export async function joinShardGroup(options: ShardGroupOptions): Promise<ShardGroup> {
  const { topic, kafka, config, shards, owners, partitions, history, condition, metrics } = options;
  const { logger } = kafka;
  const { EDGE_PEER_URL: ownUrl, EDGE_PEER_SECRET: secret } = config;
  let assigned: ReadonlySet<number> | undefined;
  /** Of the group as it was when asked: another one may have come about since. */
  let group = 0;
  let knownGroup: number | undefined;
  let kept: string | undefined;
  let isReady = false;
  const gauge = metrics.gauge(
    'telltale_status_view_partitions',
    'Partitions of the task statuses that this edge was given, and that it keeps, caught up.',
    ['state'],
  );
  owners.onFailure(() => (knownGroup = undefined));

  const membership = await joinGroup({
    ...options,
    copies: config.STATUS_VIEW_COPIES,
    notice: () => ({
      held: shards.stored().filter((id) => shards.isCaughtUp(id) || !shards.kept().includes(id)),
      about: introduce(ownUrl, secret),
    }),
    onAssigned(partitionIds) {
      assigned = new Set(partitionIds);
      group++;
    },
    logger,
  });

  const learnMembers = async (): Promise<void> => {
    if (knownGroup === group) return;
    const asked = group;
    const members = await membership.members();
    if (members === undefined) return;
    knownGroup = asked;
    const urls = members.map(({ about }) => provenUrl(about, secret));
    if (urls.includes(undefined))
      logger.warn(
        { event: 'peer-unproven', members: urls.filter((url) => url === undefined).length },
        'a member of the group does not know EDGE_PEER_SECRET and is not asked',
      );
    owners.know(
      members.flatMap(({ partitions: given }, at) => {
        const url = urls[at];
        return url === undefined || url === ownUrl ? [] : [{ url, partitions: given }];
      }),
    );
  };
  const giveUpRest = async (wanted: ReadonlySet<number>): Promise<void> => {
    for (const id of shards.stored()) {
      if (wanted.has(id) || (shards.isCaughtUp(id) && !(await owners.isTakenOver(id)))) continue;
      if (assigned === wanted) await shards.drop(id);
    }
  };
  const sayState = (wanted: ReadonlySet<number>): void => {
    const caughtUp = shards.kept().filter((id) => shards.isCaughtUp(id));
    gauge.set({ state: 'assigned' }, wanted.size);
    gauge.set({ state: 'kept' }, caughtUp.length);
    if (isReady) return;
    const missing = [...wanted].filter((id) => !caughtUp.includes(id)).length;
    isReady = missing === 0 && knownGroup === group && kept !== undefined;
    if (isReady) condition.met();
    else condition.unmet(`${missing} of ${wanted.size} partitions of ${topic} are still to be read`);
  };
  const settle = sharedRounds(async () => {
    const wanted = assigned;
    if (wanted === undefined) return;
    for (const id of wanted) if (!shards.kept().includes(id)) shards.take(id);
    try {
      await learnMembers();
      if (knownGroup === group) await giveUpRest(wanted);
    } finally {
      sayState(wanted);
    }
  });
  const followGrowth = sharedRounds(async () => {
    history.know(await partitions.countPartitions());
    if (history.text() === kept) return;
    const noted = await membership.note();
    history.learn(noted);
    const text = history.text();
    if (text !== noted) await membership.keepNote(text);
    kept = text;
  });
  const quietly = (work: () => Promise<void>) => (): void =>
    void work().catch((error: unknown) => {
      logger.debug({ event: 'shards-not-settled', reason: reasonOf(error) }, 'trying again');
    });
  const timers = [
    setInterval(quietly(settle), settleEveryMs).unref(),
    setInterval(quietly(followGrowth), growthCheckMs).unref(),
  ];
  quietly(settle)();
  quietly(followGrowth)();

  const isHandedOver = async (): Promise<boolean> => {
    knownGroup = undefined;
    await learnMembers();
    if (owners.urls.length === 0) return true;
    const caughtUp = shards.kept().filter((id) => shards.isCaughtUp(id));
    return (await Promise.all(caughtUp.map((id) => owners.isTakenOver(id)))).every(Boolean);
  };
  return {
    get knowsHistory() {
      return kept !== undefined;
    },
    followGrowth,
    async stop() {
      timers.forEach(clearInterval);
      await settle().catch(() => undefined);
      await membership.leave();
      const deadline = Date.now() + (kafka.groupInstanceId === undefined ? handOverMs : 0);
      while (Date.now() < deadline && !(await isHandedOver().catch(() => false)))
        await pause(handOverCheckMs);
      await membership.stop();
    },
  };
}
