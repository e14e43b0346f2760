import assert from 'node:assert/strict';
import fc from 'fast-check';
import { claimSlot, type SlotOwner } from '../../../../schemas/snapshots/slot-owner.js';

interface Sent {
  readonly slot: number;
  readonly collection: string;
}

const takenOf = (log: readonly Sent[]): readonly Sent[] => {
  let owner: SlotOwner | undefined;
  return log.filter((item) => {
    const claim = claimSlot(owner, item);
    owner = claim.owner;
    return claim.verdict === 'taken';
  });
};

describe('a slot of a cluster', () => {
  it('belongs to the agent that was first, with all parts of its collection', () => {
    const log = [
      { slot: 60, collection: 'a' },
      { slot: 60, collection: 'b' },
      { slot: 60, collection: 'a' },
      { slot: 120, collection: 'b2' },
      { slot: 120, collection: 'a2' },
    ];
    assert.deepEqual(takenOf(log), [log[0], log[2], log[3]]);
  });

  it('is not accepted from a spool that drains late, once a later slot was stored', () => {
    assert.deepEqual(
      takenOf([
        { slot: 120, collection: 'b' },
        { slot: 60, collection: 'a' },
      ]),
      [{ slot: 120, collection: 'b' }],
    );
  });

  it('is stored once, whatever several agents send in any order, and nothing is lost from a lone agent', () => {
    const sent = fc.record({
      slot: fc.integer({ min: 0, max: 5 }),
      collection: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(sent), (log) => {
        const taken = takenOf(log);
        const collections = new Map<number, Set<string>>();
        for (const { slot, collection } of taken) {
          collections.set(slot, (collections.get(slot) ?? new Set()).add(collection));
        }
        assert.ok([...collections.values()].every(({ size }) => size === 1));
        const alone = [...log]
          .sort((one, other) => one.slot - other.slot)
          .map(({ slot }) => ({ slot, collection: `only ${slot}` }));
        assert.equal(takenOf(alone).length, alone.length);
      }),
    );
  });
});
