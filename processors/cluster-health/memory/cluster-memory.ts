import type { topologyFields } from '../../../schemas/cluster-rows/node-columns.js';
import type { HealthSection } from '../../../schemas/snapshots/cluster-section.js';
import type { IndexSnapshot } from '../../../schemas/snapshots/index-section.js';
import type { AllocationExplanation } from '../../../schemas/snapshots/shard-section.js';
import type { TopologyNode, WatermarksSection } from '../../../schemas/snapshots/topology-section.js';
import type { NodeSample } from '../rules/situation.js';
import type { Counters } from '../derive/operations.js';

/**
 * What is remembered of one cluster from snapshot to snapshot, in pieces that are stored separately: only pieces that
 * have changed are written, so those that rarely change are not written every minute. All of it is JSON.
 */
export interface ClusterMemory {
  readonly header: HeaderMemory;
  readonly nodes: Record<string, NodeMemory>;
  readonly indices: Record<string, IndexMemory>;
  readonly recoveries: Record<string, RecoveryMemory>;
}

export type Piece = keyof ClusterMemory;
export const pieces: readonly Piece[] = ['header', 'nodes', 'indices', 'recoveries'];

/** Incremented when a piece changes its form: pieces of older versions are then forgotten. */
export const memoryForm = 2;

/** A value of one snapshot, and when it was taken (milliseconds, the agent's clock). */
export interface At<Value> {
  readonly at: number;
  readonly value: Value;
}

export interface HeaderMemory {
  /** The slot of each section, its owner, and which of its parts have arrived. */
  slots: Record<
    string,
    {
      slot: number;
      collection: string;
      /** The agent that collected it. */
      reporter?: string;
      parts: number[];
      intervalMs: number;
      at: number;
    }
  >;
  health?: At<HealthSection>;
  pending?: At<{ tasks: number | null; longestWaitMs: number | null }>;
  watermarks?: At<WatermarksSection>;
  topology?: At<Record<string, RememberedTopology>>;
  unassignedByReason?: At<Record<string, number>>;
  explanations?: At<AllocationExplanation[]>;
  /** Explanations of the last listing of the shards. */
  listedExplanations?: At<AllocationExplanation[]>;
  /** By reporter, and within it by section. */
  capabilitiesOf?: Record<string, At<RememberedCapabilities>>;
  totals?: At<ClusterTotals>;
  /** The highest number of data nodes in each hour of the last day. */
  dataNodesByHour: Record<string, number>;
  /** The highest number of data nodes since the cluster was last green, and so had recovered its losses. */
  dataNodesSinceGreen?: number;
  /** Ids and names of the known members: those that answered last, and those that were missing then. */
  presentNodes: Record<string, string>;
  /** Ids seen so far in the slot that is being read. */
  nodesInSlot: Record<string, string>;
  nodesLeft: Record<string, LeftNode>;
  /** What the last complete snapshot lacked. */
  missing?: MissingNodes;
  restarts: { name: string; at: number }[];
  master: string | null;
  /** When it was last known which node is the master, or that there is none. */
  masterAt?: number;
  masterChanges: number[];
  /** The health record that was emitted last. */
  emitted?: { at: number; digest: string };
}

export interface RememberedCapability {
  readonly state: string;
  readonly reason: string | null;
  readonly privilege: string | null;
}

/** Sums over the cluster, and how many nodes and shards they cover. */
export interface ClusterTotals {
  readonly docs: number | null;
  readonly store: number | null;
  readonly nodes?: number | null;
  readonly shards?: number | null;
  readonly primaries?: number | null;
}

/** The agent's report on each section. */
type RememberedCapabilities = Readonly<Record<string, RememberedCapability>>;

interface LeftNode {
  readonly name: string;
  readonly at: number;
  /** Absent: unknown. */
  readonly holdsShards?: boolean;
}

/** Nodes that a snapshot lacks: members that did not answer, and those beyond the agent's limit. */
export interface MissingNodes {
  readonly slot: number;
  readonly at: number;
  /** How many did not answer. */
  readonly failed: number;
  readonly cut: number;
  readonly total: number | null;
  /** Known members, by id. If they are more than failed, the others have left; it is unknown which. */
  readonly nodes: Readonly<Record<string, MissingNode>>;
  /** When the unidentified members among these left: one timestamp for each. */
  readonly left: readonly number[];
  /**
   * At least this many members that were never seen have not answered in one snapshot, two in a row, three.
   */
  readonly strangers: readonly number[];
}

export interface MissingNode {
  readonly name: string;
  /** How many snapshots in a row it was missing from. */
  readonly missed: number;
  /** When it was last known to be a member. */
  readonly memberAt: number;
}

/** The part of a topology that rows of nodes and rules need. */
export type RememberedTopology = Pick<TopologyNode, (typeof topologyFields)[number]> & {
  readonly pools: Readonly<Record<string, { max: number | null; queue: number | null }>>;
};

export interface NodeMemory {
  readonly name: string;
  readonly slot: number;
  readonly incarnation: string | null;
  /** The last known incarnation. A snapshot without one is taken to be of the same incarnation. */
  readonly lastIncarnation?: string | null;
  readonly uptimeMs?: number | null;
  /** By the node's own clock, if the node reported it. */
  readonly at: number;
  readonly ownClock: boolean;
  readonly operations: Counters | null;
  /** Every other counter, by name; those of a group as `group/name/field`. */
  readonly counters: Readonly<Record<string, number>>;
  /** How many shards it held. */
  readonly shards?: number | null;
  readonly samples: readonly NodeSample[];
  /** By its roles; absent if the node has not answered since this field was introduced. */
  readonly holdsShards?: boolean;
  /** The node holds shards but did not report the space of each of its data paths. */
  readonly lacksDisks?: boolean;
  readonly disks: readonly {
    readonly path: string;
    readonly totalBytes: number;
    readonly availableBytes: number;
    readonly frozenOnly: boolean;
  }[];
}

export interface IndexMemory {
  readonly slot: number;
  readonly at: number;
  readonly uuid: string | null;
  readonly health?: IndexSnapshot['health'];
  readonly incarnation: string | null;
  readonly replicas: number | null;
  readonly docs: number | null;
  readonly store: number | null;
  readonly primaryStore: number | null;
  readonly total: Counters | null;
  readonly primary: Counters | null;
}

export interface RecoveryMemory {
  readonly slot: number;
  readonly at: number;
  readonly bytes: number;
}

export function newMemory(): ClusterMemory {
  return {
    header: {
      slots: {},
      dataNodesByHour: {},
      presentNodes: {},
      nodesInSlot: {},
      nodesLeft: {},
      restarts: [],
      master: null,
      masterChanges: [],
    },
    nodes: {},
    indices: {},
    recoveries: {},
  };
}

/**
 * The key under which something is remembered: its name. A name that every object has, such as `constructor`,
 * gets a space before it, because a lookup would find something else.
 */
export const keyOf = (name: string): string => (name in Object.prototype ? ` ${name}` : name);

/** Removes what was not seen for a day: an index that is gone, a node that never came back. */
export function forgetOlder<Entry extends { readonly slot: number }>(
  entries: Record<string, Entry>,
  slot: number,
): void {
  for (const [key, entry] of Object.entries(entries)) {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a plain JSON object is what is stored
    if (slot - entry.slot > 86_400_000) delete entries[key];
  }
}
