import assert from 'node:assert/strict';
import { workspaceShares } from '../../../../../processors/score-metrics/overflow/workspace-shares.js';

describe('the shares of workspaces', () => {
  let now = 0;
  const shares = () => workspaceShares({ atOnce: 2, now: () => now });

  it('give a workspace its places, and back again those that it leaves', () => {
    const own = shares();
    assert.deepEqual([own.begin('a'), own.begin('a')], [true, true]);
    own.end('a');
    assert.ok(own.begin('a'));
  });

  it('are not touched by what another workspace has', () => {
    const own = shares();
    for (let count = 0; count < 10; count++) own.begin('noisy');
    assert.ok(own.begin('quiet'));
  });

  it('are withheld from a workspace that had too much, until it has asked for nothing for a second', () => {
    const own = shares();
    assert.deepEqual([own.begin('a'), own.begin('a'), own.begin('a')], [true, true, false]);
    own.end('a');
    own.end('a');
    now += 900;
    assert.ok(!own.begin('a'), 'it still asks');
    now += 900;
    assert.ok(!own.begin('a'), 'it still asks');
    now += 1_001;
    assert.ok(own.begin('a'));
  });
});
