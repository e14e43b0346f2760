/** The part of a call's configuration that its waits depend on. */
interface Patience {
  readonly requestTimeoutMs: number;
}

/** Half of the call's own time: after a wait in vain, the answer must still arrive. */
const half = ({ requestTimeoutMs }: Patience): number => Math.max(1, Math.floor(requestTimeoutMs / 2));

const longestForMasterMs = 5_000;

/** How long a node waits for an elected master before it answers that there is none; its default is 30 s. */
export function masterTimeout(patience: Patience): string {
  return `master_timeout=${Math.min(longestForMasterMs, half(patience))}ms`;
}

/**
 * How long a call that asks every node waits for one of them; the default is until that node leaves the
 * cluster. The answer then has the other nodes, and counts the one that did not answer. This is at least half
 * of the call's time, so raising `requestTimeoutMs` helps if a cluster is only slow. Every version from 7.0
 * to 9.x accepts it with `_nodes`, `_nodes/stats`, `_nodes/hot_threads`, `_cluster/stats` and `_tasks`; none
 * does with `_stats`, `_recovery`, `_cat/indices`, `_cat/shards` and `_data_stream/_stats`.
 */
export function nodeTimeout(patience: Patience): string {
  return `timeout=${half(patience)}ms`;
}
