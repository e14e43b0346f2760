import type { AllocationExplanation, ShardSnapshot } from '../../schemas/snapshots/shard-section.js';
import type { CallFailure } from './call-failure.js';
import type { Master } from './parse/cluster.js';

/** What came of asking why a group of shards is unassigned. */
export interface AskedGroup {
  /** Which of them was asked about; null: the cluster chose. */
  readonly shard: number | null;
  /** Since when that was unassigned, as it was listed and as the cluster answered. */
  readonly unassignedSince: readonly number[];
  readonly askedAt: number;
  readonly found: Found;
}

/** `nothing`: the cluster has nothing to explain; `outdated`: what was found is too old to be said. */
export type Found =
  | { readonly explanation: AllocationExplanation }
  | { readonly failure: CallFailure }
  | 'nothing'
  | 'outdated';

/** What one section learns and another needs; forgotten when the cluster's UUID changes. */
export interface ClusterMemory {
  master: Master;
  /** Of the last call for the cluster's health; null: not known. */
  unassigned: number | null;
  /** UUIDs by index name, of the last listing. */
  indexUuids: ReadonlyMap<string, string | null>;
  /** Unassigned shards of the last listing, as far as they were kept; undefined: none was made yet. */
  unassignedShards: readonly ShardSnapshot[] | undefined;
  /** By group of unassigned shards. */
  readonly askedGroups: Map<string, AskedGroup>;
  /** Explanations are other than those that were sent last, whichever section brought them up to date. */
  explanationsChanged: boolean;
  /** The last one that was asked for was not had: only its own section tries again, at its own pace. */
  explainFails: boolean;
  /** When explanations were last sent, and of how many unassigned shards; undefined: never. */
  lastExplained: { readonly at: number; readonly unassigned: number | null } | undefined;
}

export function newClusterMemory(): ClusterMemory {
  return {
    master: { id: null, name: null },
    unassigned: null,
    indexUuids: new Map(),
    unassignedShards: undefined,
    askedGroups: new Map(),
    explanationsChanged: false,
    explainFails: false,
    lastExplained: undefined,
  };
}
