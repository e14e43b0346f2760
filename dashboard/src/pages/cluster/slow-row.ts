import type { Answer } from '../../api/client.js';

type SlowOperation = Answer<'/api/v1/clusters/{cluster_uuid}/slow-operations'>['slow_operations'][number];

/** One slow operation as a row of a file: everything that the page shows of it. */
export const slowRow = ({ at, took_ms, kind, phase, index, shard, node_name, ...asked }: SlowOperation) => ({
  ...{ at, took_ms, kind, phase, index, shard, node_name },
  ...{ total_hits: asked.total_hits, total_hits_at_least: asked.total_hits_at_least },
  ...{ query: asked.query, query_cut: asked.query_cut },
  ...{ withheld: asked.withheld, source_bytes: asked.source_bytes },
  ...{ opaque_id: asked.opaque_id, user: asked.user, trace_id: asked.trace_id },
});
