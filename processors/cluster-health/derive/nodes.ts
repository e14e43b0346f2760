import {
  breakerFields,
  collectorFields,
  dataPathFields,
  memoryPoolFields,
  nodeFields,
  threadPoolFields,
  topologyFields,
  type nodeFigures,
} from '../../../schemas/cluster-rows/node-columns.js';
import type { NodeSnapshot } from '../../../schemas/snapshots/node-section.js';
import { keyOf, type NodeMemory, type RememberedTopology } from '../memory/cluster-memory.js';
import type { NodeSample } from '../rules/situation.js';
import { delta, quotient, wereSetBack } from './counters.js';
import { nodeCounters } from './node-counters.js';
import { disksOf, holdsShards, lacksDisks } from './node-disks.js';
import { hasRestarted, intervalSince, lastIncarnation, restartedAt } from './node-interval.js';
import { countersOf, deriveOperations, keptOfNode, ownFailures, type Counters } from './operations.js';
import { fieldsOf, nestedColumns, quotientOf, rowOf, type Row } from './row.js';

export interface NodeContext {
  readonly slot: number;
  readonly intervalMs: number;
  readonly takenAt: number;
  readonly topology: RememberedTopology | undefined;
  /** When the last topology was taken, whether or not it had the node. */
  readonly topologyAt: number | null;
}

export interface DerivedNode {
  readonly row: Row;
  readonly memory: NodeMemory;
  /** When the JVM started anew since the snapshot before, by the agent's clock; null where it is not known to have. */
  readonly restartedAt: number | null;
}

const windowLength = 5;

/** A node's row with what changed since its snapshot before, and what the next one needs. Pure. */
export function deriveNode(
  before: NodeMemory | undefined,
  node: NodeSnapshot,
  context: NodeContext,
): DerivedNode {
  const counters = nodeCounters(node);
  const at = node.measured_at ?? context.takenAt;
  const interval = intervalSince(before, node, counters, at);
  const seconds = 'seconds' in interval ? interval.seconds : null;
  const comparable = seconds === null ? undefined : before;
  const grown = (name: string): number | null =>
    comparable === undefined ? null : delta(comparable.counters[name], counters[name]);
  const operations = deriveOperations(operationsBefore(comparable, node), node.operations, seconds);
  const collectors = node.garbage_collectors.map((each) => ({
    ...each,
    ...collection(each.collector, grown, seconds),
  }));
  const pools = node.thread_pools.map((each) => ({ ...each, ...poolFigures(each, context, grown, seconds) }));
  const breakers = node.circuit_breakers.map((each) => ({
    ...each,
    utilisation: quotientOf(each.estimated_bytes, each.limit_bytes),
    trips: grown(`breaker/${each.breaker}/tripped`),
  }));
  const old = collectors.find(({ collector }) => collector === 'old');
  const young = collectors.find(({ collector }) => collector === 'young');
  const restarted = hasRestarted(before, node);
  const pressure = pressureRejections(grown);
  const figures = {
    topology_at: context.topology === undefined ? null : context.topologyAt,
    restarted,
    interval_seconds_measured: seconds,
    gap: 'gap' in interval ? interval.gap : null,
    memory_used_ratio: quotientOf(node.memory_used_bytes, node.memory_total_bytes),
    swap_used_ratio: quotientOf(node.swap_used_bytes, node.swap_total_bytes),
    file_descriptors_ratio: quotientOf(node.open_file_descriptors, node.max_file_descriptors),
    fs_used_ratio: usedRatio(node.fs_total_bytes, node.fs_available_bytes),
    process_cpu_share: quotient(grown('process_cpu_time_ms'), milliseconds(seconds)),
    cpu_throttled_share: quotient(grown('cgroup_cpu_throttled_nanos'), nanoseconds(seconds)),
    io_reads_per_second: quotient(grown('io_read_operations'), seconds),
    io_writes_per_second: quotient(grown('io_write_operations'), seconds),
    io_read_bytes_per_second: quotient(kilobytes(grown('io_read_kilobytes')), seconds),
    io_write_bytes_per_second: quotient(kilobytes(grown('io_write_kilobytes')), seconds),
    transport_rx_bytes_per_second: quotient(grown('transport_rx_bytes'), seconds),
    transport_tx_bytes_per_second: quotient(grown('transport_tx_bytes'), seconds),
    http_opened_per_second: quotient(grown('http_opened_total'), seconds),
    indexing_pressure_ratio: quotientOf(node.indexing_pressure_bytes, node.indexing_pressure_limit_bytes),
    indexing_pressure_rejections: pressure,
    gc_young_collections: young?.collections ?? null,
    gc_young_pause_ms: young?.pause_ms ?? null,
    gc_young_share: young?.time_share ?? null,
    gc_old_collections: old?.collections ?? null,
    gc_old_pause_ms: old?.pause_ms ?? null,
    gc_old_share: old?.time_share ?? null,
    gc_share: sum(collectors.map(({ time_share: share }) => share)),
  } satisfies Record<(typeof nodeFigures)[number], unknown>;
  // What grew since long ago is no figure of the last samples.
  const isRecent = seconds !== null && seconds * 1_000 <= 3 * context.intervalMs;
  const recently = (figure: number | null): number | null => (isRecent ? figure : null);
  const sample: NodeSample = {
    heapPercent: node.heap_used_percent ?? percentOf(node.heap_used_bytes, node.heap_max_bytes),
    cpuPercent: node.host_cpu_percent,
    oldCollectionShare: recently(figures.gc_old_share),
    fileDescriptorsShare: figures.file_descriptors_ratio,
    indexingThrottled: node.operations.indexing_is_throttled,
    indexingFailures:
      comparable === undefined || !isRecent
        ? null
        : ownFailures((field) => delta(comparable.operations?.[field], node.operations[field])),
    breakers: breakers.map(({ breaker, utilisation, trips }) => ({
      breaker,
      utilisation,
      trips: recently(trips),
    })),
    pools: [
      ...pools.map(({ pool, busy, queue_ratio: queueShare, rejections }) => ({
        pool,
        busy,
        queueShare,
        rejections: recently(rejections),
      })),
      { pool: 'indexing_pressure', busy: null, queueShare: null, rejections: recently(pressure) },
    ],
  };
  return {
    restartedAt: restarted === true ? restartedAt(before, node, context.takenAt) : null,
    row: rowOf(
      fieldsOf(node, nodeFields),
      fieldsOf(context.topology ?? {}, topologyFields),
      node.operations,
      operations,
      figures,
      nestedColumns('garbage_collectors', collectorFields, collectors),
      nestedColumns('memory_pools', memoryPoolFields, node.memory_pools),
      nestedColumns(
        'data_paths',
        dataPathFields,
        node.data_paths.map((path) => ({
          ...path,
          used_ratio: usedRatio(path.total_bytes, path.available_bytes),
        })),
      ),
      nestedColumns('thread_pools', threadPoolFields, pools),
      nestedColumns('circuit_breakers', breakerFields, breakers),
    ),
    memory: {
      name: node.name ?? node.node_id,
      slot: context.slot,
      incarnation: node.incarnation,
      // An uptime that fell without an incarnation: the one before does not hold any more.
      lastIncarnation:
        node.incarnation ?? (before === undefined || restarted === true ? null : lastIncarnation(before)),
      uptimeMs: node.uptime_ms,
      at,
      ownClock: node.measured_at !== null,
      operations: countersOf(node.operations),
      counters,
      shards: node.shards_count,
      samples: [...keptSamples(before, restarted, context), sample].slice(-windowLength),
      disks: disksOf(node, context.topology),
      holdsShards: holdsShards(node.roles, context.topology),
      lacksDisks: lacksDisks(node, context.topology),
    },
  };
}

