import type { NodeSnapshot, NodesSection } from '../../../schemas/snapshots/node-section.js';
import {
  amountAt,
  entriesAt,
  instantAt,
  majorOf,
  namesAt,
  percentAt,
  textAt,
  textOf,
  valueAt,
} from './answer.js';
import { parseNodeFigures } from './node-figures.js';
import { parseNodeLists, positive } from './node-lists.js';
import { parseOperations } from './operations.js';

/** A node of the short listing. */
export interface KnownNode {
  readonly id: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly roles: readonly string[];
  /** Milliseconds since the epoch; constant while the node runs. */
  readonly startedAt: number | null;
}

/** From `_nodes/jvm`: the nodes, and when each JVM started. */
export function parseNodeListing(answer: unknown): readonly KnownNode[] {
  return entriesAt(answer, 'nodes').map(([id, node]) => ({
    id,
    name: textAt(node, 'name'),
    version: textAt(node, 'version'),
    roles: namesAt(node, 'roles'),
    startedAt: instantAt(node, 'jvm', 'start_time_in_millis'),
  }));
}

/** A node's counters start at zero when its JVM starts. Its id is in its data folder and survives the JVM. */
export function incarnationOf(node: Pick<KnownNode, 'id' | 'startedAt'> | undefined): string | null {
  if (node === undefined || node.startedAt === null) return null;
  return `${node.id}:${node.startedAt}`;
}

/**
 * The listing and the statistics are two calls. If a node has restarted between them, its uptime is no longer
 * than the two calls took. Its clock is no help: once it was set, or the machine slept, it differs from the
 * JVM's uptime permanently. A young node that is mistaken for a restarted one has a gap, but no false rate.
 */
function startedMeanwhile(stats: unknown, tookMs: number): boolean {
  const uptime = amountAt(stats, 'jvm', 'uptime_in_millis');
  return uptime !== null && uptime <= tookMs;
}

function parseNode(
  id: string,
  stats: unknown,
  known: KnownNode | undefined,
  { masterId, tookMs }: Asked,
): NodeSnapshot {
  const startedAt = startedMeanwhile(stats, tookMs) ? null : (known?.startedAt ?? null);
  return {
    node_id: id,
    name: textAt(stats, 'name') ?? known?.name ?? null,
    host: textAt(stats, 'host'),
    roles: Array.isArray(valueAt(stats, 'roles')) ? namesAt(stats, 'roles') : null,
    incarnation: incarnationOf({ id, startedAt }),
    jvm_started_at: startedAt,
    measured_at: instantAt(stats, 'timestamp'),
    is_master: masterId === null ? null : masterId === id,
    heap_max_bytes: positive(amountAt(stats, 'jvm', 'mem', 'heap_max_in_bytes')),
    heap_used_percent: percentAt(stats, 'jvm', 'mem', 'heap_used_percent'),
    process_cpu_percent: percentAt(stats, 'process', 'cpu', 'percent'),
    host_cpu_percent: percentAt(stats, 'os', 'cpu', 'percent'),
    cgroup_memory_limit_bytes: limit(valueAt(stats, 'os', 'cgroup', 'memory', 'limit_in_bytes')),
    ...parseNodeFigures(stats),
    ...parseNodeLists(stats),
    operations: parseOperations(valueAt(stats, 'indices'), majorOf(known?.version ?? null)),
  };
}

/** Linux writes "no limit" as the largest number that fits a page count, or as `max`. */
function limit(value: unknown): number | null {
  const bytes = textOf(value) === null ? null : Number(value);
  return bytes === null || !Number.isFinite(bytes) || bytes <= 0 || bytes > 2 ** 60 ? null : bytes;
}

/** What is known about the calls in addition to their answers. */
interface Asked {
  readonly masterId: string | null;
  readonly total: number;
  readonly cut: number;
  /** The time from before the nodes were listed until after the last of the statistics. */
  readonly tookMs: number;
}

/** From one or more `_nodes/stats` answers. */
export function parseNodeStats(
  answers: readonly unknown[],
  known: readonly KnownNode[],
  asked: Asked,
): NodesSection {
  const { total, cut } = asked;
  const byId = new Map(known.map((node) => [node.id, node]));
  const nodes = answers.flatMap((answer) =>
    entriesAt(answer, 'nodes').map(([id, stats]) => parseNode(id, stats, byId.get(id), asked)),
  );
  const failed = failedNodes(answers);
  const unlisted = Math.max(0, total - known.length);
  return {
    nodes_total: total,
    nodes_failed: failed === null && unlisted === 0 ? null : (failed ?? 0) + unlisted,
    nodes_cut: cut,
    nodes,
  };
}

/** `_nodes.failed`, summed; null if no answer has it. */
export function failedNodes(answers: readonly unknown[]): number | null {
  const failed = answers
    .map((answer) => amountAt(answer, '_nodes', 'failed'))
    .filter((count) => count !== null);
  return failed.length === 0 ? null : failed.reduce((sum, count) => sum + count, 0);
}
