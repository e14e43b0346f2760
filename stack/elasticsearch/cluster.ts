import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError } from '../../runtime/errors.js';
import { pickFreePort } from '../ports.js';
import type { Progress } from '../server.js';
import type { ElasticsearchVersion } from './distributions.js';
import { elasticsearchNode, type ElasticsearchNode } from './elasticsearch.js';

export interface ClusterOptions {
  readonly version: ElasticsearchVersion;
  readonly nodes: number;
  readonly clusterName?: string;
  /** One folder per node is created in it. */
  readonly folder: string;
  readonly heap?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly progress?: Progress;
}

export interface ElasticsearchCluster {
  readonly nodes: readonly ElasticsearchNode[];
  /** Resolves once every node has joined. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Nodes `m1`, `m2`, …, all of them master-eligible and holding data, on free ports. */
export async function elasticsearchCluster(options: ClusterOptions): Promise<ElasticsearchCluster> {
  const members: { name: string; port: number; transportPort: number }[] = [];
  for (let number = 1; number <= options.nodes; number++) {
    members.push({ name: `m${number}`, port: await pickFreePort(), transportPort: await pickFreePort() });
  }
  const nodes = members.map(({ name, port, transportPort }) =>
    elasticsearchNode({
      ...options,
      clusterName: options.clusterName ?? 'several',
      nodeName: name,
      port,
      transportPort,
      members,
      portVariable: 'nothing: the tests pick a port by themselves',
      dataFolder: join(options.folder, name),
      logFolder: join(options.folder, name),
    }),
  );
  const stop = async (): Promise<void> => {
    await Promise.allSettled(nodes.map((node) => node.stop()));
  };
  return {
    nodes,
    stop,
    start: async () => {
      try {
        await Promise.all(nodes.map((node) => node.start()));
        await Promise.all(nodes.map((node) => joined(node, nodes.length)));
      } catch (error) {
        await stop();
        throw error;
      }
    },
  };
}

async function joined({ url }: ElasticsearchNode, count: number): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/_cluster/health`).catch(() => undefined);
    const health = (await response?.json()) as { number_of_nodes?: number } | undefined;
    if (health?.number_of_nodes === count) return;
    await sleep(200);
  }
  throw new TelltaleError('SERVER_START_FAILED', {
    what: `A cluster of ${count} nodes`,
    reason: `${url} has not seen them all`,
  });
}
