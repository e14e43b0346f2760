import type { AllocationExplanation, ShardSnapshot } from '../../schemas/snapshots/shard-section.js';
import type { Master } from './parse/cluster.js';

/** Which shard of a group was asked about, since when it was unassigned then, and when that was. */
export type Explained = Pick<AllocationExplanation, 'shard' | 'unassigned_at' | 'explained_at'>;

/** What one section learns and another needs; forgotten when the cluster's UUID changes. */
export interface ClusterMemory {
  master: Master;
  /** Of the last call for the cluster's health; null: not known. */
  unassigned: number | null;
  /** UUIDs by index name, of the last listing. */
  indexUuids: ReadonlyMap<string, string | null>;
  /** Unassigned shards of the last listing, as far as they were kept; undefined: none was made yet. */
  unassignedShards: readonly ShardSnapshot[] | undefined;
  /** By group of shards; each is kept for five minutes. */
  readonly explanations: Map<string, AllocationExplanation>;
  /** Groups in which the cluster found nothing to explain; not asked again for as long. */
  readonly unexplained: Map<string, Explained>;
  /** They are other than those that were sent last, whichever section brought them up to date. */
  explanationsChanged: boolean;
  /** The last one that was asked for was not had: only its own section tries again, at its own pace. */
  explainFails: boolean;
  /** When explanations were last sent, and of how many unassigned shards; undefined: never. */
  lastExplained: { readonly at: number; readonly unassigned: number | null } | undefined;
  /** Metrics and parameters that this cluster has refused. */
  readonly unknownMetrics: Set<string>;
}

export function newClusterMemory(): ClusterMemory {
  return {
    master: { id: null, name: null },
    unassigned: null,
    indexUuids: new Map(),
    unassignedShards: undefined,
    explanations: new Map(),
    unexplained: new Map(),
    explanationsChanged: false,
    explainFails: false,
    lastExplained: undefined,
    unknownMetrics: new Set(),
  };
}
