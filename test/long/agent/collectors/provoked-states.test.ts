import assert from 'node:assert/strict';
import { defaultCollectorSettings } from '../../../../agent/collectors/settings.js';
import type { OpenSearchClient } from '../../../../agent/integration/client/search-client.js';
import type { ClusterHealth } from '../../../../schemas/generated/cluster-health.js';
import type { SectionName } from '../../../../schemas/snapshots.js';
import type { ElasticsearchCluster } from '../../../../stack/elasticsearch/cluster.js';
import type { ElasticsearchNode } from '../../../../stack/elasticsearch/elasticsearch.js';
import { startElasticsearch, theThreeNodes } from '../../../support/elasticsearch.js';
import { bodyOf, collectAll } from '../../../support/cluster-captures.js';
import { EvaluatedCluster } from '../../../support/evaluated-cluster.js';
import {
  littleRoom,
  provokeRejectedSearches,
  provokeTrips,
  UnendingRequests,
} from '../../../support/pressed-nodes.js';
import { askDirectly, searchClient } from '../../../support/search-clients.js';
import { until } from '../../../support/until.js';

const version = '7.17.15';
const reasonsOf = ({ deductions }: Pick<ClusterHealth, 'deductions'>): Record<string, string> =>
  Object.fromEntries(deductions.map(({ code, reason }) => [code, reason]));

const cycle: readonly SectionName[] = ['health', 'nodes', 'pending_tasks', 'watermarks'];

describe('the report on a real cluster of a single node (7.17)', () => {
  let node: ElasticsearchNode;
  let client: OpenSearchClient;
  let evaluated: EvaluatedCluster;

  before(async () => {
    node = await startElasticsearch({ version, heap: '512m', settings: littleRoom });
    client = await searchClient(node.port);
    evaluated = new EvaluatedCluster(client, version);
  });

  after(async () => {
    await client.close();
    await node.stop();
  });

  it('names the indices of missing replicas, for 2 points, also while the cluster is red', async () => {
    await askDirectly(node.url, 'PUT', '/books?wait_for_active_shards=1', {
      settings: { number_of_shards: 2, number_of_replicas: 1 },
    });
    const yellow = await evaluated.look();
    assert.deepEqual([yellow.status, yellow.score], ['yellow', 98]);
    assert.match(
      reasonsOf(yellow)['yellow_single_node'] ?? '',
      /^2 replica shards are unassigned on the only data node: books \(2\)\. .* Add a data node/,
    );
    await askDirectly(node.url, 'PUT', '/orders?wait_for_active_shards=0', {
      settings: { number_of_replicas: 0, 'index.routing.allocation.require._name': 'nobody' },
    });
    await until('the cluster is red', async () => {
      const health = (await askDirectly(node.url, 'GET', '/_cluster/health')) as { status: string };
      return health.status === 'red';
    });
    const red = await evaluated.look();
    assert.deepEqual(
      red.deductions.slice(0, 2).map(({ code, points }) => [code, points]),
      [
        ['primaries_unassigned', 50],
        ['yellow_single_node', 2],
      ],
    );
    assert.match(
      reasonsOf(red)['primaries_unassigned'] ?? '',
      /^1 primary shard is unassigned, so its data is unavailable: orders \(1\)\. /,
    );
  });

  it('counts as many indices as the cluster itself lists, closed and hidden ones too', async () => {
    const settings = { number_of_replicas: 0 };
    for (const index of ['shut', '.hidden-away'])
      await askDirectly(node.url, 'PUT', `/${index}`, {
        settings: { ...settings, 'index.hidden': index.startsWith('.') },
      });
    await askDirectly(node.url, 'POST', '/shut/_close');
    const listed = (await askDirectly(
      node.url,
      'GET',
      '/_cat/indices?expand_wildcards=all&format=json&h=index',
    )) as readonly { readonly index: string }[];
    assert.ok(listed.length >= 4, JSON.stringify(listed));
    const outcomes = await collectAll(client, defaultCollectorSettings, ['indices']);
    assert.equal(bodyOf(outcomes, 'indices').indices_total, listed.length);
  });

  it('names the node and the pool that rejects requests, the breaker that trips, and what to do', async () => {
    await evaluated.look(cycle);
    await provokeRejectedSearches(node);
    await provokeTrips(node);
    const { deductions } = await evaluated.look(cycle);
    const points = Object.fromEntries(deductions.map(({ code, points: lost }) => [code, lost]));
    assert.deepEqual([points['thread_pool_rejections'], points['circuit_breaker_tripped']], [12, 10]);
    const reasons = reasonsOf({ deductions });
    assert.match(
      reasons['thread_pool_rejections'] ?? '',
      /^Thread pools rejected requests .*: search on n1 \(\d+\)\. The queue was full: .*\. Send fewer requests at once, or add data nodes\.$/,
    );
    assert.match(
      reasons['circuit_breaker_tripped'] ?? '',
      /^Circuit breakers rejected requests .*: request on n1 \(\d+ times?\)\. These requests needed more memory .*\. Make the requests smaller .*\.$/,
    );
  });

  it('names the node whose heap stays full, how full, and what to do', async () => {
    const requests = new UnendingRequests(node);
    let reason: string | undefined;
    try {
      await until('the heap has been full in three samples', async () => {
        await requests.fillTo(88);
        reason = reasonsOf(await evaluated.look(cycle))['heap_high'];
        return reason !== undefined;
      });
    } finally {
      requests.end();
    }
    assert.match(
      reason ?? '',
      /^The heap of n1 was at least (?:8[5-9]|9[0-4])% full in each of the last [345] samples\. Garbage collection frees too little memory, .*\. Reduce what fills the heap .*\.$/,
    );
  });
});

