import { setTimeout as sleep } from 'node:timers/promises';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { elasticPassword, startElasticsearch, tracing } from './elasticsearch.js';
import { isSecure, logOf, nameOfTests, type WatchedCluster } from './watched-clusters.js';

/** The index of a broken cluster whose only shard can't be allocated to any node. */
export const lostIndex = 'lost';

export async function loseAPrimary({ ask }: WatchedCluster): Promise<void> {
  await ask('DELETE', `/${lostIndex}?ignore_unavailable=true`); // left by an earlier try
  await ask('PUT', `/${lostIndex}?wait_for_active_shards=0&timeout=1s`, {
    settings: { number_of_replicas: 0, 'index.routing.allocation.require._name': 'no-such-node' },
  });
}

interface Pools {
  readonly nodes: Readonly<
    Record<string, { readonly thread_pool: { readonly analyze: { readonly rejected: number } } }>
  >;
}

/** Keeps a thread busy far longer than a connection takes to open, and has a one-line answer. */
const lengthy = {
  tokenizer: { type: 'ngram', min_gram: 1, max_gram: 2 },
  filter: ['unique'],
  text: 'harbour '.repeat(6_000),
};

/**
 * Makes the node reject work by sending more analyses at once than the one thread and the queue of 16 take.
 * Returns the number of rejections.
 */
export async function provokeRejections({ node, ask }: WatchedCluster): Promise<number> {
  for (;;) {
    const asking = { body: lengthy, headers: { 'X-Opaque-Id': nameOfTests } };
    // A busy node may close connections before they are accepted; enough others remain.
    await Promise.allSettled(Array.from({ length: 32 }, () => node.ask('POST', '/_analyze', asking)));
    const { nodes } = (await ask('GET', '/_nodes/stats/thread_pool')) as Pools;
    const rejected = Object.values(nodes).reduce((sum, each) => sum + each.thread_pool.analyze.rejected, 0);
    if (rejected > 0) return rejected;
  }
}

/** A second node, which may vote and hold shards. */
export function startVoter({ version, node }: WatchedCluster): Promise<ElasticsearchNode> {
  return startElasticsearch({
    version,
    nodeName: 'n2',
    joins: node,
    heap: '200m',
    settings: { 'node.roles': '[master, data]', ...tracing },
    ...(isSecure(version) ? { password: elasticPassword } : {}),
    https: node.authorityFile !== undefined,
  });
}

/** Gives the only vote to the second node, and kills it: the first node can't elect a master. */
export async function loseQuorum({ node, ask }: WatchedCluster, voter: ElasticsearchNode): Promise<void> {
  if (voter.pid === undefined) return; // killed by an earlier try
  await ask('POST', '/_cluster/voting_config_exclusions?node_names=n1&timeout=120s');
  // During an election the answer is useless; 9.4 answers 500.
  for (;;) {
    const { status, text } = await node.ask('GET', '/_cat/master?h=node', {
      headers: { 'X-Opaque-Id': nameOfTests },
    });
    if (status === 200 && text.trim() === voter.nodeName) break;
    await sleep(200);
  }
  await voter.kill9();
}

/** A request logged by the node's tracer. */
export interface TracedRequest {
  readonly method: string;
  readonly target: string;
}

const traced = /HttpTracer *\] \[n1\] ?\[\d+\]\[(.*?)\]\[([A-Z]+)\]\[(\S+)\] received request/;

/** All requests, except the tests' own, that a node has logged since it is being watched. */
export function requestsOfOthers({ node, loggedBefore }: WatchedCluster): readonly TracedRequest[] {
  const lines = logOf(node).slice(loggedBefore).split('\n');
  return lines.flatMap((line) => {
    const [, opaqueId, method = '', target = ''] = traced.exec(line) ?? [];
    if (opaqueId === undefined || opaqueId === nameOfTests || opaqueId === 'carol@example.com') return [];
    return [{ method, target }];
  });
}
