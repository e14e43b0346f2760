import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { whyNotTested, type ElasticsearchVersion } from '../../stack/elasticsearch/distributions.js';
import { attribute, startElasticsearch, takeElasticsearch, tracing } from './elasticsearch.js';
import { until } from './until.js';

/** The index that every watched cluster has. */
export const watchedIndex = 'watched-orders';

/** A text that must not leave a host, in any form in which a search or a document contains it. */
export const plantedSecret = 'Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Kl';
export const plantedNames = ['alice', 'bob', 'carol'] as const;

/** A real cluster with documents, slow-log thresholds, and its entry of integration.json. */
export interface WatchedCluster {
  readonly version: ElasticsearchVersion;
  readonly node: ElasticsearchNode;
  readonly uuid: string;
  readonly entry: object;
  /** The length of the node's own log before it was watched: other tests might have used the node. */
  readonly loggedBefore: number;
  /** A call with all privileges, unlike the agent's. */
  readonly ask: (
    method: string,
    path: string,
    body?: object | string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<unknown>;
}

/** The name in a node's log that distinguishes the tests' own requests from the agent's. */
export const nameOfTests = 'the-tests';

const starts: Readonly<Record<ElasticsearchVersion, () => Promise<ElasticsearchNode>>> = {
  '7.17.15': () =>
    startElasticsearch({
      version: '7.17.15',
      clusterName: 'watched',
      slowLogSize: '10KB',
      settings: { ...tracing, ...attribute },
    }),
  '8.14.1': () => takeElasticsearch('8.14.1'),
  '9.4.3': () => takeElasticsearch('9.4.3'),
};

/**
 * Starts every version that is available here, each on a node that may be killed: 7.17, which rotates its
 * slow logs early, 8.14 with security, and 9.4 also with HTTPS.
 */
export async function startWatchedClusters(): Promise<readonly WatchedCluster[]> {
  const versions: ElasticsearchVersion[] = [];
  for (const version of Object.keys(starts) as ElasticsearchVersion[]) {
    const reason = await whyNotTested(version);
    if (reason === undefined) versions.push(version);
    else console.log(`    [elasticsearch] skipped: ${reason}`);
  }
  return Promise.all(versions.map(async (version) => prepare(version, await starts[version]())));
}

/** The node's own log. */
export function logOf(node: ElasticsearchNode): string {
  return readFileSync(join(dirname(node.logsFolder), `${node.name}.log`), 'utf8');
}

/** Whether a version is watched with an API key and names the users of its slow operations. */
export const isSecure = (version: ElasticsearchVersion): boolean => version !== '7.17.15';

async function prepare(version: ElasticsearchVersion, node: ElasticsearchNode): Promise<WatchedCluster> {
  const secure = isSecure(version);
  const loggedBefore = logOf(node).length;
  const ask: WatchedCluster['ask'] = async (method, path, body, headers = {}) => {
    const named = { 'X-Opaque-Id': nameOfTests, ...headers };
    const { status, text } = await node.ask(method, path, { body, headers: named });
    assert.ok(status < 300, `${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  await ask('PUT', `/${watchedIndex}`, {
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      // Otherwise sizes could be up to ten seconds old.
      'index.store.stats_refresh_interval': '0s',
      'index.search.slowlog.threshold.query.warn': '0ms',
      'index.search.slowlog.threshold.fetch.info': '0ms',
      'index.indexing.slowlog.threshold.index.debug': '0ms',
      ...(secure
        ? { 'index.search.slowlog.include.user': true, 'index.indexing.slowlog.include.user': true }
        : {}),
    },
  });
  const { cluster_uuid: uuid } = (await ask('GET', '/')) as { cluster_uuid: string };
  const entry = {
    service: 'elasticsearch',
    host: '127.0.0.1',
    port: String(node.port),
    // By default these sections are collected every few minutes, unlike health and nodes (every minute).
    advanced: {
      indexIntervalSeconds: 5,
      shardIntervalSeconds: 5,
      clusterStatsIntervalSeconds: 5,
      recoveryIntervalSeconds: 5,
      taskIntervalSeconds: 5,
    },
    slowlog: {
      enabled: true,
      logDirectories: [node.logsFolder],
      storeSource: version === '7.17.15',
      maxQueryLength: version === '9.4.3' ? 150 : 2_000,
    },
    ...(secure ? { apiKey: await keyFor(ask) } : {}),
    ...(node.authorityFile === undefined ? {} : { protocol: 'https', tls: { ca: node.authorityFile } }),
  };
  return { version, node, uuid, entry, loggedBefore, ask };
}

/** With the two privileges that the specification requires, and no others. */
async function keyFor(ask: WatchedCluster['ask']): Promise<string> {
  const role = { cluster: ['monitor'], indices: [{ names: ['*'], privileges: ['monitor'] }] };
  const made = await ask('POST', '/_security/api_key', {
    name: 'watching',
    role_descriptors: { watching: role },
  });
  return (made as { readonly encoded: string }).encoded;
}

export const documentOf = (number: number): object => ({
  name: 'Alice',
  number,
  password: plantedSecret,
  note: 'a harbour',
});

/** Fills slow logs until 7.17 rotates and compresses them, which its log folder shows. */
export async function operateUntilRotated(cluster: WatchedCluster, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number += 1) await operateSlowly(cluster, number);
  if (cluster.version !== '7.17.15') return;
  const isRotated = /_index_search_slowlog-\d\.json\.gz$/;
  await until('the node has rotated one of its slow logs', () =>
    readdirSync(cluster.node.logsFolder).some((name) => isRotated.test(name)),
  );
}

/**
 * Indexes a document and searches for it: three entries (index, query, fetch) that name people and contain secrets.
 */
export async function operateSlowly({ ask }: WatchedCluster, number: number): Promise<void> {
  const id = encodeURIComponent(`alice-${number}@example.com`);
  const path = `/${watchedIndex}/_doc/${id}?routing=bob%40example.com&refresh=true`;
  await ask('PUT', path, documentOf(number));
  const query = {
    bool: {
      must: [{ term: { number } }],
      should: [
        { term: { 'password.keyword': { value: plantedSecret } } },
        { match: { note: `Bearer ${plantedSecret}` } },
        { match: { note: `https://carol:${plantedSecret}@example.com/` } },
      ],
    },
  };
  await ask(
    'POST',
    `/${watchedIndex}/_search`,
    { size: 1, stats: ['checkout'], query },
    { 'X-Opaque-Id': 'carol@example.com', traceparent },
  );
}

export const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
