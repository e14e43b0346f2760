import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findRefused } from '../../../../runtime/sink/find-refused.js';

describe('the search for refused records', () => {
  it('shows exactly the refused records, wherever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 200 }), async (bad) => {
        const items = bad.map((isBad, index) => ({ isBad, index }));
        const accepts = (part: readonly { isBad: boolean }[]): Promise<boolean> =>
          Promise.resolve(part.every(({ isBad }) => !isBad));
        const { refused, complete } = await findRefused(items, accepts, 1_000);
        assert.deepEqual(
          refused,
          items.filter(({ isBad }) => isBad),
        );
        assert.equal(complete, true);
      }),
    );
  });

  it('shows the first ones if more are refused than it can show', async () => {
    const items = [1, 2, 3, 4, 5];
    const { refused, complete } = await findRefused(items, () => Promise.resolve(false), 2);
    assert.deepEqual(refused, [1, 2]);
    assert.equal(complete, false);
  });
});
