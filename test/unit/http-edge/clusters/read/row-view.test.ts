import assert from 'node:assert/strict';
import { viewOfRow } from '../../../../../http-edge/clusters/read/row-view.js';

describe('the view of a row', () => {
  it('has the deciders of an unassigned shard as a list, and not as JSON in a text', () => {
    const deciders = [{ decider: 'same_shard', decision: 'NO', nodes: 1 }];
    const view = viewOfRow({ index: 'orders', deciders: JSON.stringify(deciders) }, ['index', 'deciders']);
    assert.deepEqual(view, { index: 'orders', deciders });
    assert.deepEqual(viewOfRow({}, ['deciders']), { deciders: null });
  });
});
