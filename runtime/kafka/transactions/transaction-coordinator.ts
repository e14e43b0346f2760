import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker } from 'kafkajs/src/cluster/index.js';
import { pause } from '../../backoff.js';
import type { OutgoingPart, ProducerIdentity } from '../protocol/produce-request.js';
import { protocolErrorOf, tryWhilePassing } from '../protocol/kafka-error.js';

/** The group's position after a transaction, committed with it. */
export interface ConsumedOffset {
  readonly groupId: string;
  readonly topic: string;
  readonly partition: number;
  /** The next offset to read. */
  readonly next: number;
}

/** The requests of a transactional producer to the coordinators of its id and of its group. One call at a time. */
export interface TransactionCoordinator {
  readonly identity: ProducerIdentity;
  /** Adds the partitions to the transaction, which begins with the first. */
  readonly admit: (parts: readonly OutgoingPart[]) => Promise<void>;
  commitOffset(consumed: ConsumedOffset): Promise<void>;
  /** Commits the transaction; without added partitions there is none, and nothing to do. */
  commit(): Promise<void>;
}

const ofGroup = 0;
const ofTransaction = 1;
const pauseMs = 20;
/** The coordinator is the right one, and still writes the end of the transaction before: that takes milliseconds. */
const markersMs = 3;
/** Long enough for the election of a coordinator, and for the end of a predecessor's transaction. */
const retryForMs = 12_000;

/**
 * Fences every predecessor, and waits until its last transaction has ended; `whileEnding` is called before each look
 * whether it has.
 */
export async function transactionCoordinator(
  cluster: Cluster,
  transactionalId: string,
  transactionTimeout: number,
  { closed, whileEnding }: { readonly closed: AbortSignal; readonly whileEnding: () => Promise<void> },
): Promise<TransactionCoordinator> {
  let isFencing = true;
  const coordinator = remembered(cluster, ofTransaction, transactionalId, closed, async () => {
    if (isFencing) await whileEnding();
  });
  const { producerId, producerEpoch } = await coordinator((broker) =>
    broker.initProducerId({ transactionalId, transactionTimeout }),
  );
  isFencing = false;
  const transaction = { transactionalId, producerId, producerEpoch };
  const groups = new Map<string, Ask>();
  const admitted = new Set<string>();
  let hasOffsets = false;

  return {
    identity: { transactionalId, producerId: BigInt(producerId), producerEpoch },
    async admit(parts) {
      const fresh = parts.filter(({ topic, partition }) => !admitted.has(`${topic}/${partition}`));
      if (fresh.length === 0) return;
      const topics = new Map<string, number[]>();
      for (const { topic, partition } of fresh) topics.set(topic, [...(topics.get(topic) ?? []), partition]);
      const request = [...topics].map(([topic, partitions]) => ({ topic, partitions }));
      await coordinator((broker) => broker.addPartitionsToTxn({ ...transaction, topics: request }));
      for (const { topic, partition } of fresh) admitted.add(`${topic}/${partition}`);
    },
    async commitOffset({ groupId, topic, partition, next }) {
      hasOffsets = true;
      await coordinator((broker) => broker.addOffsetsToTxn({ ...transaction, groupId }));
      const topics = [{ topic, partitions: [{ partition, offset: String(next) }] }];
      let group = groups.get(groupId);
      if (group === undefined) groups.set(groupId, (group = remembered(cluster, ofGroup, groupId, closed)));
      await group((broker) => broker.txnOffsetCommit({ ...transaction, groupId, topics }));
    },
    async commit() {
      if (admitted.size === 0 && !hasOffsets) return;
      await coordinator((broker) => broker.endTxn({ ...transaction, transactionResult: true }));
      admitted.clear();
      hasOffsets = false;
    },
  };
}

/** The present coordinator of a transactional id. */
export function coordinatorOf(cluster: Cluster, transactionalId: string, closed?: AbortSignal): Ask {
  return remembered(cluster, ofTransaction, transactionalId, closed);
}

type Ask = <Answer>(request: (coordinator: Broker) => Promise<Answer>) => Promise<Answer>;

/**
 * Asks the coordinator of an id, which is looked up once, and again after a failure. All of these requests may be
 * repeated where their answer was lost: a coordinator answers a repeated request as it did the first time, and refuses
 * a producer that was fenced meanwhile.
 */
function remembered(
  cluster: Cluster,
  coordinatorType: number,
  groupId: string,
  closed?: AbortSignal,
  whileConcurrent: () => Promise<void> = () => Promise.resolve(),
): Ask {
  let known: Broker | undefined;
  const beforeNext = async (error: unknown): Promise<void> => {
    if (protocolErrorOf(error) === 'CONCURRENT_TRANSACTIONS') {
      await pause(markersMs);
      return whileConcurrent();
    }
    known = undefined;
    await pause(pauseMs);
    await cluster.refreshMetadata().catch(() => undefined);
  };
  return (request) =>
    tryWhilePassing(
      async () => {
        known ??= await cluster.findGroupCoordinator({ groupId, coordinatorType });
        return request(known);
      },
      { retryForMs, beforeNext, closed },
    );
}
