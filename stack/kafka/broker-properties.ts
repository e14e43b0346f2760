export interface BrokerAddress {
  readonly port: number;
  readonly controllerPort: number;
  readonly dataFolder: string;
  /** Listeners of its own for clients, and whatever else differs. */
  readonly properties?: Readonly<Record<string, string>>;
}

/**
 * Kafka in KRaft mode, broker and controller in one process, made for one developer: little memory, one partition for
 * each internal topic, and short sessions, so that a restart after `kill -9` takes seconds.
 */
export function brokerProperties(address: BrokerAddress): string {
  const { port, controllerPort, dataFolder, properties = {} } = address;
  return toText({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': dataFolder,
    ...records,
    ...internalTopics,
    ...smallAndQuick,
    ...properties,
  });
}

const mebibyte = 1024 * 1024;

const records = {
  // Topics come from the catalogue alone: a mistyped name must fail, not make a topic.
  'auto.create.topics.enable': false,
  'message.max.bytes': 16 * mebibyte,
  'replica.fetch.max.bytes': 16 * mebibyte,
  'log.cleaner.dedupe.buffer.size': 16 * mebibyte,
};

const internalTopics = {
  'offsets.topic.num.partitions': 1,
  'offsets.topic.replication.factor': 1,
  'transaction.state.log.num.partitions': 1,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'share.coordinator.state.topic.num.partitions': 1,
  'share.coordinator.state.topic.replication.factor': 1,
  'share.coordinator.state.topic.min.isr': 1,
};

const smallAndQuick = {
  'num.partitions': 1,
  'num.network.threads': 2,
  'num.io.threads': 2,
  'background.threads': 2,
  'num.recovery.threads.per.data.dir': 1,
  'group.initial.rebalance.delay.ms': 0,
  'group.min.session.timeout.ms': 1000,
  // A transaction whose producer was killed holds up read-committed readers until it is aborted.
  'transaction.abort.timed.out.transaction.cleanup.interval.ms': 1000,
  'log.cleaner.backoff.ms': 1000,
  'log.segment.delete.delay.ms': 1000,
  'controlled.shutdown.enable': true,
  'broker.session.timeout.ms': 1500,
  'broker.heartbeat.interval.ms': 300,
};

/** The same node as a controller alone, which takes a broker that is silent for a moment for dead. */
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
