import type { AllocationExplanation } from '../../../schemas/snapshots/shard-section.js';

type Explained = Pick<AllocationExplanation, 'primary' | 'can_allocate' | 'failed_attempts' | 'index'>;

export interface Recommendation {
  readonly code: string;
  readonly text: string;
}

interface Rule {
  readonly code: string;
  readonly holds: (explained: Explained, says: (decider: string) => boolean) => boolean;
  readonly text: (explained: Explained) => string;
}

const willBe = 'Nothing forbids it: the cluster will allocate the shard automatically.';

/**
 * Chooses the one cause to report. The causes are in the order in which they have to be fixed: removing a
 * later one does not help while an earlier one holds. If the cluster's verdict is not "no", some node can
 * take the shard now or soon, so what the deciders say of other nodes (for example, that one has the primary)
 * does not count. Otherwise `says` asks the nodes that are nearest to taking the shard. Deciders are those of
 * Elasticsearch's allocation (7.x to 9.x).
 */
const rules: readonly Rule[] = [
  {
    code: 'copy_lost',
    holds: ({ can_allocate }) => can_allocate === 'no_valid_shard_copy',
    text: ({ index, primary }) =>
      primary
        ? `No node of the cluster holds the data of this primary shard. Bring back the node that had it; if it is lost permanently, restore ${index} from a snapshot.`
        : `No node holds a usable copy. Bring back the node that had it.`,
  },
  {
    code: 'throttled',
    holds: ({ can_allocate }) => can_allocate === 'throttled',
    text: () =>
      'Nodes are busy with other recoveries. Wait: the shard will be allocated when one of them ends.',
  },
  {
    code: 'delayed',
    holds: ({ can_allocate }) => can_allocate === 'allocation_delayed',
    text: () =>
      'The cluster waits for the node that left to come back (index.unassigned.node_left.delayed_timeout). Bring it back, or wait.',
  },
  {
    code: 'fetching',
    holds: ({ can_allocate }) => can_allocate === 'awaiting_info',
    text: () => 'The cluster is still asking its nodes what they hold. Wait, and look again in a minute.',
  },
  {
    code: 'will_be_allocated',
    holds: ({ can_allocate }) => can_allocate === 'yes',
    text: () => willBe,
  },
  {
    code: 'retries_exhausted',
    holds: (_, says) => says('max_retry'),
    text: ({ failed_attempts }) =>
      `The shard failed to start ${failed_attempts ?? 'several'} times, and the cluster no longer retries. See the details of the failure, fix its cause, then have the cluster retry failed allocations.`,
  },
  {
    code: 'primary_first',
    holds: (_, says) => says('replica_after_primary_active'),
    text: () => 'This replica waits for its primary, which is not active. Get the primary assigned first.',
  },
  {
    code: 'allocation_disabled',
    holds: (_, says) => says('enable'),
    text: () =>
      'Allocation is switched off by the setting cluster.routing.allocation.enable or index.routing.allocation.enable. Set it back to all.',
  },
  {
    code: 'filter',
    holds: (_, says) => says('filter'),
    text: ({ index }) =>
      `The allocation filters (include, exclude, require) of ${index} or of the cluster match no node that could take the shard. Change the filters, or add a node that they match.`,
  },
  {
    code: 'tier_missing',
    holds: (_, says) => says('data_tier'),
    text: ({ index }) =>
      `No node belongs to the data tier that ${index} asks for (index.routing.allocation.include._tier_preference). Add a node of that tier, or change the preference.`,
  },
  {
    code: 'disk_full',
    holds: (_, says) => says('disk_threshold'),
    text: () =>
      'The disks of the nodes that could take the shard are past the low or the high watermark. Free space, add a data node or a disk, or move shards away.',
  },
  {
    code: 'shards_limit',
    holds: (_, says) => says('shards_limit'),
    text: () =>
      'A limit of shards per node (index or cluster setting total_shards_per_node) is reached on nodes that could take the shard. Raise it, or add a data node.',
  },
  {
    code: 'version',
    holds: (_, says) => says('node_version'),
    text: () =>
      'The remaining nodes run an older version than the one that holds the primary. Upgrade them: a shard never moves to an older version.',
  },
  {
    code: 'awareness',
    holds: (_, says) => says('awareness'),
    text: () =>
      'Allocation awareness forbids another copy in the remaining zones. Bring back the nodes of the missing zone, or lower the number of replicas.',
  },
  {
    code: 'shutdown',
    holds: (_, says) => says('node_shutdown') || says('node_replacement'),
    text: () =>
      'The nodes that could take the shard are marked for shutdown. Let the shutdown end, or cancel it.',
  },
  {
    code: 'snapshot_running',
    holds: (_, says) => says('snapshot_in_progress') || says('restore_in_progress'),
    text: ({ index }) =>
      `A snapshot or restore holds the shard. Wait for it to end; if a restore failed, delete ${index} and restore it again.`,
  },
  {
    code: 'too_few_nodes',
    holds: ({ primary }, says) => !primary && says('same_shard'),
    text: () =>
      'Every data node that could take it already holds a copy of this shard. Add a data node, or lower the number of replicas.',
  },
  {
    code: 'will_be_allocated',
    holds: ({ can_allocate }) => can_allocate === 'no_attempt',
    text: () => willBe,
  },
];

/** The obstacles of each node: the deciders that said no for it. */
export type Obstacles = readonly ReadonlySet<string>[];

/**
 * How far a node is from ever taking the shard. A node of another tier, or one that the filters exclude, was
 * never meant to take it, and a node that already has a copy can't. Their other obstacles are no cause.
 */
const distances: readonly (readonly [number, readonly string[]])[] = [
  [3, ['data_tier', 'dedicated_frozen_node', 'has_frozen_cache']],
  [2, ['filter']],
  [1, ['same_shard']],
];

function distanceOf(node: ReadonlySet<string>): number {
  return distances.find(([, deciders]) => deciders.some((decider) => node.has(decider)))?.[0] ?? 0;
}

function nearest(obstacles: Obstacles): Obstacles {
  const evaluated = obstacles.filter(({ size }) => size > 0);
  const least = Math.min(...evaluated.map(distanceOf));
  return evaluated.filter((node) => distanceOf(node) === least);
}

/** One cause and its fix, in words; if no known cause applies, it names the deciders that said no. */
export function recommend(explained: Explained, obstacles: Obstacles): Recommendation {
  const nodes = nearest(obstacles);
  const fewest = Math.min(...nodes.map(({ size }) => size));
  const least = nodes.filter(({ size }) => size === fewest);
  const byAll = (decider: string): boolean => nodes.length > 0 && nodes.every((node) => node.has(decider));
  const byAny = (decider: string): boolean => least.some((node) => node.has(decider));
  const rule =
    rules.find(({ holds }) => holds(explained, byAll)) ?? rules.find(({ holds }) => holds(explained, byAny));
  return rule === undefined ? unlisted(explained, nodes) : { code: rule.code, text: rule.text(explained) };
}

function unlisted({ index, can_allocate }: Explained, nodes: Obstacles): Recommendation {
  const deciders = [...new Set(nodes.flatMap((node) => [...node]))].slice(0, 10).join(', ');
  if (deciders !== '') {
    const text = `These deciders keep ${index} from the nodes that could take it: ${deciders}. See what each of them says, and fix that.`;
    return { code: 'other_deciders', text };
  }
  const text = `The cluster says "${can_allocate ?? 'nothing'}" about ${index}, and no decider says why. Look at its own explanation and at the log of the elected master.`;
  return { code: 'no_decider', text };
}
