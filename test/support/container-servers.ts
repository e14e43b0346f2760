import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import { workspaceAnalystsXml } from '../../stack/clickhouse/workspace-analysts.js';
import { pickFreePort } from '../../stack/ports.js';
import type { Account, Progress, Server } from '../../stack/server.js';
import type { TestAccounts, TestServers } from './servers.js';

/** The same versions as in compose.yaml. */
const images = {
  kafka: 'apache/kafka:4.3.1',
  registry: 'apicurio/apicurio-registry:3.0.9',
  clickhouse: 'clickhouse/clickhouse-server:26.3.33.24',
};

export async function hasContainerEngine(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

/** The servers in containers. Each publishes a port that was picked beforehand, so that a restart keeps it. */
export async function containerServers(accounts: TestAccounts, progress: Progress): Promise<TestServers> {
  const started: StartedTestContainer[] = [];
  const note = (container: StartedTestContainer): void => void started.push(container);
  const [kafkaPort, registryPort, clickhousePort] = [
    await pickFreePort(),
    await pickFreePort(),
    await pickFreePort(),
  ];
  const registryUrl = `http://127.0.0.1:${registryPort}/apis/ccompat/v7`;
  const clickhouseUrl = `http://127.0.0.1:${clickhousePort}`;
  const server = (definition: Omit<ContainerServer, 'note' | 'progress'>): Server =>
    containerServer({ ...definition, note, progress });
  return {
    kafka: server({
      name: 'kafka',
      url: `127.0.0.1:${kafkaPort}`,
      container: kafkaContainer(kafkaPort),
      isReady: () => brokerAnswers(`127.0.0.1:${kafkaPort}`),
    }),
    registry: server({
      name: 'registry',
      url: registryUrl,
      container: registryContainer(registryPort, accounts.registry),
      isReady: () => answers(`${registryUrl}/subjects`, basic(accounts.registry)),
    }),
    clickhouse: server({
      name: 'clickhouse',
      url: clickhouseUrl,
      container: clickhouseContainer(clickhousePort, accounts),
      isReady: () => answers(`${clickhouseUrl}/ping`),
    }),
    async remove() {
      await Promise.allSettled(started.map((container) => container.stop({ remove: true })));
    },
  };
}

interface ContainerServer {
  readonly name: string;
  readonly url: string;
  readonly container: GenericContainer;
  readonly isReady: () => Promise<boolean>;
  readonly note: (container: StartedTestContainer) => void;
  readonly progress: Progress;
}

function containerServer({ name, url, container, isReady, note, progress }: ContainerServer): Server {
  let id: string | undefined;

  const ofEngine = async () => {
    if (id === undefined) return undefined;
    const { container: client } = await getContainerRuntimeClient();
    return { client, handle: client.getById(id) };
  };

  return {
    name,
    url,
    pid: undefined, // as good as on another machine, for a test
    async start() {
      const known = await ofEngine();
      if (known !== undefined) await known.client.start(known.handle);
      else {
        const first = await container.start();
        note(first);
        id = first.getId();
      }
      while (!(await isReady())) await sleep(100);
      progress(`${name} ready in a container, at ${url}`);
    },
    async stop() {
      const known = await ofEngine();
      await known?.client.stop(known.handle, { timeout: 10 });
    },
    async kill9() {
      const known = await ofEngine();
      await known?.handle.kill({ signal: 'SIGKILL' });
    },
  };
}

function kafkaContainer(port: number): GenericContainer {
  return new GenericContainer(images.kafka)
    .withExposedPorts({ container: port, host: port })
    .withStartupTimeout(120_000)
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:9093`,
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_MESSAGE_MAX_BYTES: '16777216',
      KAFKA_REPLICA_FETCH_MAX_BYTES: '16777216',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '1',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_NUM_PARTITIONS: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
      KAFKA_BROKER_SESSION_TIMEOUT_MS: '1500',
      KAFKA_BROKER_HEARTBEAT_INTERVAL_MS: '300',
    });
}

function registryContainer(port: number, { user, password }: Account): GenericContainer {
  return new GenericContainer(images.registry)
    .withExposedPorts({ container: 8080, host: port })
    .withStartupTimeout(120_000)
    .withEnvironment({
      APICURIO_STORAGE_KIND: 'sql',
      APICURIO_STORAGE_SQL_KIND: 'h2',
      APICURIO_DATASOURCE_URL: 'jdbc:h2:file:/tmp/registry;WRITE_DELAY=0',
      APICURIO_DATASOURCE_USERNAME: 'sa',
      APICURIO_DATASOURCE_PASSWORD: 'sa',
      QUARKUS_SECURITY_USERS_EMBEDDED_PLAIN_TEXT: 'true',
      [`QUARKUS_SECURITY_USERS_EMBEDDED_USERS_${user.toUpperCase()}`]: password,
      QUARKUS_HTTP_AUTH_PERMISSION_ALL_PATHS: '/*',
      QUARKUS_HTTP_AUTH_PERMISSION_ALL_POLICY: 'authenticated',
      QUARKUS_HTTP_AUTH_PERMISSION_ALL_AUTH_MECHANISM: 'basic',
    });
}

function clickhouseContainer(
  port: number,
  { writer, edge, analyst, workspaceAnalysts }: TestAccounts,
): GenericContainer {
  const users = '/etc/clickhouse-server/users.d';
  const files = ['users.xml', 'profiles.xml'].map((name) => ({
    source: resolve('deploy/clickhouse', name),
    target: `${users}/${name}`,
  }));
  const analysts = workspaceAnalystsXml(workspaceAnalysts, ['::/0']);
  return new GenericContainer(images.clickhouse)
    .withExposedPorts({ container: 8123, host: port })
    .withStartupTimeout(120_000)
    .withCopyFilesToContainer(files)
    .withCopyContentToContainer([{ content: analysts, target: `${users}/analysts.xml` }])
    .withEnvironment({
      CLICKHOUSE_SKIP_USER_SETUP: '1',
      CLICKHOUSE_WRITER_PASSWORD: writer.password,
      CLICKHOUSE_EDGE_PASSWORD: edge.password,
      CLICKHOUSE_PASSWORD: analyst.password,
    });
}

function basic({ user, password }: Account): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

async function answers(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  try {
    return (await fetch(url, { headers, signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

async function brokerAnswers(broker: string): Promise<boolean> {
  const kafka = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING, retry: { retries: 0 } });
  const admin = kafka.admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length > 0;
  } catch {
    return false;
  } finally {
    await admin.disconnect();
  }
}
