import assert from 'node:assert/strict';
import {
  boxHeight,
  laidOutCalls,
  type MapCall,
} from '../../../dashboard/src/pages/applications/call-layout.js';

const call = (caller: string, called: string): MapCall => ({ caller, called, calls: 1, errors: 0 });
const shop = [call('web', 'shop'), call('shop', 'stock'), call('web', 'stock'), call('shop', 'prices')];

describe('the map of calls', () => {
  it('has callers to the left of the applications they call', () => {
    const { nodes } = laidOutCalls(shop);
    const x = new Map(nodes.map((node) => [node.name, node.x]));
    for (const { caller, called } of shop) assert.ok((x.get(caller) ?? 0) < (x.get(called) ?? 0), called);
  });

  it('lays no application on another, and draws every call once', () => {
    const { nodes, edges } = laidOutCalls(shop);
    for (const one of nodes)
      for (const other of nodes)
        assert.ok(one === other || one.x !== other.x || Math.abs(one.y - other.y) > boxHeight);
    assert.equal(new Set(edges.map(({ path }) => path)).size, shop.length);
  });

  it('can be laid out even if applications call each other in a circle', () => {
    const circle = [call('a', 'b'), call('b', 'c'), call('c', 'a')];
    const { nodes, edges } = laidOutCalls(circle);
    assert.deepEqual([nodes.length, edges.length], [3, 3]);
    assert.ok(nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
  });

  it('is the same in whatever order calls come', () => {
    assert.deepEqual(laidOutCalls([...shop].reverse()), laidOutCalls(shop));
  });
});
