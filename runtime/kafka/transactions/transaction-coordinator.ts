import type { Socket } from 'node:net';
import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker } from 'kafkajs/src/cluster/index.js';
import { Backoff, pause } from '../../backoff.js';
import { protocolErrorOf, tryWhilePassing } from '../protocol/kafka-error.js';
import type { OutgoingPart, ProducerIdentity } from '../protocol/produce-request.js';

const ofGroup = 0;
const ofTransaction = 1;
/**
 * Pauses while the coordinator still writes the previous transaction's end. That takes milliseconds. If it takes
 * longer, because a broker hangs, the pauses grow: many polling producers would slow down what they wait for.
 */
class MarkerPauses {
  private polls = 0;

  next(): number {
    this.polls += 1;
    return Math.min(100, 3 * 2 ** Math.max(0, this.polls - 8));
  }
}

interface CoordinatorOptions {
  readonly closed?: AbortSignal | undefined;
  /** Called before each retry, with the previous error. */
  readonly beforeNext?: (error: unknown) => Promise<void>;
}

/** How a coordinator was reached at some time. */
export interface Reached {
  readonly failures: number;
  readonly socket: Socket | undefined;
}

/**
 * Sends requests to the coordinator of an id, which is looked up once, and again after a failure. All of
 * these requests can be repeated if an answer was lost: the coordinator answers a repeat as it did the first
 * time, and refuses a producer that was fenced meanwhile.
 */
export class Coordinator {
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

  /** Whether the same connection has worked since, without a failure: then the coordinator was never down. */
  isReachedSince({ failures, socket }: Reached): boolean {
    const now = this.reached;
    return socket !== undefined && now.socket === socket && now.failures === failures;
  }

  ask<Answer>(request: (coordinator: Broker) => Promise<Answer>): Promise<Answer> {
    const { cluster, coordinatorType, groupId, options } = this;
    const backoff = new Backoff(20, 200);
    const markers = new MarkerPauses();
    return tryWhilePassing(
      async () => {
        this.known ??= await cluster.findGroupCoordinator({ groupId, coordinatorType });
        return request(this.known);
      },
      { beforeNext: (error) => this.beforeNext(error, backoff, markers), closed: options.closed },
    );
  }

  private async beforeNext(error: unknown, backoff: Backoff, markers: MarkerPauses): Promise<void> {
    if (protocolErrorOf(error) === 'CONCURRENT_TRANSACTIONS')
      await pause(markers.next(), this.options.closed);
    else {
      this.failures += 1;
      this.known = undefined;
      await pause(backoff.next(), this.options.closed);
      await this.cluster.refreshMetadata().catch(() => undefined);
    }
    await this.options.beforeNext?.(error);
  }
}

/** The present coordinator of a transactional id. */
export const coordinatorOf = (cluster: Cluster, transactionalId: string, closed?: AbortSignal): Coordinator =>
  new Coordinator(cluster, ofTransaction, transactionalId, { closed });

/** The group's position after a transaction, committed with it. */
export interface ConsumedOffset {
  readonly groupId: string;
  readonly topic: string;
  readonly partition: number;
  /** The next offset to read. */
  readonly next: number;
}

interface TransactionOptions {
  /** Aborted once nobody waits for an answer. */
  readonly closed: AbortSignal;
  /** Ends the id's last transaction if it is hanging (recover-hanging-transaction.ts). */
  readonly recover: () => Promise<void>;
}

type InTransaction = Parameters<Broker['endTxn']>[0];

/** The requests of a transactional producer to the coordinators of its id and of its group. One call at a time. */
export class TransactionCoordinator {
  readonly identity: ProducerIdentity;
  private readonly groups = new Map<string, Coordinator>();
  private readonly admitted = new Set<string>();
  private hasOffsets = false;

  private constructor(
    private readonly cluster: Cluster,
    private readonly coordinator: Coordinator,
    private readonly lastEnd: LastEnd,
    private readonly transaction: Omit<InTransaction, 'transactionResult'>,
    private readonly closed: AbortSignal,
    private readonly phase: Phase,
  ) {
    const { transactionalId, producerId, producerEpoch } = transaction;
    this.identity = { transactionalId, producerId: BigInt(producerId), producerEpoch };
  }

