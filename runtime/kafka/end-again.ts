import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker } from 'kafkajs/src/cluster/index.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaAccess } from './kafka-access.js';
import { connectPatiently } from './log-access.js';
import { protocolErrorOf } from './protocol-error.js';
import {
  describesTransactions,
  describeTransaction,
  openTransactions,
  type OpenTransaction,
} from './transaction-protocol.js';

/** Where a transactional id writes to: topics, and the group whose offsets it commits. */
export interface WrittenByTransaction {
  readonly topics: readonly string[];
  readonly groupId?: string;
}

/** What became of an earlier transaction that had ended in some of its partitions only; undefined where none had. */
export type EndedAgain = 'committed' | 'aborted' | undefined;

const offsetsTopic = '__consumer_offsets';
const transactionCoordinator = 1;
const transactionTimeoutMs = 15_000;
const tries = 100;
const pauseMs = 50;

/**
 * Gives the last transaction of a transactional id its end where Kafka has left it out.
 *
 * Kafka 4 (KRaftMetadataCache.getPartitionLeaderEndpoint, 4.3.1) takes a partition that has no leader at the moment for
 * one that was deleted, and a coordinator that comes back just then never writes the transaction's marker there. A
 * committed offset is then read as the one before it, and its records appear together with those of the next
 * transaction of the same producer: doubled. The coordinator does know how the transaction ended, as long as nobody
 * asks for a new epoch (InitProducerId). So, before that: what is open in the partitions although the coordinator calls
 * it complete is taken into another transaction of the same producer, which ends in the same way.
 *
 * A Kafka that does not let us look into that (no ACL for it, or a service without these requests) is told to
 * `refused`, and trusted to have written every end.
 */
export async function endAgain(
  access: KafkaAccess,
  transactionalId: string,
  written: WrittenByTransaction,
  refused: (what: string) => void,
): Promise<EndedAgain> {
  const cluster = await connectPatiently(transactionalId, access);
  try {
    for (const topic of written.topics) await look(cluster, topic, refused);
    if (written.groupId !== undefined) await look(cluster, offsetsTopic, refused);
    const coordinator = await patiently(() =>
      cluster.findGroupCoordinator({ groupId: transactionalId, coordinatorType: transactionCoordinator }),
    );
    if (!describesTransactions(coordinator)) {
      refused('DescribeTransactions and DescribeProducers');
      return undefined;
    }
    const { state, producerId } = await settledState(coordinator, transactionalId);
    const commit = state === 'CompleteCommit';
    if (!commit && state !== 'CompleteAbort') return undefined;
    const open = await openOf(cluster, producerId, refused);
    if (open.length === 0) return undefined;
    await endThem(coordinator, transactionalId, open, written, commit);
    return commit ? 'committed' : 'aborted';
  } finally {
    await cluster.disconnect().catch(() => undefined);
  }
}

/** A transaction whose end is being written is no lost one yet. */
async function settledState(coordinator: Broker, transactionalId: string) {
  for (let tried = 1; ; tried++) {
    const found = await patiently(() => describeTransaction(coordinator, transactionalId));
    if (!found.state.startsWith('Prepare') || tried === tries) return found;
    await sleep(pauseMs);
  }
}

/** A topic that is not there has no open transaction. */
async function look(cluster: Cluster, topic: string, refused: (what: string) => void): Promise<void> {
  try {
    await cluster.addTargetTopic(topic);
  } catch (error) {
    const type = protocolErrorOf(error);
    if (type === 'TOPIC_AUTHORIZATION_FAILED') refused(topic);
    else if (type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
  }
}

async function openOf(
  cluster: Cluster,
  producerId: string,
  refused: (what: string) => void,
): Promise<readonly OpenTransaction[]> {
  const byLeader = new Map<number, Map<string, number[]>>();
  for (const topic of cluster.targetTopics) {
    for (const { partitionId, leader } of cluster.findTopicPartitionMetadata(topic)) {
      const topics = byLeader.get(leader) ?? new Map<string, number[]>();
      byLeader.set(leader, topics.set(topic, [...(topics.get(topic) ?? []), partitionId]));
    }
  }
  const found = await Promise.all(
    [...byLeader].map(async ([leader, topics]) =>
      openTransactions(await cluster.findBroker({ nodeId: String(leader) }), topics),
    ),
  );
  for (const topic of found.flatMap((described) => described.refused)) refused(topic);
  return found.flatMap(({ open }) => open).filter((open) => open.producerId === producerId);
}

async function endThem(
  coordinator: Broker,
  transactionalId: string,
  open: readonly OpenTransaction[],
  { groupId }: WrittenByTransaction,
  commit: boolean,
): Promise<void> {
  const identity = await patiently(() =>
    coordinator.initProducerId({ transactionalId, transactionTimeout: transactionTimeoutMs }),
  );
  const transaction = { ...identity, transactionalId };
  const topics = new Map<string, number[]>();
  for (const { topic, partition } of open)
    if (topic !== offsetsTopic) topics.set(topic, [...(topics.get(topic) ?? []), partition]);
  if (topics.size > 0)
    await patiently(() =>
      coordinator.addPartitionsToTxn({
        ...transaction,
        topics: [...topics].map(([topic, partitions]) => ({ topic, partitions })),
      }),
    );
  if (groupId !== undefined && open.some(({ topic }) => topic === offsetsTopic))
    await patiently(() => coordinator.addOffsetsToTxn({ ...transaction, groupId }));
  await coordinator.endTxn({ ...transaction, transactionResult: commit });
}

/** A coordinator that is only just made, loads, or still writes the end of what went before. */
const passing = new Set([
  'CONCURRENT_TRANSACTIONS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'COORDINATOR_LOAD_IN_PROGRESS',
]);

function isPassing(error: unknown): boolean {
  const { name } = error as { name?: unknown };
  return name === 'KafkaJSGroupCoordinatorNotFound' || passing.has(protocolErrorOf(error));
}

async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error) || tried === tries) throw error;
      await sleep(pauseMs);
    }
  }
}