/** Without the counters of the caches where a shard has left the node, and took its part of the sums along. */
function operationsBefore(before: NodeMemory | undefined, node: NodeSnapshot): Counters | null | undefined {
  if (before === undefined) return undefined;
  const { operations } = before;
  // Where it is not told how many it holds, one may have left.
  const gained = (node.shards_count ?? NaN) - (before.shards ?? NaN);
  const left = !(gained >= 0) || wereSetBack(operations ?? {}, node.operations);
  return left ? keptOfNode(operations) : operations;
}

/**
 * A window has no restart in it that is known of, and no hole: what is not seen for three intervals is not sustained.
 * Heap and the like mean the same in any incarnation.
 */
function keptSamples(
  before: NodeMemory | undefined,
  restarted: boolean | null,
  { slot, intervalMs }: NodeContext,
): readonly NodeSample[] {
  if (before === undefined || restarted === true) return [];
  return slot - before.slot > 3 * intervalMs ? [] : before.samples;
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
  // Where the limit is not known yet, a pool of a fixed size has all its threads anyway.
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
  // Replicas and coordinators count the same request once more each: the largest of the three is the lower bound.
  const counts = ['coordinating', 'primary', 'replica']
    .map((stage) => grown(`indexing_pressure_${stage}_rejections`))
    .filter((count) => count !== null);
  return counts.length === 0 ? null : Math.max(...counts);
}

const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1_000);
const nanoseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1e9);
const kilobytes = (amount: number | null): number | null => (amount === null ? null : amount * 1_024);

function usedRatio(total: number | null, available: number | null): number | null {
  return total === null || total === 0 || available === null ? null : Math.max(0, 1 - available / total);
}

function percentOf(part: number | null, whole: number | null): number | null {
  const share = quotientOf(part, whole);
  return share === null ? null : Math.round(share * 100);
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
