import { mkdtempSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { elasticsearchCluster, type ElasticsearchCluster } from '../../stack/elasticsearch/cluster.js';
import { whyNotTested, type ElasticsearchVersion } from '../../stack/elasticsearch/distributions.js';
import {
  elasticsearchNode,
  type ElasticsearchNode,
  type ElasticsearchOptions,
} from '../../stack/elasticsearch/elasticsearch.js';
import { pickFreePort } from '../../stack/ports.js';

const say = (line: string): void => console.log(`    [elasticsearch] ${line}`);
const started: { stop(): Promise<void> }[] = [];
const folders: string[] = [];
const shared = new Map<ElasticsearchVersion, Promise<ElasticsearchNode>>();

/** The password of the user `elastic` on the nodes of tests. */
export const elasticPassword = 'elastic-of-the-tests';

/** The setting that logs each request on the server's console. */
export const tracing = { 'logger.org.elasticsearch.http.HttpTracer': 'TRACE' } as const;

/** For every node whose rows are compared with its answers; a node has no attribute by default. */
export const attribute = { 'node.attr.zone': 'north' } as const;

/** The settings of the shared node of each version: without security, with it, and as newly installed. */
const setUps = {
  '7.17.15': { version: '7.17.15' },
  '8.14.1': { version: '8.14.1', password: elasticPassword, settings: { ...tracing, ...attribute } },
  '9.4.3': {
    version: '9.4.3',
    password: elasticPassword,
    https: true,
    settings: { ...tracing, ...attribute },
  },
} as const satisfies Record<ElasticsearchVersion, Parameters<typeof startElasticsearch>[0]>;

function sharedNode(version: ElasticsearchVersion): Promise<ElasticsearchNode> {
  const node = shared.get(version) ?? startElasticsearch(setUps[version]);
  shared.set(version, node);
  return node;
}

/**
 * A real Elasticsearch 7.17 of one node, started by the first test that asks and shared by all tests of a
 * run. Tests leave it running and restore its settings; to break a node, a test starts or takes one.
 */
export const theElasticsearch = (): Promise<ElasticsearchNode> => sharedNode('7.17.15');

/** A real 8.14 with security, shared likewise. Call `skipUnlessTested(this, '8.14.1')` first. */
export const theSecureElasticsearch = (): Promise<ElasticsearchNode> => sharedNode('8.14.1');

/** A real 9.4 with security, HTTPS and its own CA, likewise. Call `skipUnlessTested(this, '9.4.3')` first. */
export const theNewestElasticsearch = (): Promise<ElasticsearchNode> => sharedNode('9.4.3');

/** The shared node for a test that breaks and then stops it; later requests for a shared node get another. */
export async function takeElasticsearch(version: ElasticsearchVersion): Promise<ElasticsearchNode> {
  const node = await sharedNode(version);
  shared.delete(version);
  return node;
}

let three: Promise<ElasticsearchCluster> | undefined;

/**
 * Three nodes of 7.17, shared by the tests that don't break them permanently. A hanging node remains a member
 * for as long as a test takes.
 */
export function theThreeNodes(): Promise<ElasticsearchCluster> {
  three ??= startElasticsearchCluster('7.17.15', 3, {
    'cluster.fault_detection.follower_check.timeout': '60s',
    'cluster.publish.timeout': '120s',
  });
  return three;
}

/** The same for a test that breaks and then stops them; later requests get other nodes. */
export async function takeThreeNodes(): Promise<ElasticsearchCluster> {
  const cluster = await theThreeNodes();
  three = undefined;
  return cluster;
}

type OwnOptions = Omit<
  ElasticsearchOptions,
  'port' | 'transportPort' | 'portVariable' | 'dataFolder' | 'logFolder' | 'progress'
>;

/** Starts a node for one test; it ends with the run at the latest. `password` turns security on (8 and 9). */
export async function startElasticsearch(options: OwnOptions): Promise<ElasticsearchNode> {
  const folder = await ownFolder();
  const node = elasticsearchNode({
    ...options,
    port: await pickFreePort(),
    transportPort: await pickFreePort(),
    portVariable: 'nothing: the tests pick a port by themselves',
    dataFolder: folder,
    logFolder: folder,
    progress: say,
  });
  started.push(node);
  await node.start();
  return node;
}

/** Starts several nodes in one cluster; they end with the run at the latest. */
export async function startElasticsearchCluster(
  version: ElasticsearchVersion,
  nodes: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ElasticsearchCluster> {
  const folder = await ownFolder();
  const cluster = await elasticsearchCluster({ version, nodes, folder, settings, progress: say });
  started.push(cluster);
  await cluster.start();
  return cluster;
}

/** To be called first in a `before` hook: skips its tests, with the reason, if a version is not available. */
export async function skipUnlessTested(context: Mocha.Context, version: ElasticsearchVersion): Promise<void> {
  const reason = await whyNotTested(version);
  if (reason === undefined) return;
  say(`skipped: ${reason}`);
  context.skip();
}

export async function stopElasticsearch(): Promise<void> {
  await Promise.allSettled(shared.values());
  shared.clear();
  await three?.catch(() => undefined);
  three = undefined;
  await Promise.allSettled(started.splice(0).map((server) => server.stop()));
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** Not in the project's folder, which the server's user might not be able to read. */
async function ownFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-elasticsearch-'));
  await chmod(folder, 0o755);
  folders.push(folder);
  return folder;
}
