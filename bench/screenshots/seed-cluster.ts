import type { SectionName } from '../../schemas/snapshots.js';
import { healthBody } from '../../test/support/cluster-snapshots.js';
import {
  explanations,
  gib,
  indexOf,
  indices,
  primariesIn,
  shardsOf,
  unassignedIn,
  type Shard,
} from './seed-shards.js';

export const minuteMs = 60_000;
export const seededCluster = 'Xk2vQ1aBS3yT9d0wZr7p4g';

/** Minutes in which nothing was collected, counted from the first: the agent was stopped. */
const silence = [95, 118] as const;
/** When the third node was lost. */
const lost = 150;
export const seededMinutes = 180;

interface Minute {
  readonly minute: number;
  readonly slot: number;
}

export const wave = (minute: number, period: number, from: number, to: number): number =>
  from + ((to - from) * (1 + Math.sin((2 * Math.PI * minute) / period))) / 2;

function item({ slot }: Minute, section: SectionName, body: object): object {
  return {
    ...{ cluster_uuid: seededCluster, cluster_name: 'bookshop', cluster_version: '8.14.1', section, slot },
    ...{ interval_seconds: 60, collection: 'agent-one', reporter: 'search-1', taken_at: slot + 1_000 },
    ...{ took_ms: 12, part: 1, parts: 1, partial: false, unavailable: [], body },
  };
}

function node({ minute, slot }: Minute, number: number): object {
  const total = 500 * gib;
  const available = total * (1 - wave(minute + number * 40, 400, 0.55, number === 1 ? 0.9 : 0.78));
  const each = 60 * (40 + number * 10);
  const queries = minute * each;
  const slowness = Array.from({ length: minute }, (_, at) => wave(at, 70, 4, 19));
  const heap = Math.round(wave(minute * 7 + number * 11, 60, 35, number === 1 ? 84 : 66));
  return {
    ...{ node_id: `n${number}`, name: `search-${number}`, host: `10.0.0.${10 + number}` },
    ...{ roles: number === 3 ? ['data'] : ['data', 'ingest', 'master'], is_master: number === 1 },
    ...{ incarnation: `n${number}:1`, measured_at: slot + 500, uptime_ms: 9e8 + minute * minuteMs },
    jvm_started_at: slot - minute * minuteMs - 9e8,
    ...{ open_file_descriptors: 640, max_file_descriptors: 65_535, memory_total_bytes: 32 * gib },
    host_cpu_percent: Math.round(wave(minute + number * 9, 45, 16, 78)),
    ...{ heap_used_percent: heap, heap_used_bytes: (heap / 100) * 16 * gib, heap_max_bytes: 16 * gib },
    ...{ process_cpu_percent: Math.round(wave(minute + number * 9, 45, 12, 71)), shards_count: 6 },
    ...{ fs_total_bytes: total, fs_free_bytes: available, fs_available_bytes: available },
    data_paths: [{ path: '/data', total_bytes: total, free_bytes: available, available_bytes: available }],
    garbage_collectors: [{ collector: 'old', count: minute, time_ms: minute * 40 }],
    thread_pools: [{ pool: 'search', threads: 13, queue: 0, active: 3, rejected: 0, completed: queries }],
    circuit_breakers: [{ breaker: 'parent', estimated_bytes: 5 * gib, limit_bytes: 15 * gib, tripped: 0 }],
    operations: {
      ...{
        queries_total: queries,
        queries_time_ms: Math.round(each * slowness.reduce((sum, ms) => sum + ms, 0)),
      },
      ...{ indexing_total: minute * 900 * number, indexing_time_ms: minute * 1_800 * number },
      ...{
        queries_failed: 0,
        indexing_failed: 0,
        indexing_throttle_time_ms: 0,
        indexing_is_throttled: false,
      },
    },
  };
}

const collected = [
  ['nodes', 60],
  ['health', 60],
  ['cluster_stats', 300],
  ['indices', 300],
  ['shards', 300],
  ['allocation_explain', 300],
  ['tasks', 60],
  ['recovery', 60],
  ['watermarks', 600],
  ['data_streams', 600],
  ['capabilities', 600],
] as const;

/** A reindex that is running; once the node is lost, its replicas are copied. */
function workOf(at: Minute, isLost: boolean): readonly object[] {
  const done = Math.min(12_000_000, at.minute * 50_000);
  const task = {
    ...{ task_id: 'n1:4711', node_id: 'n1', action: 'indices:data/write/reindex', kind: 'reindex' },
    ...{ started_at: at.slot - at.minute * minuteMs, running_ms: at.minute * minuteMs, cancellable: true },
    ...{ from_indices: ['visits-2026.11.23'], to_index: 'visits', total: 12_000_000, created: done },
  };
  const recovery = {
    ...{ index: 'catalogue', shard: 1, primary: false, type: 'PEER', stage: 'INDEX', total_time_ms: 95_000 },
    ...{
      source_node: 'search-1',
      target_node: 'search-2',
      bytes_total: 12 * gib,
      bytes_recovered: 5.1 * gib,
    },
    bytes_percent: 42.5,
  };
  const pending = [
    { insert_order: 812, priority: 'URGENT', source: 'node-left', executing: true, queued_ms: 2_400 },
    { insert_order: 813, priority: 'HIGH', source: 'shard-failed', executing: false, queued_ms: 1_100 },
  ];
  return [
    item(at, 'tasks', { tasks_total: 1, tasks: [task] }),
    ...(isLost
      ? [item(at, 'pending_tasks', { tasks_total: 2, max_wait_ms: 2_400, tasks_cut: 0, tasks: pending })]
      : []),
    item(at, 'recovery', { recoveries_total: isLost ? 1 : 0, recoveries: isLost ? [recovery] : [] }),
  ];
}

