import { z } from 'zod';
import { amount, healthStatus, list, name, text } from './fields.js';
import { operations } from './operations.js';

/** Elasticsearch's own limit in bytes, so no name has more characters. */
export const longestIndexName = 255;

const indexSnapshot = z.object({
  index: name,
  /** A recreated index has another UUID. */
  uuid: text(),
  health: healthStatus,
  /** `open` or `close`. */
  state: text(16),
  primaries: amount,
  replicas: amount,
  docs_count: amount,
  docs_deleted: amount,
  store_bytes: amount,
  primary_store_bytes: amount,
  /**
   * Digest of the index's uuid, the nodes of its shard copies, and the JVM starts of those nodes. The
   * operations of two snapshots can be compared only if it is the same. Null: unknown.
   */
  incarnation: text(),
  /** Operations of all copies; null if the index is beyond `maxIndices`, is closed, or could not be read. */
  total: operations.nullable().default(null),
  /** Operations of the primaries only. */
  primary: operations.nullable().default(null),
});

export const indicesSection = z.object({
  /** The number of indices in the whole cluster, even if not all of them could be listed; null: unknown. */
  indices_total: amount,
  /** The number of indices with operations: those that are largest by store size. */
  indices_with_operations: amount,
  /** Latencies above which the server marks an index slow, from the agent's configuration. */
  slow_search_threshold_ms: amount,
  slow_indexing_threshold_ms: amount,
  indices: list(indexSnapshot),
});

export type IndexSnapshot = z.output<typeof indexSnapshot>;
export type IndicesSection = z.output<typeof indicesSection>;
