export interface Advice {
  /** The state that was found: the start of the reason, without places and figures. */
  readonly seen: string;
  readonly means: string;
  /** One action. */
  readonly todo: string;
}

/**
 * The meaning and the remedy of each deduction, by its code. A reason says what was found and where, and ends
 * with these two sentences. If the cluster itself explains why a shard is unassigned, that explanation
 * replaces them. docs/clusters.md has the same table.
 */
export const advice = {
  no_master: {
    seen: 'no master node is elected',
    means:
      'Too few master-eligible nodes can reach each other, so the cluster cannot assign shards, create indices or change settings.',
    todo: 'Start the missing master-eligible nodes, or restore the network between them.',
  },
  primaries_unassigned: {
    seen: 'primary shards are unassigned, so their data is unavailable',
    means: 'No running node holds a usable copy of this data, or allocation settings keep it off every node.',
    todo: 'Bring back the nodes that held it; if they are lost permanently, restore it from a snapshot.',
  },
  red: {
    seen: 'the cluster is red: at least one primary shard is not active, so some data is unavailable',
    means: 'The numbers of unassigned and of recovering primary shards could not be read.',
    todo: 'List the shards that are not started (GET _cat/shards), and bring back the nodes that held them.',
  },
  primaries_recovering: {
    seen: 'the cluster is red: no primary shard is unassigned, but some are still being recovered',
    means: 'This data is available again as soon as the recovery ends.',
    todo: 'Wait; if nothing moves for several minutes, look at the recoveries (GET _cat/recovery?active_only).',
  },
  replicas_unassigned: {
    seen: 'replica shards are unassigned',
    means: 'This data has fewer copies than configured, so losing one more node can lose it.',
    todo: 'Bring back the nodes that held these copies, or add a data node.',
  },
  yellow_single_node: {
    seen: 'replica shards are unassigned on a single data node',
    means: 'A single data node cannot hold a replica in addition to its primary.',
    todo: 'Add a data node, or set number_of_replicas to 0.',
  },
  replicas_recovering: {
    seen: 'the cluster is yellow: no shard is unassigned, but some are still being recovered',
    means: 'This data has fewer copies than configured until the recovery ends.',
    todo: 'Wait; if nothing moves for several minutes, look at the recoveries (GET _cat/recovery?active_only).',
  },
  node_left: {
    seen: 'a node left the cluster in the last 15 minutes',
    means: 'A node leaves when it stops, loses its network, or answers the master too slowly.',
    todo: "Read the node's log and start the node again, unless it was removed on purpose.",
  },
  node_silent: {
    seen: 'a node is still a member but has not answered for three snapshots or more',
    means: 'Such a node hangs, or cannot be reached by the others.',
    todo: "Check the node's host and log, and restart the node if it hangs.",
  },
  disk_low: {
    seen: 'a disk is past the low watermark',
    means: 'No more shards are allocated to a node past the low watermark.',
    todo: 'Delete data that is no longer needed, or add disk space or a data node.',
  },
  disk_high: {
    seen: 'a disk is past the high watermark',
    means: 'The cluster moves shards away from a node past the high watermark.',
    todo: 'Delete data that is no longer needed, or add disk space or a data node.',
  },
  disk_flood_stage: {
    seen: 'a disk is past the flood stage watermark',
    means: 'Every index with a shard there has been made read-only; it accepts only deletes.',
    todo: 'Free disk space there immediately: delete old indices, or add disk space.',
  },
  heap_high: {
    seen: 'a heap stays at least 85% full',
    means: 'Garbage collection frees too little memory, so little is left for peaks.',
    todo: 'Reduce what fills the heap (fielddata, large aggregations, many shards), or give Elasticsearch more heap.',
  },
  heap_critical: {
    seen: 'a heap stays at least 95% full',
    means: 'Garbage collection frees almost no memory, and Elasticsearch may soon stop answering.',
    todo: 'Reduce what fills the heap (fielddata, large aggregations, many shards), or give Elasticsearch more heap.',
  },
  garbage_collection: {
    seen: 'garbage collection of the old generation takes at least 10% of the time',
    means: 'The heap is too small for the load, and requests wait meanwhile.',
    todo: 'Reduce what fills the heap (fielddata, large aggregations, many shards), or give Elasticsearch more heap.',
  },
  circuit_breaker_tripped: {
    seen: 'circuit breakers rejected requests',
    means: 'These requests needed more memory than a node may use for them.',
    todo: 'Make the requests smaller (fewer buckets, smaller bulks), or give Elasticsearch more heap.',
  },
  circuit_breaker_near_limit: {
    seen: 'circuit breakers stay near their limit',
    means: 'With a little more load they reject requests.',
    todo: 'Make the requests smaller (fewer buckets, smaller bulks), or give Elasticsearch more heap.',
  },
  thread_pool_rejections: {
    seen: 'thread pools rejected requests',
    means: 'The queue was full: these requests failed unless their clients tried again.',
    todo: 'Send fewer requests at once, or add data nodes.',
  },
  thread_pool_queue_full: {
    seen: 'all threads are busy and the queue is almost full',
    means: 'Requests wait, and are rejected once the queue is full.',
    todo: 'Find what keeps the threads busy (hot threads), and send fewer requests at once.',
  },
  thread_pool_busy: {
    seen: 'all threads are busy while requests wait',
    means: 'Requests take longer than they need to.',
    todo: 'Find what keeps the threads busy (hot threads), and send fewer requests at once.',
  },
  pending_tasks: {
    seen: 'tasks have waited for the master for 30 seconds or more',
    means: 'The master cannot apply changes to the cluster state as fast as they arrive.',
    todo: "Check the master's load, and change fewer indices, mappings and settings at a time.",
  },
  master_changed: {
    seen: 'another node was elected master in the last hour',
    means: 'A master is replaced when it stops, is overloaded, or loses its connections.',
    todo: 'Look for restarts, long pauses and lost connections in the logs of the master-eligible nodes.',
  },
  node_restarted: {
    seen: 'a node restarted in the last 15 minutes',
    means: 'A restarted node has empty caches, and its shards had to be recovered.',
    todo: "Look in the node's log for why it stopped, unless it was restarted on purpose.",
  },
  cpu_high: {
    seen: "a host's CPU stays at least 90% busy",
    means: 'Searches and indexing take longer there.',
    todo: 'Find what uses the CPU (hot threads, or another process on the host), or add data nodes.',
  },
  file_descriptors: {
    seen: 'at least 85% of the allowed file descriptors are open on a node',
    means: 'A node that can open no more files can lose data.',
    todo: 'Raise the limit of open files (nofile) of the Elasticsearch process, and restart it.',
  },
  indexing_throttled: {
    seen: 'indexing is throttled',
    means: 'Merging cannot keep up with indexing, so Elasticsearch slows indexing down.',
    todo: 'Index more slowly or with a longer refresh interval, or use faster disks.',
  },
  indexing_failures: {
    seen: 'documents cannot be indexed',
    means: 'The cluster rejects such documents, for instance because they do not fit the mapping.',
    todo: "Read the errors in the responses to the clients' bulk requests, and correct the documents or the mapping.",
  },
} as const satisfies Readonly<Record<string, Advice>>;

export type DeductionCode = keyof typeof advice;

/** What was found, and where; the cause; and one action. */
export function explained(code: DeductionCode, found: string): string {
  const { means, todo } = advice[code];
  return `${found} ${means} ${todo}`;
}