  /**
   * Fences every predecessor, and waits until its last transaction has ended; calls `recover` before each
   * check. Also calls `recover` if the coordinator went down after it had ended a transaction of this
   * producer: at once, and before the next transaction begins. Otherwise an abort of the next one would also
   * abort what had been committed.
   */
  static async fence(
    cluster: Cluster,
    transactionalId: string,
    transactionTimeout: number,
    { closed, recover }: TransactionOptions,
  ): Promise<TransactionCoordinator> {
    const phase: Phase = { is: 'fencing' };
    const coordinator = new Coordinator(cluster, ofTransaction, transactionalId, {
      closed,
      async beforeNext(error) {
        const isAlive = protocolErrorOf(error) === 'CONCURRENT_TRANSACTIONS';
        if (phase.is === 'fencing' && isAlive) await recover();
        if (phase.is === 'beginning' && !isAlive) await lastEnd.settle();
      },
    });
    const lastEnd = new LastEnd(coordinator, recover, closed);
    const identity = await coordinator.ask((broker) =>
      broker.initProducerId({ transactionalId, transactionTimeout }),
    );
    phase.is = 'under way';
    const { producerId, producerEpoch } = identity;
    const transaction = { transactionalId, producerId, producerEpoch };
    return new TransactionCoordinator(cluster, coordinator, lastEnd, transaction, closed, phase);
  }

  /** Adds the partitions to the transaction; the first one begins it. */
  readonly admit = async (parts: readonly OutgoingPart[]): Promise<void> => {
    const { admitted, transaction } = this;
    const fresh = parts.filter(({ topic, partition }) => !admitted.has(`${topic}/${partition}`));
    if (fresh.length === 0) return;
    const topics = new Map<string, number[]>();
    for (const { topic, partition } of fresh) topics.set(topic, [...(topics.get(topic) ?? []), partition]);
    const request = [...topics].map(([topic, partitions]) => ({ topic, partitions }));
    await this.askWithin((broker) => broker.addPartitionsToTxn({ ...transaction, topics: request }));
    for (const { topic, partition } of fresh) admitted.add(`${topic}/${partition}`);
  };

  async commitOffset({ groupId, topic, partition, next }: ConsumedOffset): Promise<void> {
    const { cluster, closed, groups, transaction } = this;
    await this.askWithin((broker) => broker.addOffsetsToTxn({ ...transaction, groupId }));
    this.hasOffsets = true;
    const topics = [{ topic, partitions: [{ partition, offset: String(next) }] }];
    let group = groups.get(groupId);
    if (group === undefined)
      groups.set(groupId, (group = new Coordinator(cluster, ofGroup, groupId, { closed })));
    await group.ask((broker) => broker.txnOffsetCommit({ ...transaction, groupId, topics }));
  }

  /** Commits the transaction. If nothing was added to it, there is none, and this does nothing. */
  async commit(): Promise<void> {
    if (!this.hasBegun) return;
    this.lastEnd.begin();
    await this.coordinator.ask((broker) => broker.endTxn({ ...this.transaction, transactionResult: true }));
    this.admitted.clear();
    this.hasOffsets = false;
    this.lastEnd.settleSoon();
  }

  /** To be called before another one fences this one, and recovers the last transaction if need be. */
  leave(): void {
    this.lastEnd.forget();
  }

  private get hasBegun(): boolean {
    return this.admitted.size > 0 || this.hasOffsets;
  }

  /** The first request of a transaction begins it. */
  private async askWithin(request: (coordinator: Broker) => Promise<unknown>): Promise<void> {
    if (!this.hasBegun) {
      await this.lastEnd.settle();
      this.phase.is = 'beginning';
    }
    await this.coordinator.ask(request).finally(() => (this.phase.is = 'under way'));
  }
}

/** What the present request is for: this decides what has to happen before a retry. */
interface Phase {
  is: 'fencing' | 'beginning' | 'under way';
}

/**
 * Whether a producer's last transaction may lack its end in some partition: a coordinator that went down
 * after it had decided the end, and came back, may have left it out (recover-hanging-transaction.ts).
 */
class LastEnd {
  /** How the coordinator was reached before it was asked for the end; undefined if no end is missing. */
  private over: Reached | undefined;
  private settling = Promise.resolve();

  constructor(
    private readonly coordinator: Coordinator,
    private readonly recover: () => Promise<void>,
    private readonly closed: AbortSignal,
  ) {}

  /** To be called before the coordinator is asked for the end. */
  begin(): void {
    this.forget();
    this.over = this.coordinator.reached;
    this.over.socket?.once('close', this.settleSoon);
  }

  /** Resolves once no end is missing. */
  settle(): Promise<void> {
    const look = (): Promise<void> => this.look();
    return (this.settling = this.settling.then(look, look));
  }

  /** If it fails, the next `settle` checks again. */
  readonly settleSoon = (): void => void this.settle().catch(() => undefined);

  forget(): void {
    this.over?.socket?.off('close', this.settleSoon);
    this.over = undefined;
  }

  private async look(): Promise<void> {
    if (this.closed.aborted || this.over === undefined || this.coordinator.isReachedSince(this.over)) return;
    await this.recover();
    this.over = undefined;
  }
}
