import assert from 'node:assert/strict';
import { ClusterLeases } from '../../../../agent/collectors/cluster-leases.js';

const minute = 60_000;

describe('two endpoints', () => {
  it('of one cluster are one integration: the first that meets it keeps it for as long as it still meets it', () => {
    const claims = new ClusterLeases();
    for (let at = 0; at < 60 * minute; at += minute) {
      assert.equal(claims.claim('u1', 0, at), true);
      assert.equal(claims.claim('u1', 1, at + 1), false);
    }
  });

  it('of one cluster replace each other: the second gets it once the first has not met it for three cycles', () => {
    const claims = new ClusterLeases();
    assert.equal(claims.claim('u1', 0, 0), true);
    assert.equal(claims.claim('u1', 1, 2 * minute), false);
    assert.equal(claims.claim('u1', 1, 3 * minute), true);
    assert.equal(claims.claim('u1', 0, 4 * minute), false, 'the first is the duplicate now');
  });

  it('of different clusters have one each', () => {
    const claims = new ClusterLeases();
    assert.equal(claims.claim('u1', 0, 0), true);
    assert.equal(claims.claim('u2', 1, 0), true);
  });
});
