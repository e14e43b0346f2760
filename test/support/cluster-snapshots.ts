import type { ClusterMemory } from '../../schemas/generated/cluster-memory.js';
import type { ClusterRows } from '../../schemas/generated/cluster-rows.js';
import type { ClusterSnapshot } from '../../schemas/generated/cluster-snapshot.js';
import { snapshotId, type SectionName } from '../../schemas/snapshots.js';
import type { IncomingRecord, OutgoingRecord, StepOutcome } from '../../runtime/processor.js';
import { Memories } from '../../processors/cluster-health/memory/partition-memory.js';
import { clusterStep } from '../../processors/cluster-health/step.js';
import { clusterMemory } from '../../topics/cluster-figures.js';

export const clusterUuid = 'Xk2vQ1aBS3yT9d0wZr7p4g';
const minuteMs = 60_000;

/** A snapshot as the edge appends it; `body` may omit unmeasured fields. */
export function snapshot(
  section: SectionName,
  minute: number,
  body: object,
  but: Partial<ClusterSnapshot> = {},
): ClusterSnapshot {
  const slot = minute * minuteMs;
  const head = { cluster_uuid: clusterUuid, slot, part: 1, ...but };
  return {
    id: snapshotId({ ...head, section }),
    workspace: 'default',
    key_id: 'k1',
    cluster_name: 'books',
    cluster_version: '8.14.1',
    section,
    interval_seconds: 60,
    collection: 'agent-one',
    reporter: 'host-one',
    taken_at: slot + 1_000,
    took_ms: 12,
    parts: 1,
    partial: false,
    unavailable: [],
    body: JSON.stringify(body),
    received_at: slot + 2_000,
    ...head,
  };
}

export interface NodeBody {
  readonly id?: string;
  readonly start?: number;
  readonly queries?: number | null;
  readonly heap?: number;
  readonly tripped?: number;
  readonly rejected?: number;
}

export function nodeBody({
  id = 'n1',
  start = 1,
  queries = 0,
  heap = 40,
  tripped = 0,
  rejected = 0,
}: NodeBody = {}) {
  return {
    node_id: id,
    name: `node-${id}`,
    roles: ['data', 'master'],
    incarnation: `${id}:${start}`,
    jvm_started_at: start,
    heap_used_percent: heap,
    heap_used_bytes: heap * 10,
    heap_max_bytes: 1_000,
    garbage_collectors: [{ collector: 'old', count: 1, time_ms: 10 }],
    data_paths: [{ path: '/data', total_bytes: 1_000, free_bytes: 600, available_bytes: 500 }],
    thread_pools: [{ pool: 'search', threads: 4, queue: 0, active: 1, rejected, completed: queries }],
    circuit_breakers: [{ breaker: 'parent', estimated_bytes: 300, limit_bytes: 1_000, tripped }],
    operations: { queries_total: queries, queries_time_ms: queries === null ? null : queries * 3 },
  };
}

export const nodesBody = (...nodes: readonly NodeBody[]) => ({
  nodes_total: nodes.length,
  nodes_failed: 0,
  nodes_cut: 0,
  nodes: nodes.map(nodeBody),
});

export const healthBody = (but: object = {}) => ({
  status: 'green',
  no_master: false,
  nodes: 1,
  data_nodes: 1,
  unassigned_shards: 0,
  unassigned_primaries: 0,
  initializing_shards: 0,
  delayed_unassigned_shards: 0,
  pending_tasks: 0,
  pending_tasks_max_wait_ms: 0,
  master_node_id: 'n1',
  ...but,
});

const incoming = (value: ClusterSnapshot, offset: number): IncomingRecord<ClusterSnapshot> => ({
  topic: 'clusters.snapshots',
  partition: 2,
  offset,
  key: value.cluster_uuid,
  value,
  appendedAt: 0,
});

/** The step with its environment: a log of snapshots, the committed state, and a process that can die. */
export class SteppedCluster {
  readonly committed: OutgoingRecord[] = [];
  readonly outcomes: StepOutcome[] = [];
  readonly stored = new Map<string, ClusterMemory>();
  private memories: Memories;
  private assignment = {};
  private offset = 0;

  /** `most` limits the state of a workspace's clusters, in characters. */
  constructor(private readonly most?: number) {
    this.memories = this.fresh();
  }

  private fresh(): Memories {
    return new Memories(() => Promise.resolve([...this.stored.values()]), this.most);
  }

  /** Runs the step once; its outcome is committed, or lost as if the transaction was aborted. */
  async run(values: readonly ClusterSnapshot[], { lost = false } = {}): Promise<readonly StepOutcome[]> {
    const records = values.map((value, index) => incoming(value, this.offset + index));
    const context = { signal: new AbortController().signal, assignment: this.assignment };
    const outcomes = await clusterStep(records, context, this.memories);
    if (lost) return outcomes;
    this.offset += values.length;
    this.outcomes.push(...outcomes);
    for (const outcome of outcomes) {
      if (outcome.kind !== 'emit') continue;
      this.committed.push(...outcome.records);
      for (const { topic, key, value } of outcome.records) {
        if (topic.name !== clusterMemory.name) continue;
        if (value === null) this.stored.delete(key);
        else this.stored.set(key, value as ClusterMemory);
      }
    }
    return outcomes;
  }

  /** Another process acquires the partition: it has only the committed state. */
  restart(): void {
    this.memories = this.fresh();
    this.assignment = {};
  }

  /** The partition is revoked, and assigned to the same process again. */
  reacquire(): void {
    this.assignment = {};
  }

  /** Everything that was committed, except the memory, in order. */
  emitted(): readonly { readonly topic: string; readonly value: unknown }[] {
    return this.committed
      .filter(({ topic }) => topic.name !== clusterMemory.name)
      .map(({ topic, value }) => ({ topic: topic.name, value }));
  }

  rows(topic: string): Record<string, unknown>[] {
    return this.emitted()
      .filter((record) => record.topic === topic)
      .flatMap(({ value }) => JSON.parse((value as ClusterRows).rows) as Record<string, unknown>[]);
  }
}
