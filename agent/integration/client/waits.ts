/** What of a call's configuration its waits go by. */
interface Patience {
  readonly requestTimeoutMs: number;
}

/** Half of the call's own time: the answer that says what was waited for in vain must still arrive. */
const half = ({ requestTimeoutMs }: Patience): number => Math.max(1, Math.floor(requestTimeoutMs / 2));

const longestForMasterMs = 5_000;

/** How long a node looks for an elected master before it says that there is none; by itself it would for 30 s. */
export function masterTimeout(patience: Patience): string {
  return `master_timeout=${Math.min(longestForMasterMs, half(patience))}ms`;
}

/**
 * How long a call that asks every node waits for one of them; by itself it would until that node leaves the cluster.
 * The answer then has the others, and counts the one that did not answer. Not shorter than half of the call's time: a
 * cluster that is merely slow is cured by raising `requestTimeoutMs`. Every version from 7.0 to 9.x takes it with
 * `_nodes`, `_nodes/stats`, `_nodes/hot_threads`, `_cluster/stats` and `_tasks`; none does with `_stats`, `_recovery`,
 * `_cat/indices`, `_cat/shards` and `_data_stream/_stats`.
 */
export function nodeTimeout(patience: Patience): string {
  return `timeout=${half(patience)}ms`;
}
