import assert from 'node:assert/strict';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
import { defaultCollectorSettings } from '../../../../../agent/collectors/settings.js';
import { parseClusterStats } from '../../../../../agent/collectors/parse/cluster.js';
import { nodesCollector } from '../../../../../agent/collectors/sections/nodes.js';
import { topologyCollector } from '../../../../../agent/collectors/sections/topology.js';
import type { NodesSection } from '../../../../../schemas/snapshots/node-section.js';
import type { TopologySection } from '../../../../../schemas/snapshots/topology-section.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

const node = (name: string): object => ({ name, roles: ['data'], jvm: { start_time_in_millis: 1 } });
const answering = (total: number, names: readonly string[]): object => ({
  _nodes: { total, successful: names.length, failed: total - names.length },
  nodes: Object.fromEntries(names.map((name) => [`id-of-${name}`, node(name)])),
});

describe('collecting the nodes of a cluster', () => {
  it('counts a node that does not answer as failed, asks it once, and has the figures of the others', async () => {
    const asked: string[] = [];
    const outcome = await collectFrom(nodesCollector, (path) => {
      asked.push(path);
      return answered(200, asked.length === 1 ? answering(3, ['n1', 'n2']) : answering(2, ['n1', 'n2']));
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    const body = outcome.collected.body as NodesSection;
    assert.deepEqual(
      [body.nodes_total, body.nodes_failed, body.nodes_cut, body.nodes.map(({ name }) => name)],
      [3, 1, 0, ['n1', 'n2']],
    );
    assert.equal(outcome.collected.partial, true);
    assert.equal(asked.length, 2);
    assert.match(asked[1] ?? '', /^\/_nodes\/id-of-n1,id-of-n2\/stats\//);
  });

  it('adds up the nodes that failed to answer the listing and those that failed to answer the statistics', async () => {
    let calls = 0;
    const outcome = await collectFrom(nodesCollector, () => {
      calls += 1;
      return answered(200, calls === 1 ? answering(3, ['n1', 'n2']) : answering(2, ['n1']));
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    const { nodes_failed, nodes } = outcome.collected.body as NodesSection;
    assert.deepEqual([nodes_failed, nodes.length], [2, 1]);
  });

  it('says that lists and roles were not given if a node lacks them', async () => {
    const path = { path: '/data', available_in_bytes: 1 };
    const given = {
      ...node('n1'),
      thread_pool: { write: {} },
      fs: { data: [path] },
      breakers: { parent: {} },
    };
    const nodes = { a: given, b: { name: 'n2' } };
    const outcome = await collectFrom(nodesCollector, () => answered(200, { _nodes: { total: 2 }, nodes }));
    assert.ok(outcome.ok && outcome.collected !== null);
    const { body, unavailable } = outcome.collected;
    assert.deepEqual(
      (body as NodesSection).nodes.map(({ roles }) => roles),
      [['data'], null],
    );
    const reasons = new Map(unavailable.map(({ field, reason }) => [field, reason]));
    for (const list of ['thread_pools', 'circuit_breakers', 'data_paths', 'roles']) {
      assert.match(reasons.get(`nodes.*.${list}`) ?? '', /did not report it \(1 of 2\)$/, list);
    }
    assert.match(reasons.get('nodes.*.garbage_collectors') ?? '', /did not report it$/);
  });

  it('reports no memory figures of a host that gives its memory as 0', async () => {
    const mem = { total_in_bytes: 0, free_in_bytes: 0, used_in_bytes: 0 };
    const answer = { _nodes: { total: 1 }, nodes: { a: { ...node('n1'), os: { mem } } } };
    const outcome = await collectFrom(nodesCollector, () => answered(200, answer));
    assert.ok(outcome.ok && outcome.collected !== null);
    const [found] = (outcome.collected.body as NodesSection).nodes;
    const { memory_total_bytes, memory_free_bytes, memory_used_bytes } = found ?? {};
    assert.deepEqual([memory_total_bytes, memory_free_bytes, memory_used_bytes], [null, null, null]);
    const why = outcome.collected.unavailable.find(({ field }) => field === 'nodes.*.memory_used_bytes');
    assert.match(why?.reason ?? '', /or 0:/);
    const sums = parseClusterStats({ nodes: { os: { mem } } });
    assert.deepEqual([sums.memory_total_bytes, sums.memory_used_bytes], [null, null]);
  });
});

/** The answer of RestNodesStatsAction, in all versions. */
const unrecognized = (path: string, what: string): object => ({
  error: {
    type: 'illegal_argument_exception',
    reason: `request [${path}${'x'.repeat(2_000)}] contains unrecognized ${what}`,
  },
  status: 400,
});

describe('the statistics of nodes, some of which only newer versions know', () => {
  /** Collects from nodes of these versions, with answers from `answer`; returns the requested paths. */
  async function asked(
    versions: readonly string[],
    answer: (path: string) => object | undefined,
    memory = newClusterMemory(),
  ): Promise<readonly string[]> {
    const listing = Object.fromEntries(
      versions.map((version, index) => [`n${index}`, { ...node('n'), version }]),
    );
    const paths: string[] = [];
    const outcome = await collectFrom(
      nodesCollector,
      (path) => {
        if (path.startsWith('/_nodes/jvm'))
          return answered(200, { _nodes: { total: versions.length }, nodes: listing });
        const [asked = ''] = path.split('?');
        paths.push(asked);
        const refusal = answer(asked);
        return refusal === undefined ? answered(200, { nodes: listing }) : answered(400, refusal);
      },
      { version: versions.at(-1) ?? '', memory },
    );
    assert.ok(outcome.ok && outcome.collected !== null);
    assert.equal((outcome.collected.body as NodesSection).nodes.length, versions.length);
    return paths;
  }
  const knowsAll = () => undefined;

  it('are limited to those that all nodes know while a cluster is upgraded', async () => {
    const [upgraded] = await asked(['8.14.1', '8.14.1'], knowsAll);
    assert.match(upgraded ?? '', /,indexing_pressure\/.*\bbulk\b/);
    const during = await asked(['7.17.15', '8.14.1'], knowsAll);
    assert.equal(during.length, 1);
    assert.match(during[0] ?? '', /,indexing_pressure\/.*\bshard_stats\b/);
    assert.doesNotMatch(during[0] ?? '', /\bbulk\b/);
    const [old] = await asked(['7.6.2', '7.17.15'], knowsAll);
    assert.doesNotMatch(old ?? '', /indexing_pressure|shard_stats|bulk/);
  });

  it('are those that every version knows if an older node took the call, and all again the next time', async () => {
    const memory = newClusterMemory();
    for (const [metric, what] of [
      [/indexing_pressure/, 'metric: [indexing_pressure]'],
      [/\bbulk\b/, 'index metrics: [bulk], [shard_stats]'],
    ] as const) {
      const paths = await asked(
        ['8.14.1'],
        (path) => (metric.test(path) ? unrecognized(path, what) : undefined),
        memory,
      );
      assert.equal(paths.length, 2);
      assert.match(paths[0] ?? '', /,indexing_pressure\/.*\bbulk\b/);
      assert.doesNotMatch(paths[1] ?? '', /indexing_pressure|shard_stats|bulk/);
    }
    assert.equal((await asked(['8.14.1'], knowsAll, memory)).length, 1);
  });
});

describe('a cluster of more nodes than are kept', () => {
  for (const section of [nodesCollector, topologyCollector]) {
    it(`says in ${section.name} how many were left out, and why`, async () => {
      const outcome = await collectFrom(
        section,
        (path) => {
          const kept = /^\/_nodes\/([^/]+)\/stats/.exec(path)?.[1]?.split(',').length;
          return answered(200, answering(kept ?? 3, ['n1', 'n2', 'n3'].slice(0, kept)));
        },
        { settings: { ...defaultCollectorSettings, maxNodes: 2 } },
      );
      assert.ok(outcome.ok && outcome.collected !== null);
      const { body, partial, unavailable } = outcome.collected;
      const { nodes_total, nodes_cut, nodes } = body as NodesSection | TopologySection;
      assert.deepEqual([nodes_total, nodes_cut, nodes.length, partial], [3, 1, 2, false]);
      const cut = unavailable.find(({ code }) => code === 'cut');
      assert.equal(cut?.field, 'nodes');
      assert.match(cut.reason, /^1 of 3 nodes are left out \(maxNodes 2\)/);
    });
  }
});

describe('the topology of a cluster', () => {
  it('does not say how many data nodes there are while a node does not answer', async () => {
    const outcome = await collectFrom(topologyCollector, () => answered(200, answering(3, ['n1', 'n2'])));
    assert.ok(outcome.ok && outcome.collected !== null);
    const { body, partial, unavailable } = outcome.collected;
    const { nodes_total, nodes_failed, data_nodes } = body as TopologySection;
    assert.deepEqual([nodes_total, nodes_failed, data_nodes, partial], [3, 1, null, true]);
    assert.ok(unavailable.some(({ field, reason }) => field === 'data_nodes' && /every node/.test(reason)));
  });

  const topologyOf = async (nodes: object) => {
    const outcome = await collectFrom(topologyCollector, () => answered(200, { _nodes: {}, nodes }));
    assert.ok(outcome.ok && outcome.collected !== null);
    const { body, unavailable } = outcome.collected;
    return {
      body: body as TopologySection,
      reasons: new Map(unavailable.map((one) => [one.field, one.reason])),
    };
  };

  it('does not say how many data nodes there are if a node did not give its roles', async () => {
    const { body, reasons } = await topologyOf({ a: node('n1'), b: { name: 'n2', version: '8.14.1' } });
    assert.equal(body.data_nodes, null);
    assert.match(reasons.get('data_nodes') ?? '', /reported its roles/);
    assert.match(reasons.get('nodes.*.roles') ?? '', /^1 of 2 nodes/);
    assert.match(reasons.get('nodes.*.tiers') ?? '', /^1 of 2 nodes/);
  });

  it('has tiers only if the version knows them', async () => {
    const old = await topologyOf({ a: { ...node('n1'), version: '7.2.0' } });
    assert.deepEqual([old.body.nodes[0]?.tiers, old.body.data_nodes], [[], 1]);
    assert.match(old.reasons.get('nodes.*.tiers') ?? '', /older than data tiers/);
    const later = await topologyOf({ a: { ...node('n1'), version: '7.17.15' } });
    assert.deepEqual(later.body.nodes[0]?.tiers, ['cold', 'content', 'hot', 'warm']);
    assert.equal(later.reasons.has('nodes.*.tiers'), false);
  });
});