describe('the report on a real cluster of three nodes (7.17)', () => {
  let cluster: ElasticsearchCluster;
  let client: OpenSearchClient;
  let evaluated: EvaluatedCluster;
  let url: string;
  const ask = (method: string, path: string, body?: object): Promise<unknown> =>
    askDirectly(url, method, path, body);

  before(async () => {
    cluster = await theThreeNodes();
    const [first] = cluster.nodes;
    assert.ok(first);
    url = first.url;
    client = await searchClient(first.port);
    evaluated = new EvaluatedCluster(client, version);
    await ask('PUT', '/orders', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
    await ask('PUT', '/single', { settings: { number_of_shards: 3, number_of_replicas: 0 } });
    await ask('GET', '/_cluster/health?wait_for_status=green&timeout=240s');
  });

  after(async () => {
    await client.close();
    const [, , killed] = cluster.nodes;
    if (killed?.pid === undefined) await killed?.start();
    await ask('DELETE', '/orders,single');
  });

  it('deducts nothing from a green cluster', async () => {
    const health = await evaluated.look();
    assert.deepEqual([health.status, health.score, health.deductions], ['green', 100, []]);
  });

  /** Disks past the low watermark take only the primary of a new index. */
  async function tellsOfReplicasKeptAway(): Promise<void> {
    await ask('PUT', '/kept?wait_for_active_shards=1', {
      settings: { number_of_shards: 1, number_of_replicas: 1 },
    });
    let reason = '';
    await until('the cause is known', async () => {
      const seen = await evaluated.look([...cycle, 'allocation_explain']);
      reason = reasonsOf(seen)['replicas_unassigned'] ?? '';
      return reason.includes('The cause for');
    });
    assert.match(
      reason,
      /^1 replica shard is unassigned: kept \(1\)\. The cause for kept: The disks of the nodes .* past the low .*\. Free space, .*\.$/,
    );
    await ask('DELETE', '/kept');
  }

  it('names every node past a watermark, with the consequence and what to do', async () => {
    const watermark = 'cluster.routing.allocation.disk.watermark';
    const past = { low: 'low', high: 'high', flood_stage: 'flood stage' } as const;
    const limits: Record<string, string> = {};
    for (const [stage, words] of Object.entries(past)) {
      limits[`${watermark}.${stage}`] = '900tb';
      const others = Object.keys(past).filter((each) => limits[`${watermark}.${each}`] === undefined);
      const transient = {
        ...limits,
        ...Object.fromEntries(others.map((each) => [`${watermark}.${each}`, '1b'])),
      };
      await ask('PUT', '/_cluster/settings', { transient });
      const reason = reasonsOf(await evaluated.look(cycle))[`disk_${stage}`] ?? '';
      assert.match(
        reason,
        new RegExp(`is past the ${words} watermark \\(900tb\\): .* full, with .* left\\.`),
      );
      for (const { nodeName } of cluster.nodes) assert.ok(reason.includes(nodeName), reason);
      if (stage === 'low') await tellsOfReplicasKeptAway();
      assert.match(reason, /\. (?:Delete data|Free disk space)[^.]*\.$/);
    }
    await ask('PUT', '/_cluster/settings', { transient: { [`${watermark}.*`]: null } });
    await ask('PUT', '/_all/_settings', { 'index.blocks.read_only_allow_delete': null });
    await ask('GET', '/_cluster/health?wait_for_status=green&timeout=240s');
    const codes = (await evaluated.look(cycle)).deductions.map(({ code }) => code);
    assert.ok(!codes.some((code) => code.startsWith('disk_')), codes.join());
  });

  it('says which shards were lost with a killed node, and names the node only as missing', async () => {
    const killed = cluster.nodes[2];
    assert.ok(killed);
    await killed.kill9();
    await until('the node is missed', async () => {
      const health = (await ask('GET', '/_cluster/health')) as { number_of_nodes: number };
      return health.number_of_nodes === 2;
    });
    let reasons: Record<string, string> = {};
    // The unassigned shards are known at once; the cause, only once the cluster has explained it.
    await until('the cause is known', async () => {
      reasons = reasonsOf(await evaluated.look());
      return (reasons['primaries_unassigned'] ?? '').includes('The cause for');
    });
    assert.match(
      reasons['node_left'] ?? '',
      new RegExp(`^1 node left .*: ${killed.nodeName}\\. .*start the node again`),
    );
    assert.match(
      reasons['primaries_unassigned'] ?? '',
      /unavailable: single \(\d\)\. The cause for single: No node of the cluster holds the data .*Bring back the node/,
    );
    assert.match(
      reasons['replicas_unassigned'] ?? '',
      /^\d replica shards? (?:is|are) unassigned: orders \(\d\)\. The cause/,
    );
    for (const [code, reason] of Object.entries(reasons)) {
      assert.ok(code === 'node_left' || !reason.includes(killed.nodeName), reason);
    }
  });
});
