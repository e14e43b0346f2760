import type { NodeSnapshot } from '../../../schemas/snapshots/node-section.js';

const plain = [
  'process_cpu_time_ms',
  'cgroup_cpu_throttled_nanos',
  'io_read_operations',
  'io_write_operations',
  'io_read_kilobytes',
  'io_write_kilobytes',
  'transport_rx_bytes',
  'transport_tx_bytes',
  'http_opened_total',
  'indexing_pressure_coordinating_rejections',
  'indexing_pressure_primary_rejections',
  'indexing_pressure_replica_rejections',
] as const satisfies readonly (keyof NodeSnapshot)[];

/** All counters of a node except its operations; those of a group as `group/name/field`. */
export function nodeCounters(node: NodeSnapshot): Record<string, number> {
  const counters: Record<string, number> = {};
  const keep = (name: string, value: number | null): void => {
    if (value !== null) counters[name] = value;
  };
  for (const field of plain) keep(field, node[field]);
  for (const { collector, count, time_ms } of node.garbage_collectors) {
    keep(`gc/${collector}/count`, count);
    keep(`gc/${collector}/time`, time_ms);
  }
  for (const { pool, rejected, completed } of node.thread_pools) {
    keep(`pool/${pool}/rejected`, rejected);
    keep(`pool/${pool}/completed`, completed);
  }
  for (const { breaker, tripped } of node.circuit_breakers) keep(`breaker/${breaker}/tripped`, tripped);
  return counters;
}
