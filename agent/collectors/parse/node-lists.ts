import type { NodeSnapshot } from '../../../schemas/snapshots/node-section.js';
import { amountAt, entriesAt, listAt, textAt } from './answer.js';

type NodeLists = Pick<
  NodeSnapshot,
  'garbage_collectors' | 'memory_pools' | 'data_paths' | 'thread_pools' | 'circuit_breakers'
>;

/** The lists of a node, whose names depend on its version. */
export function parseNodeLists(stats: unknown): NodeLists {
  return {
    garbage_collectors: entriesAt(stats, 'jvm', 'gc', 'collectors')
      .slice(0, 50)
      .map(([collector, gc]) => ({
        collector,
        count: amountAt(gc, 'collection_count'),
        time_ms: amountAt(gc, 'collection_time_in_millis'),
      })),
    memory_pools: entriesAt(stats, 'jvm', 'mem', 'pools')
      .slice(0, 50)
      .map(([pool, memory]) => ({
        pool,
        used_bytes: amountAt(memory, 'used_in_bytes'),
        max_bytes: positive(amountAt(memory, 'max_in_bytes')),
        peak_used_bytes: amountAt(memory, 'peak_used_in_bytes'),
      })),
    data_paths: listAt(stats, 'fs', 'data')
      .slice(0, 200)
      .map((path) => ({
        path: textAt(path, 'path'),
        mount: textAt(path, 'mount'),
        type: textAt(path, 'type'),
        total_bytes: amountAt(path, 'total_in_bytes'),
        free_bytes: amountAt(path, 'free_in_bytes'),
        available_bytes: amountAt(path, 'available_in_bytes'),
      })),
    thread_pools: entriesAt(stats, 'thread_pool').slice(0, 200).map(threadPool),
    circuit_breakers: entriesAt(stats, 'breakers').slice(0, 100).map(circuitBreaker),
  };
}

function threadPool([pool, threads]: readonly [string, unknown]): NodeSnapshot['thread_pools'][number] {
  return {
    pool,
    threads: amountAt(threads, 'threads'),
    queue: amountAt(threads, 'queue'),
    active: amountAt(threads, 'active'),
    rejected: amountAt(threads, 'rejected'),
    largest: amountAt(threads, 'largest'),
    completed: amountAt(threads, 'completed'),
  };
}

function circuitBreaker([name, memory]: readonly [
  string,
  unknown,
]): NodeSnapshot['circuit_breakers'][number] {
  return {
    // Up to 7.x it is `in_flight_requests`, from 8.x on `inflight_requests`: both get the first name.
    breaker: name === 'inflight_requests' ? 'in_flight_requests' : name,
    estimated_bytes: amountAt(memory, 'estimated_size_in_bytes'),
    limit_bytes: positive(amountAt(memory, 'limit_size_in_bytes')),
    overhead: amountAt(memory, 'overhead'),
    tripped: amountAt(memory, 'tripped'),
  };
}

/** A limit of 0 means "none", not zero. */
export function positive(value: number | null): number | null {
  return value === 0 ? null : value;
}
