import type { Answer } from '../../api/client.js';

type SlowOperation = Answer<'/api/v1/clusters/{cluster_uuid}/slow-operations'>['slow_operations'][number];

/** The edge lists this many characters of a query, or one fewer if that would split a surrogate pair. */
const listedCharacters = 2_000;

export const isListedInPart = (query: string | null): boolean => (query?.length ?? 0) >= listedCharacters - 1;

/** A slow operation as a CSV row: everything that the page shows of it. */
export const slowRow = ({ at, took_ms, kind, phase, index, shard, node_name, ...asked }: SlowOperation) => ({
  ...{ at, took_ms, kind, phase, index, shard, node_name },
  ...{ total_hits: asked.total_hits, total_hits_at_least: asked.total_hits_at_least },
  query: asked.query,
  query_cut: asked.query_cut || isListedInPart(asked.query),
  ...{ withheld: asked.withheld, source_bytes: asked.source_bytes },
  ...{ opaque_id: asked.opaque_id, user: asked.user, trace_id: asked.trace_id },
});
