import type { Socket } from 'node:net';
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
  /** Another one is about to fence this one, and looks after the ends of the last transaction. */
  leave(): void;
}

const ofGroup = 0;
const ofTransaction = 1;
const pauseMs = 20;
/** The coordinator is the right one, and still writes the end of the transaction before: that takes milliseconds. */
const markersMs = 3;
/** Long enough for the election of a coordinator, and for the end of a predecessor's transaction. */
const retryForMs = 12_000;

interface TransactionOptions {
  /** Aborted once nobody waits for an answer. */
  readonly closed: AbortSignal;
  /** Makes up for an end that Kafka has left out of the id's last transaction (recover-hanging-transaction.ts). */
  readonly recover: () => Promise<void>;
}

/**
 * Fences every predecessor, and waits until its last transaction has ended; `recover` is called before each look
 * whether it has. It is called too where the coordinator went away after it had ended a transaction of this producer:
 * at once, and before the next one begins. The abort of the next one would abort what had been committed.
 */
export async function transactionCoordinator(
  cluster: Cluster,
  transactionalId: string,
  transactionTimeout: number,
  { closed, recover }: TransactionOptions,
): Promise<TransactionCoordinator> {
  let phase: 'fencing' | 'beginning' | 'under way' = 'fencing';
  const coordinator = new Coordinator(cluster, ofTransaction, transactionalId, {
    closed,
    async beforeNext(error) {
      const isAlive = protocolErrorOf(error) === 'CONCURRENT_TRANSACTIONS';
      if (phase === 'fencing' && isAlive) await recover();
      if (phase === 'beginning' && !isAlive) await settle();
    },
  });
  /** How the coordinator was reached when it ended the last transaction; undefined where that has all its ends. */
  let endedOver: Reached | undefined;
  let settling = Promise.resolve();
  const lookForEnds = async (): Promise<void> => {
    if (closed.aborted || endedOver === undefined || coordinator.isReachedSince(endedOver)) return;
    await recover();
    endedOver = undefined;
  };
  const settle = (): Promise<void> => (settling = settling.then(lookForEnds, lookForEnds));
  const settleSoon = (): void => void settle().catch(() => undefined);

  const { producerId, producerEpoch } = await coordinator.ask((broker) =>
    broker.initProducerId({ transactionalId, transactionTimeout }),
  );
  phase = 'under way';
  const transaction = { transactionalId, producerId, producerEpoch };
  const groups = new Map<string, Coordinator>();
  const admitted = new Set<string>();
  let hasOffsets = false;
  /** The first request of a transaction begins it. */
  const askWithin = async (request: (coordinator: Broker) => Promise<unknown>): Promise<void> => {
    if (admitted.size === 0 && !hasOffsets) {
      await settle();
      phase = 'beginning';
    }
    await coordinator.ask(request).finally(() => (phase = 'under way'));
  };

  return {
    identity: { transactionalId, producerId: BigInt(producerId), producerEpoch },
    async admit(parts) {
      const fresh = parts.filter(({ topic, partition }) => !admitted.has(`${topic}/${partition}`));
      if (fresh.length === 0) return;
      const topics = new Map<string, number[]>();
      for (const { topic, partition } of fresh) topics.set(topic, [...(topics.get(topic) ?? []), partition]);
      const request = [...topics].map(([topic, partitions]) => ({ topic, partitions }));
      await askWithin((broker) => broker.addPartitionsToTxn({ ...transaction, topics: request }));
      for (const { topic, partition } of fresh) admitted.add(`${topic}/${partition}`);
    },
    async commitOffset({ groupId, topic, partition, next }) {
      await askWithin((broker) => broker.addOffsetsToTxn({ ...transaction, groupId }));
      hasOffsets = true;
      const topics = [{ topic, partitions: [{ partition, offset: String(next) }] }];
      let group = groups.get(groupId);
      if (group === undefined)
        groups.set(groupId, (group = new Coordinator(cluster, ofGroup, groupId, { closed })));
      await group.ask((broker) => broker.txnOffsetCommit({ ...transaction, groupId, topics }));
    },
    async commit() {
      if (admitted.size === 0 && !hasOffsets) return;
      endedOver?.socket?.off('close', settleSoon);
      endedOver = coordinator.reached;
      endedOver.socket?.once('close', settleSoon);
      await coordinator.ask((broker) => broker.endTxn({ ...transaction, transactionResult: true }));
      admitted.clear();
      hasOffsets = false;
      settleSoon();
    },
    leave() {
      endedOver?.socket?.off('close', settleSoon);
      endedOver = undefined;
    },
  };
}

/** The present coordinator of a transactional id. */
export const coordinatorOf = (cluster: Cluster, transactionalId: string, closed?: AbortSignal): Coordinator =>
  new Coordinator(cluster, ofTransaction, transactionalId, { closed });

interface CoordinatorOptions {
  readonly closed?: AbortSignal | undefined;
  /** Called before each further try, with the error of the one before. */
  readonly beforeNext?: (error: unknown) => Promise<void>;
}

/** How a coordinator was reached at some time. */
interface Reached {
  readonly failures: number;
  readonly socket: Socket | undefined;
}

/**
 * Asks the coordinator of an id, which is looked up once, and again after a failure. All of these requests may be
 * repeated where their answer was lost: a coordinator answers a repeated request as it did the first time, and refuses
 * a producer that was fenced meanwhile.
 */
class Coordinator {
  private known: Broker | undefined;
  private failures = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly coordinatorType: number,
    private readonly groupId: string,
    private readonly options: CoordinatorOptions,
  ) {}

  get reached(): Reached {
    const connection = this.known?.connectionPool.pool[0];
    return {
      failures: this.failures,
      socket: connection?.isConnected() === true ? connection.socket : undefined,
    };
  }

  /** Whether it has been reached over one connection since: it can't have been away. */
  isReachedSince({ failures, socket }: Reached): boolean {
    const now = this.reached;
    return socket !== undefined && now.socket === socket && now.failures === failures;
  }

  ask<Answer>(request: (coordinator: Broker) => Promise<Answer>): Promise<Answer> {
    const { cluster, coordinatorType, groupId, options } = this;
    return tryWhilePassing(
      async () => {
        this.known ??= await cluster.findGroupCoordinator({ groupId, coordinatorType });
        return request(this.known);
      },
      { retryForMs, beforeNext: (error) => this.beforeNext(error), closed: options.closed },
    );
  }

  private async beforeNext(error: unknown): Promise<void> {
    if (protocolErrorOf(error) === 'CONCURRENT_TRANSACTIONS') await pause(markersMs);
    else {
      this.failures += 1;
      this.known = undefined;
      await pause(pauseMs);
      await this.cluster.refreshMetadata().catch(() => undefined);
    }
    await this.options.beforeNext?.(error);
  }
}
