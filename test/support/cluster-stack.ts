import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { readClusterState } from '../../runtime/kafka/client/admin.js';
import { accessTo } from './kafka.js';
import { startKafkaCluster, type KafkaCluster } from './kafka-cluster.js';
import { localServers } from './local-servers.js';
import type { TestAccounts } from './servers.js';
import type { TestStack } from './stack.js';
import { until } from './until.js';

/** Servers of one test: three brokers, and a registry and a ClickHouse without data of other tests. */
export interface ClusterStack extends TestStack, Omit<KafkaCluster, 'brokers'> {
  /** Resolves once every partition of these topics is in sync on all three brokers again. */
  inSync(topics: readonly string[]): Promise<void>;
}

export async function startClusterStack(): Promise<ClusterStack> {
  const folder = resolve('.telltale-test', `cluster-${process.pid}-${randomBytes(3).toString('hex')}`);
  const account = (user: string) => ({ user, password: randomBytes(12).toString('base64url') });
  const accounts: TestAccounts = {
    writer: account('telltale'),
    edge: account('edge'),
    analyst: account('analyst'),
    workspaceAnalysts: [],
    registry: account('telltale'),
  };
  const { registry, clickhouse } = await localServers(accounts, folder, () => undefined);
  const [cluster] = await Promise.all([startKafkaCluster(folder), registry.start(), clickhouse.start()]);
  const [first] = cluster.nodes;
  if (first === undefined) throw new Error('the cluster has no broker');
  return {
    brokers: cluster.brokers,
    signedIn: cluster.signedIn,
    nodes: cluster.nodes,
    activeController: cluster.activeController,
    kafka: first,
    registry,
    clickhouseServer: clickhouse,
    clickhouse: { url: clickhouse.url, ...accounts },
    registryConfig: {
      SCHEMA_REGISTRY_URL: registry.url,
      SCHEMA_REGISTRY_USER: accounts.registry.user,
      SCHEMA_REGISTRY_PASSWORD: accounts.registry.password,
    },
    folder,
    inSync: (topics) =>
      until('all replicas are in sync', async () => {
        const state = await readClusterState(accessTo(cluster.brokers), topics).catch(() => undefined);
        return (
          state !== undefined &&
          state.topics.every(({ partitions }) =>
            partitions.every(({ inSync, replicas }) => inSync === replicas),
          )
        );
      }),
    async stop() {
      await Promise.all([cluster.stop(), registry.stop(), clickhouse.stop()]);
      if (process.env['KEEP_TEST_STACK'] === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
