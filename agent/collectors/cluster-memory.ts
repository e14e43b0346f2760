import type { AllocationExplanation, ShardSnapshot } from '../../schemas/snapshots/shard-section.js';
import type { CallFailure } from './call-failure.js';
import type { Master } from './parse/cluster.js';

/** The result of asking why a group of shards is unassigned. */
export interface AskedGroup {
  /** The shard that was asked about; null if the cluster chose one. */
  readonly shard: number | null;
  /** Since when that shard has been unassigned, according to the listing and to the cluster's answer. */
  readonly unassignedSince: readonly number[];
  readonly askedAt: number;
  readonly found: Found;
}

/** `nothing`: the cluster has nothing to explain; `outdated`: the explanation is too old to be reported. */
export type Found =
  | { readonly explanation: AllocationExplanation }
  | { readonly failure: CallFailure }
  | 'nothing'
  | 'outdated';

/** What one section finds and another needs; forgotten when the cluster's UUID changes. */
export interface ClusterMemory {
  master: Master;
  /** From the last call for the cluster's health; null: unknown. */
  unassigned: number | null;
  /** UUIDs by index name, from the last listing. */
  indexUuids: ReadonlyMap<string, string | null>;
  /** Unassigned shards of the last listing, as far as they were kept; undefined before the first listing. */
  unassignedShards: readonly ShardSnapshot[] | undefined;
  /** By group of unassigned shards. */
  readonly askedGroups: Map<string, AskedGroup>;
  /** Whether the explanations differ from those that were sent last, whichever section updated them. */
  explanationsChanged: boolean;
  /**
   * Whether the last request for explanations failed: only their own section then tries again, at its pace.
   */
  explainFails: boolean;
  /** When explanations were last sent, and for how many unassigned shards; undefined: never. */
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
