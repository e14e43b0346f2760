import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Budget, type Share } from '../../../../agent/spool/budget.js';

const shares = 4;
const limit = 1_000;

interface Step {
  readonly share: number;
  readonly kind: 'take' | 'give';
  readonly bytes: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  share: fc.nat(shares - 1),
  kind: fc.constantFrom('take', 'take', 'give'),
  bytes: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: limit })),
});

const budgetOf = (bytes = limit): { readonly budget: Budget; readonly each: readonly Share[] } => {
  const budget = new Budget('spool', bytes);
  return { budget, each: Array.from({ length: shares }, () => budget.share()) };
};

const takes = (share: Share, bytes: number): boolean => {
  try {
    share.take(bytes);
    return true;
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'SPOOL_FULL');
    return false;
  }
};

describe('the budget of a spool', () => {
  it("is never exceeded, and always keeps each dataset's guaranteed part free, whatever the others take", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { budget, each } = budgetOf();
        for (const { share, kind, bytes } of steps) {
          const own = each[share];
          assert.ok(own !== undefined);
          if (kind === 'give') own.give(Math.min(bytes, own.used));
          else {
            const before = own.used;
            const taken = takes(own, bytes);
            assert.equal(own.used, taken ? before + bytes : before);
            assert.ok(taken || before + bytes > budget.guaranteedBytes, 'refused what is its own');
          }
          assert.ok(budget.used <= limit);
        }
        for (const own of each) {
          const left = budget.guaranteedBytes - own.used;
          assert.ok(left <= 0 || takes(own, left));
        }
      }),
    );
  });

  it('lets one that is alone take all that is not guaranteed to others', () => {
    const { budget, each } = budgetOf();
    const [first] = each;
    assert.ok(first !== undefined && takes(first, limit - 3 * budget.guaranteedBytes));
    assert.ok(!takes(first, 1));
  });

  it('admits nothing while it holds more than a lowered limit', () => {
    const { budget, each } = budgetOf();
    const [first, second] = each;
    assert.ok(first !== undefined && second !== undefined && takes(first, 600));
    budget.resize(500);
    assert.ok(!takes(second, 1));
    first.give(300);
    assert.ok(takes(second, 50));
  });
});
