import assert from 'node:assert/strict';
import { nodesBody, snapshot, SteppedCluster } from '../../../../support/cluster-snapshots.js';

describe('what a row of a node repeats of the topology', () => {
  it("has the timestamp of that topology, or none if the node's topology is unknown", async () => {
    const cluster = new SteppedCluster();
    const topology = snapshot('topology', 1, {
      nodes: [{ node_id: 'n1', tiers: [], is_data: false, is_master_eligible: true }],
    });
    await cluster.run([
      snapshot('nodes', 0, nodesBody({ id: 'n1' })),
      topology,
      snapshot('nodes', 2, nodesBody({ id: 'n1' }, { id: 'n2' })),
    ]);
    assert.deepEqual(
      cluster.rows('clusters.nodes').map((row) => [row['tiers'], row['topology_at']]),
      [
        [undefined, undefined],
        [[], topology.taken_at],
        [undefined, undefined],
      ],
    );
  });
});
