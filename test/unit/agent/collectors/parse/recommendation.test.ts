import assert from 'node:assert/strict';
import { parseExplanation } from '../../../../../agent/collectors/parse/explanation.js';

/** For each node, the deciders that said no. */
type Nodes = readonly (readonly string[])[];

function recommended(can_allocate: string, nodes: Nodes, primary = false) {
  const explained = { index: 'logs', shard: 0, primary, current_state: 'unassigned', can_allocate };
  const node_allocation_decisions = nodes.map((names, node) => ({
    node_name: `n${node}`,
    deciders: [
      ...names.map((decider) => ({ decider, decision: 'NO' })),
      { decider: 'throttling', decision: 'THROTTLE' },
      { decider: 'filter', decision: 'YES' },
    ],
  }));
  return parseExplanation({ ...explained, node_allocation_decisions }, 1, 0);
}

const codeOf = (...args: Parameters<typeof recommended>) => recommended(...args)?.recommendation_code;

const times = (count: number, ...deciders: readonly string[]): Nodes =>
  Array.from({ length: count }, () => deciders);

describe('the recommendation for an unassigned shard', () => {
  it('is to wait if a node can take it, whatever forbids it on the others', () => {
    assert.equal(codeOf('allocation_delayed', [['same_shard']]), 'delayed');
    assert.equal(codeOf('throttled', [['same_shard'], []]), 'throttled');
    assert.equal(codeOf('awaiting_info', [['same_shard']]), 'fetching');
    assert.equal(codeOf('yes', [['filter'], []]), 'will_be_allocated');
  });

  it('names the obstacle if no node can take it', () => {
    assert.equal(codeOf('no', [['same_shard']]), 'too_few_nodes');
    assert.equal(codeOf('no', [['same_shard'], ['disk_threshold']]), 'disk_full');
    assert.equal(codeOf('no_valid_shard_copy', [['filter']]), 'copy_lost');
    assert.equal(codeOf('no', times(2, 'filter')), 'filter');
    assert.equal(codeOf('no', times(2, 'data_tier')), 'tier_missing');
  });

  it('names the obstacle on the nodes meant for it, not why the other nodes are not meant for it', () => {
    const full = times(2, 'disk_threshold');
    assert.equal(codeOf('no', [...times(4, 'data_tier'), ...full], true), 'disk_full');
    assert.equal(codeOf('no', [...times(4, 'filter'), ...full], true), 'disk_full');
    assert.equal(codeOf('no', [['data_tier'], ['filter', 'disk_threshold']]), 'filter');
    assert.equal(codeOf('no', [...times(4, 'data_tier'), ['same_shard']]), 'too_few_nodes');
    assert.equal(codeOf('no', [...times(4, 'data_tier', 'disk_threshold'), ['awareness']]), 'awareness');
  });

  it('names an obstacle of every such node before one of only some', () => {
    assert.equal(codeOf('no', [['awareness'], ['awareness', 'disk_threshold']]), 'awareness');
    assert.equal(codeOf('no', [['data_tier'], ['data_tier', 'filter']]), 'tier_missing');
    assert.equal(
      codeOf('no', [
        ['enable', 'data_tier'],
        ['enable', 'disk_threshold'],
      ]),
      'allocation_disabled',
    );
    assert.equal(codeOf('no', [['shards_limit'], ['disk_threshold', 'awareness']]), 'shards_limit');
  });

  it('names the deciders that said no if the cause is not a usual one, and is never missing', () => {
    const frozen = recommended('no', [['has_frozen_cache'], ['dedicated_frozen_node', 'resize']]);
    assert.equal(frozen?.recommendation_code, 'other_deciders');
    assert.match(frozen.recommendation ?? '', /logs.*: has_frozen_cache, dedicated_frozen_node, resize\./);
    assert.equal(codeOf('no', [['same_shard']], true), 'other_deciders');
    const silent = recommended('worse_balance', [[]]);
    assert.equal(silent?.recommendation_code, 'no_decider');
    assert.match(silent.recommendation ?? '', /"worse_balance" about logs/);
    assert.equal(codeOf('no', []), 'no_decider');
  });
});
