import assert from 'node:assert/strict';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
import { defaultCollectorSettings } from '../../../../../agent/collectors/settings.js';
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

  it('adds up those that fell silent before they were asked for their figures and those that did then', async () => {
    let calls = 0;
    const outcome = await collectFrom(nodesCollector, () => {
      calls += 1;
      return answered(200, calls === 1 ? answering(3, ['n1', 'n2']) : answering(2, ['n1']));
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    const { nodes_failed, nodes } = outcome.collected.body as NodesSection;
    assert.deepEqual([nodes_failed, nodes.length], [2, 1]);
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
        newClusterMemory(),
        () => assert.fail('never asked'),
        { ...defaultCollectorSettings, maxNodes: 2 },
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
});
