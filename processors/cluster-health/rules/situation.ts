/**
 * The input of the rules: a cluster at one time, as far as it was measured. ../situation/ builds it from the
 * cluster's snapshots. Plain values, so that rules can be tested and reused without the pipeline.
 */
export interface Situation {
  /** Milliseconds since 1970, by the clock of the agent. */
  readonly at: number;
  readonly cluster: Measured<ClusterState>;
  readonly shards: Measured<ShardState>;
  /** Why shards are unassigned, as far as the cluster was asked. */
  readonly causes: readonly UnassignedCause[];
  readonly history: History;
  readonly disks: Measured<readonly DiskState[]>;
  /** Nodes that hold shards but did not report the space of each of their data paths. */
  readonly withoutDisks: readonly string[];
  readonly watermarks: Watermarks;
  readonly nodes: Measured<readonly NodeState[]>;
  readonly unheard: Unheard;
  readonly pending: Measured<{ readonly tasks: number; readonly longestWaitMs: number }>;
}

export type Measured<Value> =
  { readonly known: true; readonly value: Value } | { readonly known: false; readonly reason: string };

export const known = <Value>(value: Value): Measured<Value> => ({ known: true, value });
export const unknown = (reason: string): Measured<never> => ({ known: false, reason });

export interface ClusterState {
  readonly status: 'green' | 'yellow' | 'red' | null;
  readonly noMaster: boolean;
  readonly dataNodes: number | null;
  readonly unassignedShards: number | null;
  readonly unassignedPrimaries: number | null;
  readonly initializingShards: number | null;
  readonly delayedShards: number | null;
  /** False: the master could not be read. */
  readonly masterKnown: boolean;
  /** The master's name, if it is known. */
  readonly master: string | null;
  /** The indices with missing shards, from the same answer of the cluster as the counts; null: not reported. */
  readonly affected: AffectedIndices | null;
}

/** Indices whose shards are not all active. */
export interface AffectedIndices {
  /** The worst of them, by each of the three counts. */
  readonly worst: readonly AffectedIndex[];
  /** How many indices there are of each kind. */
  readonly lackingPrimaries: number;
  readonly lackingReplicas: number;
  readonly recovering: number;
}

export interface AffectedIndex {
  readonly index: string;
  readonly unassignedPrimaries: number;
  readonly unassignedReplicas: number;
  readonly recovering: number;
}

/** Why some shards of an index are unassigned, and what to do about it. */
export interface UnassignedCause {
  readonly index: string;
  readonly primary: boolean;
  /** How many shards it stands for. */
  readonly shards: number;
  readonly code: string;
  /** The cause, and one action. */
  readonly text: string;
}

interface ShardState {
  /** How many unassigned shards have each of the cluster's reasons (`NODE_LEFT`, `INDEX_CREATED`, …). */
  readonly unassignedByReason: Readonly<Record<string, number>>;
}

/** What is remembered of the last day. */
export interface History {
  /** The most data nodes that were seen at once in the last 24 hours. */
  readonly mostDataNodes: number | null;
  /** The same since the cluster was last green, however long ago that was. */
  readonly dataNodesSinceGreen: number | null;
  /** Nodes that were members in the last 15 minutes and no longer are. */
  readonly nodesLeft: readonly LeftNode[];
  /** `count` of these nodes have left; it is unknown which. */
  readonly leftAmong: { readonly count: number; readonly nodes: readonly LeftNode[] };
  /** Nodes whose JVM restarted in the last 15 minutes. */
  readonly nodesRestarted: readonly string[];
  /** How often another node became master in the last hour. */
  readonly masterChanges: number;
}

export interface LeftNode {
  readonly name: string;
  /** Also true if it is unknown. */
  readonly holdsShards: boolean;
}

/** Members of the cluster that are missing from the last snapshot. */
export interface Unheard {
  /** How many did not answer the last time. */
  readonly failed: number;
  /** At least this many nodes answered in none of the last three snapshots. */
  readonly failedOften: number;
  /** Nodes that did not answer, as far as they are known; they are evaluated by their last report. */
  readonly silent: readonly SilentNode[];
  /** If more are missing than failed: some of these did not answer, the others are no longer members. */
  readonly doubtful: readonly SilentNode[];
  /** How many nodes are beyond the agent's limit, out of `total`. */
  readonly cut: number;
  readonly total: number | null;
}

export interface SilentNode {
  readonly name: string;
  /** How many snapshots in a row it was missing from. */
  readonly missed: number;
  /** Whether it is evaluated, by its last report. */
  readonly evaluated: boolean;
}

export interface DiskState {
  readonly node: string;
  readonly absence: Absence | null;
  readonly path: string;
  readonly totalBytes: number;
  readonly availableBytes: number;
  /** It holds only searchable snapshots: it is evaluated by the frozen flood stage alone. */
  readonly frozenOnly: boolean;
}

/** A watermark is a share of the disk that may be used, or bytes that must stay free. */
export type Watermark = { readonly usedRatio: number } | { readonly freeBytes: number };

export interface Watermarks {
  /** Why these are Elasticsearch's defaults and not the cluster's settings; null if they are the settings. */
  readonly assumed: string | null;
  /** False: the cluster ignores disk space. */
  readonly enabled: boolean;
  /** Only the flood stage has an effect, as on the single data node of a 7.x cluster that lost no other. */
  readonly floodStageOnly: boolean;
  readonly low: Limit;
  readonly high: Limit;
  readonly floodStage: Limit;
  readonly floodStageFrozen: Limit;
}

export interface Limit {
  /** As written in the settings; quoted in the reason. */
  readonly text: string;
  readonly watermark: Watermark;
  /** A share never requires more free bytes than this; null: without a bound. */
  readonly maxHeadroomBytes: number | null;
}

/**
 * Why a node is evaluated by its last report: it is a member that does not answer, or it is unknown whether
 * it is still a member. A node that has certainly left is not evaluated.
 */
export type Absence = 'silent' | 'doubtful';

/** A node with its last samples, the newest last; all of one incarnation, so a window has no restart. */
export interface NodeState {
  readonly name: string;
  readonly absence: Absence | null;
  readonly samples: readonly NodeSample[];
}

/** Null is "not measured", in every field. */
export interface NodeSample {
  readonly heapPercent: number | null;
  readonly cpuPercent: number | null;
  /** Share of the wall clock spent collecting the old generation since the last sample, 0..1. */
  readonly oldCollectionShare: number | null;
  readonly fileDescriptorsShare: number | null;
  readonly indexingThrottled: boolean | null;
  /** Documents that could not be indexed since the last sample (without version conflicts), and those that were. */
  readonly indexingFailures: number | null;
  readonly breakers: readonly BreakerSample[];
  readonly pools: readonly PoolSample[];
}

interface BreakerSample {
  readonly breaker: string;
  /** The estimate divided by the limit. */
  readonly utilisation: number | null;
  /** Trips since the last sample; null if nothing can be compared (a restart). */
  readonly trips: number | null;
}

export interface PoolSample {
  readonly pool: string;
  /** All threads work and requests wait. */
  readonly busy: boolean | null;
  /** Waiting requests divided by the length of the queue; null if the queue has no limit. */
  readonly queueShare: number | null;
  readonly rejections: number | null;
}
