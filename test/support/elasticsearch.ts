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
let shared: Promise<ElasticsearchNode> | undefined;
let secure: Promise<ElasticsearchNode> | undefined;
let newest: Promise<ElasticsearchNode> | undefined;

/**
 * A real Elasticsearch 7.17 of one node, shared by all tests of a run and started by the first that asks. Tests leave
 * it running and settings as they were; one that kills or reconfigures a node starts its own.
 */
export function theElasticsearch(): Promise<ElasticsearchNode> {
  shared ??= startElasticsearch({ version: '7.17.15' });
  return shared;
}

/** A password of the user `elastic`, where a test's node asks for one. */
export const elasticPassword = 'elastic-of-the-tests';

/** A real 8.14 with security on, shared likewise. Call `skipUnlessTested(this, '8.14.1')` first. */
export function theSecureElasticsearch(): Promise<ElasticsearchNode> {
  secure ??= startElasticsearch({ version: '8.14.1', password: elasticPassword });
  return secure;
}

/** A real 9.4, shared likewise. Call `skipUnlessTested(this, '9.4.3')` first. */
export function theNewestElasticsearch(): Promise<ElasticsearchNode> {
  newest ??= startElasticsearch({ version: '9.4.3' });
  return newest;
}

/** A node of a test's own, started; it ends with the run at the latest. `password` switches security on (8 and 9). */
export async function startElasticsearch(
  options: Pick<ElasticsearchOptions, 'version'> &
    Partial<Pick<ElasticsearchOptions, 'clusterName' | 'password' | 'settings' | 'heap' | 'slowLogSize'>>,
): Promise<ElasticsearchNode> {
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

/** Several nodes in one cluster, started; they end with the run at the latest. */
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

/** To be called first in a `before` hook: skips its tests, saying why, where a version can't be had. */
export async function skipUnlessTested(context: Mocha.Context, version: ElasticsearchVersion): Promise<void> {
  const reason = await whyNotTested(version);
  if (reason === undefined) return;
  say(`skipped: ${reason}`);
  context.skip();
}

export async function stopElasticsearch(): Promise<void> {
  await Promise.allSettled([shared, secure, newest]);
  shared = undefined;
  secure = undefined;
  newest = undefined;
  await Promise.allSettled(started.splice(0).map((server) => server.stop()));
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** Not in the project's folder, which may be closed to the user that the server runs as. */
async function ownFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-elasticsearch-'));
  await chmod(folder, 0o755);
  folders.push(folder);
  return folder;
}
