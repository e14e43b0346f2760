import assert from 'node:assert/strict';
import { Turns } from '../../../../runtime/pool/turns.js';

describe('turns', () => {
  /** Takes the only turn, lets the others wait in their order, and gives the order in which they were served. */
  async function servedAmong(...askers: readonly string[]): Promise<readonly string[]> {
    const turns = new Turns(1);
    await turns.take({ group: 'first', urgent: false });
    const served: string[] = [];
    const all = askers.map(async (name) => {
      await turns.take({ group: name.slice(0, 1).toLowerCase(), urgent: name === name.toUpperCase() });
      served.push(name);
      turns.giveBack();
    });
    turns.giveBack();
    await Promise.all(all);
    return served;
  }

  it('go round among the groups that wait, and keep the order within each', async () => {
    assert.deepEqual(await servedAmong('a1x', 'a2x', 'a3x', 'b1x', 'b2x', 'c1x'), [
      ...['a1x', 'b1x', 'c1x'],
      ...['a2x', 'b2x', 'a3x'],
    ]);
  });

  it('go to the urgent first', async () => {
    assert.deepEqual(await servedAmong('a1x', 'b1x', 'C', 'C'), ['C', 'C', 'a1x', 'b1x']);
  });

  it('are as many at once as there are', async () => {
    const turns = new Turns(2);
    const asker = { group: 'a', urgent: false };
    await turns.take(asker);
    await turns.take(asker);
    const third = turns.take(asker).then(() => 'third');
    assert.equal(await Promise.race([third, Promise.resolve('waiting')]), 'waiting');
    turns.giveBack();
    assert.equal(await third, 'third');
  });

  it('say whether someone urgent waits', async () => {
    const turns = new Turns(1);
    await turns.take({ group: 'a', urgent: true });
    void turns.take({ group: 'a', urgent: false });
    assert.ok(!turns.isPressed);
    void turns.take({ group: 'a', urgent: true });
    assert.ok(turns.isPressed);
    turns.giveBack();
    assert.ok(!turns.isPressed);
  });

  it('leave out who was aborted while it waited', async () => {
    const turns = new Turns(1);
    await turns.take({ group: 'a', urgent: false });
    const abort = new AbortController();
    const aborted = turns.take({ group: 'b', urgent: false }, abort.signal);
    const waiting = turns.take({ group: 'c', urgent: false });
    abort.abort(new Error('no longer wanted'));
    await assert.rejects(aborted, /no longer wanted/);
    turns.giveBack();
    await waiting;
  });
});
