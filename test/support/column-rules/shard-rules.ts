import { at, type ClusterAnswers } from '../cluster-answers.js';
import type { ColumnRules, Counterpart } from '../same-columns.js';
import { below, each, flat } from './counterparts.js';

const shard = (answers: ClusterAnswers): unknown => answers.shard;

const ofAny: Readonly<Record<string, Counterpart>> = {
  ...below(shard, { index: 'index', shard: 'shard', state: 'state' }),
  index_uuid: ({ listed }) => at(listed, 'uuid'),
  primary: (answers) => at(shard(answers), 'prirep') === 'p',
};

const ofPlaced = below(shard, { node_id: 'id', docs: 'docs', store_bytes: 'store' });

const ofMoving = ['relocating_to_node_id', 'relocating_to_node'] as const;

const ofUnassigned = [
  'unassigned_reason',
  'unassigned_at',
  'unassigned_details',
  'can_allocate',
  'explanation',
  'explained_at',
  'failed_attempts',
  'deciders',
  'recommendation_code',
  'recommendation',
] as const;

/** For a started shard that is not moving. */
export const startedShardRules: ColumnRules = {
  same: {
    ...ofAny,
    ...ofPlaced,
    ...below(shard, { node: 'node' }),
    ...each([...ofMoving, ...ofUnassigned], () => null),
  },
  optional: each([...ofMoving, ...ofUnassigned], 'a shard that is where it should be has none'),
  without: {},
};

/** The source and target of a moving shard: its node column is `from -> address id to`. */
const way = (part: RegExp) => (answers: ClusterAnswers) => part.exec(String(at(shard(answers), 'node')))?.[1];

/** For a shard that is moving from one node to another. */
export const movingShardRules: ColumnRules = {
  same: {
    ...ofAny,
    ...ofPlaced,
    node: way(/^(\S+) -> /),
    relocating_to_node_id: way(/ -> \S+ (\S+) \S+$/),
    relocating_to_node: way(/ -> \S+ \S+ (\S+)$/),
    ...each(ofUnassigned, () => null),
  },
  optional: each(ofUnassigned, 'a shard that is on its way is assigned'),
  without: {},
};

const explained = (answers: ClusterAnswers): unknown => answers.explanation;

interface Decision {
  readonly node_name: string;
  readonly deciders?: readonly {
    readonly decider: string;
    readonly decision: string;
    readonly explanation: string;
  }[];
}

/** The only node's decisions about the shard: each decider that does not say yes. */
function deciders(answers: ClusterAnswers): string {
  const decisions = (at(explained(answers), 'node_allocation_decisions') ?? []) as readonly Decision[];
  const said = decisions.flatMap(({ node_name: name, deciders: all = [] }) =>
    all.map((one) => ({ ...one, nodes: 1, node_names: [name] })),
  );
  return JSON.stringify(said.filter(({ decision }) => decision !== 'YES'));
}

/** For a shard that can't be allocated; `explanation` is the cluster's own. */
export const unassignedShardRules: ColumnRules = {
  same: {
    ...ofAny,
    ...flat(shard, {
      unassigned_reason: 'unassigned.reason',
      unassigned_details: 'unassigned.details',
    }),
    unassigned_at: (answers) => Date.parse(String(at(shard(answers), 'unassigned.at'))),
    ...below(explained, {
      can_allocate: 'can_allocate',
      explanation: 'allocate_explanation',
      failed_attempts: 'unassigned_info.failed_allocation_attempts',
    }),
    deciders,
    ...each([...Object.keys(ofPlaced), 'node', ...ofMoving], () => null),
  },
  optional: {
    ...each([...Object.keys(ofPlaced), 'node', ...ofMoving], 'the shard is nowhere'),
    unassigned_details: 'an index that was just made has none',
    failed_attempts: 'said where an allocation has failed',
  },
  within: {
    explained_at: (row) => {
      const [from = '', at = '', to = ''] = ['unassigned_at', 'explained_at', 'inserted_at'].map((column) =>
        String(row[column]),
      );
      return from <= at && at <= to;
    },
  },
  without: {
    recommendation_code: 'of the agent, not of the cluster',
    recommendation: 'of the agent, not of the cluster',
  },
};
