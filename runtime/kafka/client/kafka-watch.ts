import type Cluster from 'kafkajs/src/cluster/index.js';
import type { PartitionMetadata } from 'kafkajs/src/cluster/index.js';
import { watchDependency } from '../../dependency-watch.js';
import type { Health } from '../../health.js';
import type { Stoppable } from '../../lifecycle.js';
import { connectCluster, connectWithRetry } from './cluster.js';
import { kafkaUnreachable, type KafkaAccess, type OpenSocket } from './kafka-access.js';
import { connect } from 'node:net';

/**
 * Notices at once that no broker answers, long before a produce request fails. It watches every socket of a
 * client. When one fails, it connects to the address itself, again and again until the address answers.
 */
export interface BrokerWatch {
  /** No address that this client has used accepts a connection now. */
  readonly away: boolean;
  /** Opens every connection of the client. */
  readonly openSocket: OpenSocket;
  stop(): void;
}

const probeEveryMs = 200;
const probeTimeoutMs = 1_000;

export function watchBrokers(open: OpenSocket): BrokerWatch {
  const answering = new Map<string, boolean>();
  const probes = new Map<string, ReturnType<typeof setTimeout>>();
  let stopped = false;

  const suspect = (host: string, port: number): void => {
    const address = `${host}:${port}`;
    if (stopped || probes.has(address)) return;
    const probe = (): void => {
      void answers(host, port).then((answered) => {
        answering.set(address, answered);
        if (answered || stopped) probes.delete(address);
        else probes.set(address, setTimeout(probe, probeEveryMs).unref());
      });
    };
    probes.set(address, setTimeout(probe, 0).unref());
  };

  return {
    get away() {
      return answering.size > 0 && ![...answering.values()].includes(true);
    },
    openSocket({ host, port }, onConnect) {
      const socket = open({ host, port }, () => {
        answering.set(`${host}:${port}`, true);
        onConnect();
      });
      socket.on('error', () => suspect(host, port));
      // The end of a connection that this client ended itself says nothing about the broker.
      socket.on('end', () => {
        if (!socket.writableEnded) suspect(host, port);
      });
      return socket;
    },
    stop() {
      stopped = true;
      for (const timer of probes.values()) clearTimeout(timer);
      probes.clear();
    },
  };
}

/** Whether it accepts connections: a broker that refuses our certificate or password is not down. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answered: boolean) => (): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(probeTimeoutMs, end(false));
    socket.once('connect', end(true));
    socket.once('error', end(false));
  });
}

/** Rejects with KAFKA_UNREACHABLE if no broker returns the cluster's metadata. */
export async function requireKafka(kafka: KafkaAccess): Promise<void> {
  try {
    const cluster = await connectWithRetry('start', kafka, {
      retryForMs: startRetryMs,
      prepare: (connected) => connected.refreshMetadata(),
    });
    await cluster.disconnect();
  } catch (cause) {
    throw kafkaUnreachable(kafka, cause);
  }
}

/** Short, so that if nothing listens, the message that says what to do appears soon. */
const startRetryMs = 1_000;

interface KafkaWatchOptions {
  readonly kafka: KafkaAccess;
  /** The topics that the process reads and writes. */
  readonly topics: readonly { readonly name: string }[];
  readonly health: Health;
}

/** The process is ready only while a broker answers and each of these topics has a leader for every partition. */
export function watchKafka({ kafka, topics, health }: KafkaWatchOptions): Stoppable {
  const names = [...new Set(topics.map((topic) => topic.name))];
  let cluster: Cluster | undefined;

  /** A connection that failed once is not trusted again. */
  const release = async (): Promise<void> => {
    const failed = cluster;
    cluster = undefined;
    await failed?.disconnect().catch(() => undefined);
  };
  const watch = watchDependency({
    name: 'Kafka',
    condition: health.condition('Kafka'),
    async ask() {
      try {
        if (cluster === undefined)
          cluster = await connectCluster('readiness', kafka, (connected) =>
            connected.addMultipleTargetTopics(names),
          );
        else await cluster.refreshMetadata();
        for (const name of names) requireLeaders(name, cluster.findTopicPartitionMetadata(name));
      } catch (error) {
        await release();
        throw error;
      }
    },
  });
  return {
    name: watch.name,
    async stop() {
      await watch.stop();
      await release();
    },
  };
}

function requireLeaders(topic: string, partitions: readonly PartitionMetadata[]): void {
  const without = partitions.filter(({ leader }) => leader < 0).map(({ partitionId }) => partitionId);
  if (without.length > 0) throw new Error(`no leader for partition ${without.join(', ')} of ${topic}`);
}
