import type { NodeSnapshot } from '../../../schemas/snapshots/node-section.js';
import { keyOf, type NodeMemory, type RememberedTopology } from '../memory/cluster-memory.js';
import type { NodeSample } from '../rules/situation.js';
import { delta, quotient } from './counters.js';
import type { Gap } from './interval.js';
import { ownFailures } from './operations.js';
import { quotientOf } from './row.js';

export interface NodeContext {
  readonly slot: number;
  readonly intervalMs: number;
  readonly takenAt: number;
  readonly topology: RememberedTopology | undefined;
  /** When the last topology was taken, with or without this node. */
  readonly topologyAt: number | null;
}

/** The changes of a node since its last snapshot. */
export interface NodeChange {
  readonly counters: Readonly<Record<string, number>>;
  /** The time in which the counters grew; null if they can't be compared, for the reason in `gap`. */
  readonly seconds: number | null;
  readonly gap: Gap | null;
  /** The last snapshot, if its counters can be compared. */
  readonly comparable: NodeMemory | undefined;
  /** How much a counter grew; null if that is unknown. */
  readonly grown: (counter: string) => number | null;
}

export type NodeFigures = ReturnType<typeof nodeFigures>;

/** The computed figures of a node: its columns, and the elements of its nested ones. */
export function nodeFigures(node: NodeSnapshot, context: NodeContext, { grown, seconds }: NodeChange) {
  const collectors = node.garbage_collectors.map((each) => ({
    ...each,
    ...collection(each.collector, grown, seconds),
  }));
  const young = collectors.find(({ collector }) => collector === 'young');
  const old = collectors.find(({ collector }) => collector === 'old');
  const perSecond = (counter: string, factor = 1): number | null => {
    const amount = grown(counter);
    return quotient(amount === null ? null : amount * factor, seconds);
  };
  return {
    collectors,
    pools: node.thread_pools.map((each) => ({ ...each, ...poolFigures(each, context, grown, seconds) })),
    breakers: node.circuit_breakers.map((each) => ({
      ...each,
      utilisation: quotientOf(each.estimated_bytes, each.limit_bytes),
      trips: grown(`breaker/${each.breaker}/tripped`),
    })),
    memory_used_ratio: quotientOf(node.memory_used_bytes, node.memory_total_bytes),
    swap_used_ratio: quotientOf(node.swap_used_bytes, node.swap_total_bytes),
    file_descriptors_ratio: quotientOf(node.open_file_descriptors, node.max_file_descriptors),
    fs_used_ratio: usedRatio(node.fs_total_bytes, node.fs_available_bytes),
    process_cpu_share: quotient(grown('process_cpu_time_ms'), milliseconds(seconds)),
    cpu_throttled_share: quotient(grown('cgroup_cpu_throttled_nanos'), nanoseconds(seconds)),
    io_reads_per_second: perSecond('io_read_operations'),
    io_writes_per_second: perSecond('io_write_operations'),
    io_read_bytes_per_second: perSecond('io_read_kilobytes', 1_024),
    io_write_bytes_per_second: perSecond('io_write_kilobytes', 1_024),
    transport_rx_bytes_per_second: perSecond('transport_rx_bytes'),
    transport_tx_bytes_per_second: perSecond('transport_tx_bytes'),
    http_opened_per_second: perSecond('http_opened_total'),
    indexing_pressure_ratio: quotientOf(node.indexing_pressure_bytes, node.indexing_pressure_limit_bytes),
    indexing_pressure_rejections: pressureRejections(grown),
    gc_young_collections: young?.collections ?? null,
    gc_young_pause_ms: young?.pause_ms ?? null,
    gc_young_share: young?.time_share ?? null,
    gc_old_collections: old?.collections ?? null,
    gc_old_pause_ms: old?.pause_ms ?? null,
    gc_old_share: old?.time_share ?? null,
    gc_share: sum(collectors.map(({ time_share: share }) => share)),
  };
}

/** The snapshot's sample, which the rules evaluate. */
export function sampleOf(
  node: NodeSnapshot,
  figures: NodeFigures,
  { comparable, seconds }: NodeChange,
  intervalMs: number,
): NodeSample {
  // Growth over a long time is not a figure of the last samples.
  const isRecent = seconds !== null && seconds * 1_000 <= 3 * intervalMs;
  const recently = (figure: number | null): number | null => (isRecent ? figure : null);
  const pressure = recently(figures.indexing_pressure_rejections);
  return {
    heapPercent: node.heap_used_percent ?? percentOf(node.heap_used_bytes, node.heap_max_bytes),
    cpuPercent: node.host_cpu_percent,
    oldCollectionShare: recently(figures.gc_old_share),
    fileDescriptorsShare: figures.file_descriptors_ratio,
    indexingThrottled: node.operations.indexing_is_throttled,
    indexingFailures:
      comparable === undefined || !isRecent
        ? null
        : ownFailures((field) => delta(comparable.operations?.[field], node.operations[field])),
    breakers: figures.breakers.map(({ breaker, utilisation, trips }) => ({
      breaker,
      utilisation,
      trips: recently(trips),
    })),
    pools: [
      ...figures.pools.map(({ pool, busy, queue_ratio: queueShare, rejections }) => ({
        pool,
        busy,
        queueShare,
        rejections: recently(rejections),
      })),
      { pool: 'indexing_pressure', busy: null, queueShare: null, rejections: pressure },
    ],
  };
}

/** The used share of a disk. The rest is what a process can still write, not everything that is free. */
export function usedRatio(total: number | null, available: number | null): number | null {
  return total === null || total === 0 || available === null ? null : Math.max(0, 1 - available / total);
}

function collection(collector: string, grown: (name: string) => number | null, seconds: number | null) {
  const collections = grown(`gc/${collector}/count`);
  const time = grown(`gc/${collector}/time`);
  return {
    collections,
    pause_ms: quotient(time, collections),
    time_share: quotient(time, milliseconds(seconds)),
  };
}

type Pool = NodeSnapshot['thread_pools'][number];

function poolFigures(
  { pool, threads, active, queue }: Pool,
  { topology }: NodeContext,
  grown: (name: string) => number | null,
  seconds: number | null,
) {
  const limit = topology?.pools[keyOf(pool)];
  // If the limit is unknown, the present threads are the limit: a pool of fixed size has all of them anyway.
  const most = limit?.max ?? threads;
  return {
    threads_max: limit?.max ?? null,
    queue_size: limit?.queue ?? null,
    saturation: quotientOf(active, most),
    queue_ratio: quotientOf(queue, limit?.queue ?? null),
    rejections: grown(`pool/${pool}/rejected`),
    completed_per_second: quotient(grown(`pool/${pool}/completed`), seconds),
    busy: active === null || most === null || queue === null ? null : most > 0 && active >= most && queue > 0,
  };
}

function pressureRejections(grown: (name: string) => number | null): number | null {
  // Replicas and coordinators count the same request again: the largest of the three counts is the lower bound.
  const counts = ['coordinating', 'primary', 'replica']
    .map((stage) => grown(`indexing_pressure_${stage}_rejections`))
    .filter((count) => count !== null);
  return counts.length === 0 ? null : Math.max(...counts);
}

const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1_000);
const nanoseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1e9);

function percentOf(part: number | null, whole: number | null): number | null {
  const share = quotientOf(part, whole);
  return share === null ? null : Math.round(share * 100);
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
