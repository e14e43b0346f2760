import assert from 'node:assert/strict';
import { nodeConfig, type NodeSettings } from '../../../../stack/elasticsearch/node-config.js';

const settings: NodeSettings = {
  version: '8.14.1',
  clusterName: 'c',
  nodeName: 'm1',
  httpPort: 21001,
  transportPort: 21101,
  dataFolder: '/d',
  logsFolder: '/l',
  members: [{ name: 'm1', transportPort: 21101 }],
  security: 'off',
  extra: { 'cluster.max_shards_per_node': '200' },
};

describe('the configuration of a test node', () => {
  it("is for this machine only, with the test's additions", () => {
    const text = nodeConfig(settings);
    assert.match(text, /^network\.host: 127\.0\.0\.1$/m);
    assert.match(text, /^discovery\.seed_hosts: \[\]$/m);
    assert.match(text, /^cluster\.initial_master_nodes: \[m1\]$/m);
    assert.match(text, /^cluster\.max_shards_per_node: 200$/m);
  });

  it('names every member of a cluster of several', () => {
    const members = [...settings.members, { name: 'm2', transportPort: 21102 }];
    const text = nodeConfig({ ...settings, members });
    assert.match(text, /^discovery\.seed_hosts: \["127\.0\.0\.1:21101", "127\.0\.0\.1:21102"\]$/m);
    assert.match(text, /^cluster\.initial_master_nodes: \[m1, m2\]$/m);
  });

  it('forms no cluster of its own where it joins another node', () => {
    const text = nodeConfig({ ...settings, nodeName: 'm3' });
    assert.match(text, /^discovery\.seed_hosts: \["127\.0\.0\.1:21101"\]$/m);
    assert.doesNotMatch(text, /initial_master_nodes/);
  });

  it('has only security settings that the build understands', () => {
    assert.match(nodeConfig(settings), /^xpack\.security\.enabled: false$/m);
    assert.match(nodeConfig({ ...settings, security: 'plain' }), /^xpack\.security\.enabled: true$/m);
    assert.doesNotMatch(nodeConfig({ ...settings, security: 'installing' }), /xpack/);
    const joined = nodeConfig({ ...settings, security: 'installed' });
    assert.match(joined, /^xpack\.security\.http\.ssl\.keystore\.path: certs\/http\.p12$/m);
    assert.doesNotMatch(nodeConfig({ ...settings, version: '7.17.15' }), /xpack/);
  });
});
