import assert from 'node:assert/strict';
import { createPathIndex } from '../../../../runtime/http/path-index.js';
import type { Route } from '../../../../runtime/http/route.js';

const routeTo = (pattern: string): Route => ({ method: 'GET', pattern, handle: () => undefined });

describe('the index of paths', () => {
  const patterns = ['/a/{b}/c/{d}', '/a/{b}/c/sum', '/a/fixed'];
  for (const order of [patterns, patterns.toReversed()])
    it(`finds the pattern with the fewest parameters, in whatever order routes come: ${order.join(', ')}`, () => {
      const known = createPathIndex(order.map(routeTo));
      assert.equal(known('/a/x/c/sum')?.pattern, '/a/{b}/c/sum');
      assert.equal(known('/a/x/c/y')?.pattern, '/a/{b}/c/{d}');
      assert.equal(known('/a/fixed')?.pattern, '/a/fixed');
      assert.equal(known('/a/x'), undefined);
    });
});
