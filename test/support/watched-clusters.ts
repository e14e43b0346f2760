import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { whyNotTested, type ElasticsearchVersion } from '../../stack/elasticsearch/distributions.js';
import {
  elasticPassword,
  startElasticsearch,
  theNewestElasticsearch,
  theSecureElasticsearch,
} from './elasticsearch.js';

/** The index that every watched cluster has. */
export const watchedIndex = 'watched-orders';

/** What must not leave a host, in whatever form a search or a document has it. */
export const plantedSecret = 'Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Kl';
export const plantedNames = ['alice', 'bob', 'carol'] as const;

/** A real cluster with documents, thresholds of slow logs, and an entry of integration.json that leads to it. */
export interface WatchedCluster {
  readonly version: ElasticsearchVersion;
  readonly node: ElasticsearchNode;
  readonly uuid: string;
  readonly entry: object;
  /** With every right, as the agent has not. */
  readonly ask: (method: string, path: string, body?: object | string, headers?: object) => Promise<unknown>;
  /** Leaves nothing behind on a cluster that others use; ends one that nobody does. */
  release(): Promise<void>;
}

const starts: Readonly<Record<ElasticsearchVersion, () => Promise<ElasticsearchNode>>> = {
  '7.17.15': () => startElasticsearch({ version: '7.17.15', clusterName: 'watched', slowLogSize: '10KB' }),
  '8.14.1': theSecureElasticsearch,
  '9.4.3': theNewestElasticsearch,
};

/**
 * Every version that can be had here: 7.17 on a node of its own, which may be killed and rotates its slow logs early,
 * and the others as they are shared.
 */
export async function startWatchedClusters(): Promise<readonly WatchedCluster[]> {
  const clusters: WatchedCluster[] = [];
  for (const version of Object.keys(starts) as ElasticsearchVersion[]) {
    const reason = await whyNotTested(version);
    if (reason === undefined) clusters.push(await prepare(version, await starts[version]()));
    else console.log(`    [elasticsearch] skipped: ${reason}`);
  }
  return clusters;
}

async function prepare(version: ElasticsearchVersion, node: ElasticsearchNode): Promise<WatchedCluster> {
  const secure = version === '8.14.1';
  const elastic = `Basic ${Buffer.from(`elastic:${elasticPassword}`).toString('base64')}`;
  const ask: WatchedCluster['ask'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${node.url}${path}`, {
      method,
      headers: {
        'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
        ...(secure ? { authorization: elastic } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return JSON.parse(text) as unknown;
  };
  await ask('PUT', `/${watchedIndex}`, {
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      // Sizes would else be those of up to ten seconds ago.
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
    slowlog: {
      enabled: true,
      logDirectories: [node.logsFolder],
      storeSource: version === '7.17.15',
      maxQueryLength: version === '9.4.3' ? 150 : 2_000,
    },
    ...(secure ? { apiKey: await keyFor(ask) } : {}),
  };
  const release = async (): Promise<void> => {
    if (version === '7.17.15') await node.stop();
    else await ask('DELETE', `/${watchedIndex}`);
  };
  return { version, node, uuid, entry, ask, release };
}

/** With the two privileges that the specification asks for, and no other. */
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

/** Fills slow logs beyond the size at which 7.17 rotates and compresses them here, which is seen on its disk. */
export async function operateUntilRotated(cluster: WatchedCluster, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number += 1) await operateSlowly(cluster, number);
  if (cluster.version !== '7.17.15') return;
  const isRotated = /_index_search_slowlog-\d\.json\.gz$/;
  for (
    let tries = 0;
    !readdirSync(cluster.node.logsFolder).some((name) => isRotated.test(name));
    tries += 1
  ) {
    assert.ok(tries < 100, 'the node has rotated none of its slow logs');
    await sleep(100);
  }
}

/** Indexes a document and searches for it: three entries (index, query, fetch) that name people and hold secrets. */
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
