import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { provokeRejections } from './broken-clusters.js';
import { keepInPlace, startTasks } from './busy-clusters.js';
import { answersOf, watchGauges, type ClusterAnswers } from './cluster-answers.js';
import { sharedPipeline, type Pipeline } from './pipeline.js';
import { newKey } from './operator-questions.js';
import { role, runTelltale, type Role } from './roles.js';
import { until } from './until.js';
import { operateSlowly, startWatchedClusters, type WatchedCluster } from './watched-clusters.js';

/** Real clusters of every available version, an agent that watches them, and the whole product behind it. */
export interface Watching {
  readonly pipeline: Pipeline;
  readonly agent: Role;
  /** The output of `telltale agent check` before the agent was started. */
  readonly checked: string;
  readonly clusters: readonly WatchedCluster[];
  readonly query: <Row>(sql: string) => Promise<readonly Row[]>;
  /** The rows of a query, once there are enough. */
  readonly until: <Row>(sql: string, enough?: (found: readonly Row[]) => boolean) => Promise<readonly Row[]>;
  /** The answers of a cluster from before it was watched until now. */
  readingsUntilNow(cluster: WatchedCluster): Promise<readonly ClusterAnswers[]>;
  stop(): Promise<void>;
}

/** The agent's status of the watch of one cluster. */
export interface Watch {
  readonly cluster: { readonly uuid: string } | null;
  readonly state: string;
  readonly sections: readonly { readonly section: string; readonly next_try_at: number | null }[];
}

export async function watchesOf(agent: Role): Promise<readonly Watch[]> {
  const { parts } = (await (await fetch(`${agent.url}/status`)).json()) as {
    readonly parts: { readonly collectors: { readonly clusters: readonly Watch[] } };
  };
  return parts.collectors.clusters;
}

const workspace = 'watched-cluster';

export async function startWatching(): Promise<Watching> {
  const [pipeline, clusters] = await Promise.all([sharedPipeline(workspace), startWatchedClusters()]);
  await Promise.all(clusters.map(makeBusy));
  const environment = await environmentOf(pipeline, clusters);
  const checked = await runTelltale(['agent', 'check'], environment);
  const agent = await role({
    program: fileURLToPath(new URL('./quick-telltale.js', import.meta.url)),
    command: 'agent',
    portVariable: 'AGENT_PORT',
    environment,
    logFile: join(environment.AGENT_FOLDER, 'agent.log'),
  });
  const before = new Map(
    await Promise.all(clusters.map(async (cluster) => [cluster, await answersOf(cluster)] as const)),
  );
  const gauges = new Map(clusters.map((cluster) => [cluster, watchGauges(cluster)] as const));
  await agent.start();
  const query = <Row>(sql: string): Promise<readonly Row[]> => pipeline.query<Row>(sql);
  return {
    pipeline,
    agent,
    checked,
    clusters,
    query,
    until: async <Row>(sql: string, enough = (found: readonly Row[]) => found.length > 0) => {
      let found: readonly Row[] = [];
      const isEnough = async (): Promise<boolean> => {
        found = await query<Row>(sql);
        if (!enough(found)) await sleep(500);
        return enough(found);
      };
      await until(`enough rows of ${sql}`, isEnough);
      return found;
    },
    async readingsUntilNow(cluster) {
      const nodes = (await gauges.get(cluster)?.stop()) ?? [];
      const first = before.get(cluster);
      if (first === undefined) throw new Error('it is watched from the beginning');
      return [first, ...nodes.map((node) => ({ ...first, node })), await answersOf(cluster)];
    },
    async stop() {
      await agent.stop();
      await Promise.all(clusters.map(({ node }) => node.stop()));
      await pipeline.stop();
    },
  };
}

/** Creates something to show in every table; after that only the waiting time of tasks changes. */
async function makeBusy(cluster: WatchedCluster): Promise<void> {
  await keepInPlace(cluster.ask);
  await startTasks(cluster);
  await operateSlowly(cluster, 1);
  await provokeRejections(cluster);
  await cluster.ask('POST', '/_refresh');
  await cluster.ask('POST', '/_flush');
}

/** The work of an operator: a key with only the privileges that an agent needs, and integration.json. */
async function environmentOf(pipeline: Pipeline, clusters: readonly WatchedCluster[]) {
  const folder = join(pipeline.folder, 'watching-agent');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'integration.json');
  writeFileSync(file, JSON.stringify(clusters.map(({ entry }) => entry)));
  return {
    AGENT_SERVER_URL: pipeline.edge.url,
    AGENT_API_KEY: await newKey(pipeline.environment, workspace, ['agent']),
    AGENT_FOLDER: folder,
    AGENT_INTEGRATION_FILE: file,
  };
}
