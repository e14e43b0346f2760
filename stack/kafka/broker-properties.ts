export interface BrokerAddress {
  readonly port: number;
  readonly controllerPort: number;
  readonly dataFolder: string;
  /** Which node of a cluster it is; the only node if absent. */
  readonly cluster?: ClusterNode;
  /** Separate listeners for clients, and any other differences. */
  readonly properties?: Readonly<Record<string, string>>;
}

export interface ClusterNode {
  /** Starts at 1. */
  readonly nodeId: number;
  /** Controller ports of all nodes, by their ids: the first is node 1's. */
  readonly controllerPorts: readonly number[];
}

/**
 * Kafka in KRaft mode, broker and controller in one process, made for one developer: little memory, one partition for
 * each internal topic (three in a cluster), and short sessions, so that a restart after `kill -9` takes seconds.
 */
export function brokerProperties(address: BrokerAddress): string {
  const { port, controllerPort, dataFolder, cluster, properties = {} } = address;
  const { nodeId, controllerPorts } = cluster ?? { nodeId: 1, controllerPorts: [controllerPort] };
  return toText({
    'process.roles': 'broker,controller',
    'node.id': nodeId,
    'controller.quorum.voters': controllerPorts.map((at, index) => `${index + 1}@127.0.0.1:${at}`).join(','),
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': dataFolder,
    ...records,
    ...internalTopics(controllerPorts.length),
    ...smallAndQuick,
    ...(cluster === undefined ? {} : inCluster(controllerPorts.length)),
    ...properties,
  });
}

const mebibyte = 1024 * 1024;

const records = {
  // Topics are created only from the catalogue: a mistyped name must fail, not create a topic.
  'auto.create.topics.enable': false,
  'message.max.bytes': 16 * mebibyte,
  'replica.fetch.max.bytes': 16 * mebibyte,
  'log.cleaner.dedupe.buffer.size': 16 * mebibyte,
};

/** With several brokers, each coordinates a part, and one may be down. */
const internalTopics = (brokers: number) => ({
  'offsets.topic.num.partitions': brokers,
  'offsets.topic.replication.factor': brokers,
  'transaction.state.log.num.partitions': brokers,
  'transaction.state.log.replication.factor': brokers,
  'transaction.state.log.min.isr': Math.min(2, brokers),
  'share.coordinator.state.topic.num.partitions': 1,
  'share.coordinator.state.topic.replication.factor': brokers,
  'share.coordinator.state.topic.min.isr': Math.min(2, brokers),
});

const smallAndQuick = {
  'num.partitions': 1,
  'num.network.threads': 2,
  'num.io.threads': 2,
  'background.threads': 2,
  'num.recovery.threads.per.data.dir': 1,
  'group.initial.rebalance.delay.ms': 0,
  'group.min.session.timeout.ms': 1000,
  // A transaction whose producer was killed blocks read-committed readers until it is aborted.
  'transaction.abort.timed.out.transaction.cleanup.interval.ms': 1000,
  'log.cleaner.backoff.ms': 1000,
  'log.segment.delete.delay.ms': 1000,
  // No-op records, which show that the metadata log moves.
  'metadata.max.idle.interval.ms': 30_000,
  'controlled.shutdown.enable': true,
  'broker.session.timeout.ms': 1500,
  'broker.heartbeat.interval.ms': 300,
};

/** Brokers that share a busy machine can be silent for longer without having died. */
const inCluster = (brokers: number) => ({
  'broker.session.timeout.ms': 6_000,
  'broker.heartbeat.interval.ms': 500,
  // A new controller restarts every session: the sooner it is elected, the sooner a broker is declared dead.
  'controller.quorum.fetch.timeout.ms': 1_000,
  'controller.quorum.election.timeout.ms': 500,
  'controller.quorum.election.backoff.max.ms': 500,
  // A follower that asks a new leader too early waits this long, and until then nothing is acknowledged.
  'replica.fetch.backoff.ms': 100,
  'replica.fetch.wait.max.ms': 100,
  'replica.lag.time.max.ms': 10_000,
  'default.replication.factor': brokers,
});

/** The same node as only a controller, which quickly declares a silent broker dead. */
export function fencingProperties({
  controllerPort,
  dataFolder,
}: Pick<BrokerAddress, 'controllerPort' | 'dataFolder'>): string {
  return toText({
    'process.roles': 'controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `CONTROLLER://127.0.0.1:${controllerPort}`,
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': dataFolder,
    'broker.session.timeout.ms': 200,
    'broker.heartbeat.interval.ms': 50,
  });
}

function toText(properties: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(properties)
    .map(([key, value]) => `${key}=${String(value)}\n`)
    .join('');
}
