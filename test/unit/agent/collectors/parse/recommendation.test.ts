import assert from 'node:assert/strict';
import { recommend } from '../../../../../agent/collectors/parse/recommendation.js';

const decider = (name: string) => ({
  decider: name,
  decision: 'NO',
  explanation: null,
  nodes: 1,
  node_names: [],
});
const codeOf = (can_allocate: string, ...deciders: readonly string[]): string | undefined =>
  recommend({
    index: 'books',
    primary: false,
    can_allocate,
    unassigned_reason: 'NODE_LEFT',
    failed_attempts: null,
    deciders: deciders.map(decider),
  })?.code;

describe('the recommendation for an unassigned shard', () => {
  it('is to wait where a node may take it, whatever forbids it on the others', () => {
    assert.equal(codeOf('allocation_delayed', 'same_shard'), 'delayed');
    assert.equal(codeOf('throttled', 'same_shard', 'throttling'), 'throttled');
    assert.equal(codeOf('awaiting_info', 'same_shard'), 'fetching');
    assert.equal(codeOf('yes', 'filter'), 'will_be_allocated');
  });

  it('names what stands in the way where no node may', () => {
    assert.equal(codeOf('no', 'same_shard'), 'too_few_nodes');
    assert.equal(codeOf('no', 'same_shard', 'disk_threshold'), 'disk_full');
    assert.equal(codeOf('no_valid_shard_copy', 'filter'), 'copy_lost');
  });
});
