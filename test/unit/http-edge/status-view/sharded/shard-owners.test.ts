import assert from 'node:assert/strict';
import { ShardOwners } from '../../../../../http-edge/status-view/sharded/shard-owners.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { createMetrics } from '../../../../../runtime/metrics.js';

describe('an edge that did not answer', () => {
  const url = 'http://10.0.0.7:8079';
  const owners = (): ShardOwners => {
    const client = { send: () => assert.fail('nobody is asked'), stop: () => undefined };
    return new ShardOwners({ client, logger: silentLogger, metrics: createMetrics() });
  };

  it('counts as silent until it answers', () => {
    const known = owners();
    assert.equal(known.isSilent(url), false);
    known.notReached(url, new Error('refused'));
    assert.equal(known.isSilent(url), true);
    known.reached(url);
    assert.equal(known.isSilent(url), false);
  });

  it('counts as silent for seconds, whatever the wall clock does meanwhile', () => {
    const wallClock = Date.now;
    try {
      Date.now = () => wallClock() - 3_600_000;
      const known = owners();
      known.notReached(url, new Error('refused'));
      Date.now = () => wallClock();
      assert.equal(known.isSilent(url), true);
    } finally {
      Date.now = wallClock;
    }
  });
});