const streamsAt = (slot: number): object => ({
  ...{ data_streams_total: 3, backing_indices: 19, store_bytes: 96 * gib, data_streams_cut: 0 },
  data_streams: [
    ['logs-shop-production', 12, 71 * gib, 4_000],
    ['metrics-shop-production', 6, 25 * gib, 11_000],
    ['logs-import-staging', 1, 12_400_000, 19 * 24 * 60 * minuteMs],
  ].map(([name, indices, bytes, age]) => ({
    ...{ data_stream: name, backing_indices: indices, store_bytes: bytes },
    newest_document_at: slot - Number(age),
  })),
});

const watermark = (used: number) => ({ text: `${used * 100}%`, source: 'default', used_ratio: used });

/** The items that an agent would collect within one minute of a cluster that loses a node. */
export function itemsOfMinute(minute: number, firstMinute: number): readonly object[] {
  if (minute > silence[0] && minute < silence[1]) return [];
  const at: Minute = { minute, slot: (firstMinute + minute) * minuteMs };
  const isLost = minute >= lost;
  const lostAt = (firstMinute + lost) * minuteMs;
  const numbers = isLost ? [1, 2] : [1, 2, 3];
  const shards = shardsOf(isLost, lostAt);
  const every = (minutes: number): boolean => minute % minutes === 0 || minute === lost;
  return [
    item(at, 'nodes', {
      ...{ nodes_total: numbers.length, nodes_failed: 0, nodes_cut: 0 },
      nodes: numbers.map((number) => node(at, number)),
    }),
    healthOf(at, isLost, numbers.length, shards),
    ...workOf(at, isLost),
    ...(every(10) ? settingsOf(at, isLost) : []),
    ...(every(5) ? indicesOf(at, isLost, lostAt, shards) : []),
  ];
}

function healthOf(at: Minute, isLost: boolean, nodes: number, shards: readonly Shard[]): object {
  const gone = unassignedIn(shards);
  return item(
    at,
    'health',
    healthBody({
      ...{ status: isLost ? 'red' : 'green', nodes, data_nodes: nodes, master_node: 'search-1' },
      ...{ unassigned_shards: gone.length, unassigned_primaries: primariesIn(gone) },
      active_shards: shards.length - gone.length,
      ...(isLost && { pending_tasks: 2, pending_tasks_max_wait_ms: 2_400 }),
      affected_indices: isLost
        ? [{ index: 'reviews', unassigned_shards: 2, unassigned_primaries: 1, initializing_shards: 0 }]
        : [],
    }),
  );
}

/** The key can read pending tasks only since the node was lost. */
function settingsOf(at: Minute, isLost: boolean): readonly object[] {
  const read = isLost ? [...collected, ['pending_tasks', 60] as const] : collected;
  const states = read.map(([section, seconds]) => ({
    ...{ section, state: 'ok', last_success_at: at.slot, interval_seconds: seconds },
    collections: Math.ceil((at.minute * 60) / seconds),
  }));
  const forbidden = {
    ...{ section: 'pending_tasks', state: 'forbidden', privilege: 'cluster: monitor', failures: 3 },
    reason: 'The API key may not read the pending tasks of the cluster.',
  };
  return [
    item(at, 'watermarks', {
      ...{ threshold_enabled: true, low: watermark(0.85), high: watermark(0.9) },
      ...{ flood_stage: watermark(0.95), flood_stage_frozen: watermark(0.95) },
    }),
    item(at, 'data_streams', streamsAt(at.slot)),
    item(at, 'capabilities', {
      sections: isLost ? states : [...states, forbidden],
      slow_log_thresholds: { search: true, indexing: false },
    }),
  ];
}

function indicesOf(at: Minute, isLost: boolean, lostAt: number, shards: readonly Shard[]): readonly object[] {
  const gone = unassignedIn(shards);
  const counts = { unassigned: gone.length, unassigned_primaries: primariesIn(gone) };
  const listing = item(at, 'indices', {
    ...{ indices_total: indices.length, indices_with_operations: indices.length },
    slow_search_threshold_ms: 5,
    indices: indices.map((index) => indexOf(index, at.minute, isLost)),
  });
  const size = indices.reduce((sum, [, gibs]) => sum + gibs, 0);
  const totals = item(at, 'cluster_stats', {
    ...{ indices: indices.length, docs_count: Math.round(size * 1e6), store_bytes: size * 2 * gib },
    ...{ shards: shards.length - gone.length, fs_total_bytes: 1_500 * gib, fs_available_bytes: 520 * gib },
  });
  const found = isLost ? explanations(lostAt) : [];
  const placed = item(at, 'shards', {
    ...{ shards_total: shards.length, started: shards.length - gone.length, ...counts, shards },
    explanations: found,
  });
  if (!isLost) return [listing, placed, totals];
  const explained = { unassigned: gone.length, groups_cut: 0, explanations: found };
  return [listing, placed, totals, item(at, 'allocation_explain', explained)];
}
