import type { Socket } from 'node:net';
import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker } from 'kafkajs/src/cluster/index.js';
import { pause } from '../../backoff.js';
import { protocolErrorOf, tryWhilePassing } from '../protocol/kafka-error.js';

export const ofGroup = 0;
export const ofTransaction = 1;
const pauseMs = 20;
/** The coordinator is the right one, and still writes the end of the transaction before: that takes milliseconds. */
const markersMs = 3;

interface CoordinatorOptions {
  readonly closed?: AbortSignal | undefined;
  /** Called before each further try, with the error of the one before. */
  readonly beforeNext?: (error: unknown) => Promise<void>;
}

/** How a coordinator was reached at some time. */
export interface Reached {
  readonly failures: number;
  readonly socket: Socket | undefined;
}

/**
 * Asks the coordinator of an id, which is looked up once, and again after a failure. All of these requests may be
 * repeated where their answer was lost: a coordinator answers a repeated request as it did the first time, and refuses
 * a producer that was fenced meanwhile.
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
      { beforeNext: (error) => this.beforeNext(error), closed: options.closed },
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

/** The present coordinator of a transactional id. */
export const coordinatorOf = (cluster: Cluster, transactionalId: string, closed?: AbortSignal): Coordinator =>
  new Coordinator(cluster, ofTransaction, transactionalId, { closed });
