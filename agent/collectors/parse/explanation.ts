import type { AllocationExplanation } from '../../../schemas/snapshots/shard-section.js';
import { amountAt, instantAt, listAt, shardNumberAt, textAt, textOf, valueAt } from './answer.js';
import { recommend, type Obstacles } from './recommendation.js';

type Deciders = AllocationExplanation['deciders'];

/**
 * The fields of an explanation that are read. The rest contains each node's attributes and, for a failed
 * allocation, a stack trace.
 */
export const explanationFields = [
  'index',
  'shard',
  'primary',
  'current_state',
  'unassigned_info.reason',
  'unassigned_info.at',
  'unassigned_info.failed_allocation_attempts',
  'unassigned_info.last_allocation_status',
  'can_allocate',
  'allocate_explanation',
  'node_allocation_decisions.node_name',
  'node_allocation_decisions.deciders',
].join(',');

/**
 * From `_cluster/allocation/explain`; null if the answer explains no shard. `groupSize` is the number of
 * unassigned shards in the group.
 */
export function parseExplanation(
  answer: unknown,
  groupSize: number,
  explainedAt: number,
): AllocationExplanation | null {
  const index = textAt(answer, 'index');
  const shard = shardNumberAt(answer, 'shard');
  const primary = valueAt(answer, 'primary');
  if (index === null || shard === null || typeof primary !== 'boolean') return null;
  const explained = {
    index,
    shard,
    primary,
    current_state: textOf(valueAt(answer, 'current_state'), 32),
    unassigned_reason: textAt(answer, 'unassigned_info', 'reason'),
    unassigned_at: instantAt(answer, 'unassigned_info', 'at'),
    failed_attempts: amountAt(answer, 'unassigned_info', 'failed_allocation_attempts'),
    last_allocation_status: textOf(valueAt(answer, 'unassigned_info', 'last_allocation_status'), 64),
    can_allocate: textOf(valueAt(answer, 'can_allocate'), 64),
    explanation: textOf(valueAt(answer, 'allocate_explanation'), 2_048),
    deciders: decidersOf(answer),
    shards_in_group: groupSize,
    explained_at: explainedAt,
  };
  const recommendation = recommend(explained, obstaclesOf(answer));
  return {
    ...explained,
    recommendation_code: recommendation.code,
    recommendation: recommendation.text,
  };
}

/** The deciders that said no (or throttle), each once, with the number of nodes. */
function decidersOf(answer: unknown): Deciders {
  const byName = new Map<string, Deciders[number]>();
  for (const node of listAt(answer, 'node_allocation_decisions')) {
    for (const decider of listAt(node, 'deciders')) {
      const name = textAt(decider, 'decider');
      const decision = textOf(valueAt(decider, 'decision'), 32);
      if (name === null || decision === null || decision === 'YES') continue;
      const known = byName.get(name) ?? {
        decider: name,
        decision,
        explanation: textOf(valueAt(decider, 'explanation'), 1_000),
        nodes: 0,
        node_names: [],
      };
      const nodeName = textAt(node, 'node_name');
      byName.set(name, {
        ...known,
        nodes: (known.nodes ?? 0) + 1,
        node_names:
          nodeName === null || known.node_names.length >= 5
            ? known.node_names
            : [...known.node_names, nodeName],
      });
    }
  }
  return [...byName.values()].slice(0, 50);
}

function obstaclesOf(answer: unknown): Obstacles {
  return listAt(answer, 'node_allocation_decisions').map((node) => {
    const saidNo = listAt(node, 'deciders').filter((decider) => textAt(decider, 'decision') === 'NO');
    return new Set(saidNo.map((decider) => textAt(decider, 'decider')).filter((name) => name !== null));
  });
}
