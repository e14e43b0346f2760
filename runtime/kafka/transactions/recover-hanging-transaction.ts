import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker, ProducerIdentity } from 'kafkajs/src/cluster/index.js';
import { pause } from '../../backoff.js';
import { coordinatorOf } from './transaction-coordinator.js';
import { kafkaError, protocolErrorOf, tryWhilePassing } from '../protocol/kafka-error.js';
import {
  describesTransactions,
  describeTransaction,
  openTransactions,
  type OpenTransaction,
  type TransactionState,
} from '../protocol/transaction-protocol.js';

type Coordinator = ReturnType<typeof coordinatorOf>;

/** What a transactional id writes to: topics, and the group whose offsets it commits. */
export interface WrittenByTransaction {
  readonly topics: readonly string[];
  readonly groupId?: string;
}

/** How the hanging transaction ended; undefined if there was none. */
export type RecoveredTransaction = Outcome | undefined;

type Outcome = 'committed' | 'aborted';

const offsetsTopic = '__consumer_offsets';
/**
 * A recovery asks for a new epoch with one of these timeouts, which nothing else uses. With the former epoch
 * the coordinator forgets how the transaction ended, but in the same write it stores the timeout. So if a
 * recovery is killed, the next one still knows the outcome. The timeouts are long, because Kafka aborts what
 * is committed here once they expire, and below the default limit (`transaction.max.timeout.ms`, 15 min).
 */
const recoveryTimeoutMs: Readonly<Record<Outcome, number>> = { committed: 600_000, aborted: 599_999 };
const pauseMs = 50;

/**
 * Ends the last transaction of a transactional id in partitions where Kafka has left out its end. Kafka 4
 * (KRaftMetadataCache.getPartitionLeaderEndpoint, 4.3.1) treats a partition that has no leader at the moment
 * as deleted. If a coordinator comes back at that time, it never writes the transaction's marker there. A
 * committed offset is then read as the one before it, and the records appear together with those of the
 * producer's next transaction: doubled. The coordinator still knows how the transaction ended, until a new
 * epoch is requested (InitProducerId). So this runs before that. Partitions in which the transaction is open,
 * although the coordinator calls it complete, are added to another transaction of the same producer, which
 * ends the same way. If Kafka does not allow the check (no ACL, or a service without these requests), this
 * calls `refused` and assumes that Kafka has written every end.
 */
export async function recoverHangingTransaction(
  cluster: Cluster,
  transactionalId: string,
  written: WrittenByTransaction,
  refused: (what: string) => void,
  closed?: AbortSignal,
): Promise<RecoveredTransaction> {
  for (const topic of written.topics) await look(cluster, topic, refused);
  if (written.groupId !== undefined) await look(cluster, offsetsTopic, refused);
  const coordinator = coordinatorOf(cluster, transactionalId, closed);
  if (!(await coordinator.ask((broker) => Promise.resolve(describesTransactions(broker))))) {
    refused('DescribeTransactions and DescribeProducers');
    return undefined;
  }
  const last = await coordinator.ask((broker) => describeEnded(broker, transactionalId));
  const begun = outcomeOfRecovery(last);
  const outcome = begun ?? outcomeOf(last);
  if (outcome === undefined) return undefined;
  const open = await tryWhilePassing(() => openOf(cluster, last.producerId, refused), {
    async beforeNext() {
      await pause(pauseMs);
      await cluster.refreshMetadata().catch(() => undefined);
    },
    closed,
  });
  if (open.length === 0) return undefined;
  const identity =
    begun === undefined
      ? await coordinator.ask((broker) =>
          broker.initProducerId({ transactionalId, transactionTimeout: recoveryTimeoutMs[outcome] }),
        )
      : last;
  await endThem(coordinator, { ...identity, transactionalId }, open, written, outcome);
  return outcome;
}

/** Rejects while the transaction's end is still being written: then it is not hanging. */
async function describeEnded(broker: Broker, transactionalId: string): Promise<TransactionState> {
  const found = await describeTransaction(broker, transactionalId);
  if (found.state.startsWith('Prepare')) throw kafkaError(concurrentTransactions);
  return found;
}

const concurrentTransactions = 51;

function outcomeOf({ state }: TransactionState): RecoveredTransaction {
  if (state === 'CompleteCommit') return 'committed';
  return state === 'CompleteAbort' ? 'aborted' : undefined;
}

/** The outcome of the transaction that an unfinished recovery was ending; undefined if there was none. */
function outcomeOfRecovery({ timeoutMs }: TransactionState): RecoveredTransaction {
  if (timeoutMs === recoveryTimeoutMs.committed) return 'committed';
  return timeoutMs === recoveryTimeoutMs.aborted ? 'aborted' : undefined;
}

/** A topic that does not exist has no open transaction. */
async function look(cluster: Cluster, topic: string, refused: (what: string) => void): Promise<void> {
  try {
    await cluster.addTargetTopic(topic);
  } catch (error) {
    const type = protocolErrorOf(error);
    if (type === 'TOPIC_AUTHORIZATION_FAILED') refused(topic);
    else if (type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
  }
}

/**
 * Rejects while a partition has no leader, or another one than we know: the end may be missing in that
 * partition, and the coordinator no longer knows which partitions the transaction had.
 */
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
  coordinator: Coordinator,
  { transactionalId, producerId, producerEpoch }: ProducerIdentity & { readonly transactionalId: string },
  open: readonly OpenTransaction[],
  { groupId }: WrittenByTransaction,
  outcome: Outcome,
): Promise<void> {
  const transaction = { transactionalId, producerId, producerEpoch };
  const topics = new Map<string, number[]>();
  for (const { topic, partition } of open)
    if (topic !== offsetsTopic) topics.set(topic, [...(topics.get(topic) ?? []), partition]);
  if (topics.size > 0)
    await coordinator.ask((broker) =>
      broker.addPartitionsToTxn({
        ...transaction,
        topics: [...topics].map(([topic, partitions]) => ({ topic, partitions })),
      }),
    );
  if (groupId !== undefined && open.some(({ topic }) => topic === offsetsTopic))
    await coordinator.ask((broker) => broker.addOffsetsToTxn({ ...transaction, groupId }));
  await coordinator.ask((broker) =>
    broker.endTxn({ ...transaction, transactionResult: outcome === 'committed' }),
  );
}
