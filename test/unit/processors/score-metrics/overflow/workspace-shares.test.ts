import assert from 'node:assert/strict';
import { workspaceShares } from '../../../../../processors/score-metrics/overflow/workspace-shares.js';

describe('the shares of workspaces', () => {
  let now = 0;
  const shares = () => workspaceShares({ threads: 2, now: () => now });
  /** The jobs of 1 ms that each workspace gets in a second, if each requests three per millisecond. */
  function takenInASecond(...workspaces: readonly string[]): readonly number[] {
    const own = shares();
    const taken = workspaces.map(() => 0);
    for (const end = now + 1_000; now < end; now += 1)
      for (let asked = 0; asked < 3; asked += 1)
        workspaces.forEach((workspace, at) => {
          if (own.take(workspace, 1)) taken[at] = (taken[at] ?? 0) + 1;
        });
    return taken;
  }

  it('are half of the time of the threads', () => {
    const [alone] = takenInASecond('a');
    assert.ok(alone !== undefined && alone >= 1_000 && alone <= 1_050, String(alone));
  });

  it('are equal among those that ask', () => {
    const taken = takenInASecond('a', 'b', 'c', 'd');
    for (const each of taken) assert.ok(each >= 250 && each <= 300, String(taken));
  });

  it('are not touched by what another workspace takes', () => {
    const own = shares();
    while (own.take('noisy', 1));
    assert.ok(own.take('quiet', 1));
  });

  it('are whole again once the others have gone', () => {
    const own = shares();
    for (const workspace of ['a', 'b', 'c', 'd']) own.take(workspace, 50);
    assert.ok(!own.take('a', 1));
    now += 11_000;
    assert.ok(own.take('a', 50));
    now += 50;
    assert.ok(own.take('a', 49), 'of two threads, half the time, alone');
  });
});
