import { z } from 'zod';
import { amount, instant, list, name, names, shardNumber, text } from './fields.js';

export const shardState = z.enum(['STARTED', 'RELOCATING', 'INITIALIZING', 'UNASSIGNED']);

const shardSnapshot = z.object({
  index: name,
  /** From the last listing of the indices; null if the index (new or restricted) is missing there. */
  index_uuid: text(),
  shard: shardNumber,
  primary: z.boolean(),
  state: shardState,
  node_id: text(),
  node: text(),
  relocating_to_node_id: text(),
  relocating_to_node: text(),
  docs: amount,
  store_bytes: amount,
  unassigned_reason: text(),
  unassigned_at: instant,
  unassigned_details: text(2_048),
});

const decider = z.object({
  decider: name,
  decision: text(32),
  explanation: text(2_048),
  /** The number of nodes for which it said so, and the names of the first ones. */
  nodes: amount,
  node_names: names(20),
});

/** Why one shard of a group (index, primary or replica, reason) is not allocated, and what to do about it. */
const allocationExplanation = z.object({
  index: name,
  shard: shardNumber,
  primary: z.boolean(),
  current_state: text(32),
  unassigned_reason: text(),
  unassigned_at: instant,
  failed_attempts: amount,
  last_allocation_status: text(64),
  can_allocate: text(64),
  explanation: text(2_048),
  /** The deciders that said no or throttle. */
  deciders: list(decider, 50),
  /** Stable name of the recommendation, and its text. */
  recommendation_code: text(64),
  recommendation: text(2_048),
  /** How many unassigned shards this explanation covers. */
  shards_in_group: amount,
  explained_at: instant,
});

/** The most explanations in one item. */
export const mostExplanations = 200;

/** The counts are for all shards of the cluster; `shards` has those that are kept, unassigned ones first. */
export const shardsSection = z.object({
  shards_total: amount,
  started: amount,
  relocating: amount,
  initializing: amount,
  unassigned: amount,
  unassigned_primaries: amount,
  /** Started shards beyond `maxShards`, left out. */
  shards_cut: amount,
  shards: list(shardSnapshot, 5_000),
  /** Why shards are unassigned, as far as known; only in the first part. */
  explanations: list(allocationExplanation, mostExplanations),
});

export const allocationExplainSection = z.object({
  unassigned: amount,
  /** Groups of unassigned shards that were not explained this time. */
  groups_cut: amount,
  explanations: list(allocationExplanation, mostExplanations),
});

export type ShardSnapshot = z.output<typeof shardSnapshot>;
export type ShardsSection = z.output<typeof shardsSection>;
export type AllocationExplanation = z.output<typeof allocationExplanation>;
export type AllocationExplainSection = z.output<typeof allocationExplainSection>;
