import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assignSticky, type StickyMember } from '../../../../../runtime/kafka/consume/group-membership.js';
import { runs } from '../../../../support/properties.js';

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const group = fc
  .record({ members: fc.integer({ min: 1, max: 8 }), partitions: fc.integer({ min: 1, max: 30 }) })
  .chain(({ members, partitions }) =>
    fc.record({
      partitions: fc.constant(range(partitions)),
      copies: fc.integer({ min: 1, max: 3 }),
      members: fc
        .array(fc.uniqueArray(fc.integer({ min: 0, max: partitions + 3 })), {
          minLength: members,
          maxLength: members,
        })
        .map((all) => all.map((held, at): StickyMember => ({ id: `member-${at}`, held }))),
    }),
  );

describe('assignSticky', () => {
  it('gives every partition to the wanted number of members, whatever they hold', () => {
    fc.assert(
      fc.property(group, ({ members, partitions, copies }) => {
        const given = [...assignSticky(members, partitions, copies).values()];
        for (const partition of partitions) {
          const owners = given.filter((its) => its.includes(partition)).length;
          assert.equal(owners, Math.min(copies, members.length));
        }
        for (const its of given) assert.equal(new Set(its).size, its.length);
      }),
      { numRuns: runs(200) },
    );
  });

  it('gives each member an equal share, whatever they hold', () => {
    fc.assert(
      fc.property(group, ({ members, partitions, copies }) => {
        const loads = [...assignSticky(members, partitions, copies).values()].map((its) => its.length);
        assert.ok(Math.max(...loads) - Math.min(...loads) <= 1, String(loads));
      }),
      { numRuns: runs(200) },
    );
  });

  it("leaves partitions where they are, except for a joining member's share", () => {
    const before = [
      { id: 'a', held: range(6) },
      { id: 'b', held: range(12).slice(6) },
    ];
    const joined = assignSticky([...before, { id: '0', held: [] }], range(12), 1);
    assert.equal(joined.get('0')?.length, 4);
    for (const { id, held } of before) for (const its of joined.get(id) ?? []) assert.ok(held.includes(its));
  });

  it("takes a joining member's share from two that held everything", () => {
    const members = ['a', 'b', 'c'].map((id) => ({ id, held: id === 'c' ? [] : range(6) }));
    const loads = [...assignSticky(members, range(6), 2).values()].map((its) => its.length);
    assert.deepEqual(loads, [4, 4, 4]);
  });

  it('gives a returning member what it still holds', () => {
    const members = [
      { id: 'a', held: [] },
      { id: 'b', held: [3, 4, 5] },
    ];
    assert.deepEqual(assignSticky(members, range(6), 1).get('b'), [3, 4, 5]);
  });
});
