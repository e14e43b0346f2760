import assert from 'node:assert/strict';
import { watchedIndex, type WatchedCluster } from './watched-clusters.js';

/** What a cluster of one node answers to whoever asks, at one moment. */
export interface ClusterAnswers {
  readonly health: unknown;
  readonly master: unknown;
  readonly nodeId: string;
  /** Of `_nodes/stats`. */
  readonly node: unknown;
  /** Of `_nodes`. */
  readonly about: unknown;
  /** Of `_stats`, for the watched index. */
  readonly index: unknown;
  /** Of `_cat/indices`, for the watched index. */
  readonly listed: unknown;
  /** Of `_cat/shards`, for the watched index, which has one shard. */
  readonly shard: unknown;
  readonly stats: unknown;
}

export async function answersOf({ ask }: WatchedCluster): Promise<ClusterAnswers> {
  const bytes = 'format=json&bytes=b';
  const listing = 'h=health,status,index,uuid,pri,rep,docs.count,docs.deleted,store.size,pri.store.size';
  const nodes = (await ask('GET', '/_nodes/stats')) as { readonly nodes: Readonly<Record<string, unknown>> };
  const [[nodeId, node] = assert.fail('there is a node')] = Object.entries(nodes.nodes);
  return {
    health: await ask('GET', '/_cluster/health'),
    master: first(await ask('GET', '/_cat/master?format=json')),
    nodeId,
    node,
    about: at(await ask('GET', '/_nodes'), 'nodes', nodeId),
    index: at(await ask('GET', `/${watchedIndex}/_stats`), 'indices', watchedIndex),
    listed: first(await ask('GET', `/_cat/indices/${watchedIndex}?${bytes}&${listing}`)),
    shard: first(
      await ask('GET', `/_cat/shards/${watchedIndex}?${bytes}&h=index,shard,prirep,state,docs,store,id,node`),
    ),
    stats: await ask('GET', '/_cluster/stats'),
  };
}

const first = (rows: unknown): unknown => (rows as readonly unknown[])[0];

/** The value at a path of keys; undefined where the answer has none. */
export function at(from: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    from,
  );
}
