import { nodeTimeout } from '../../integration/client/waits.js';
import { absencesOf } from '../parse/absences.js';
import { parseClusterStats } from '../parse/cluster.js';
import { hostMemoryReason } from '../parse/node-figures.js';
import { alwaysZeroReason } from '../parse/operations.js';
import type { Section } from '../section.js';

const wanted = [
  '_nodes',
  'indices.count',
  'indices.shards.total',
  'indices.shards.primaries',
  'indices.docs',
  'indices.store',
  'indices.fielddata.memory_size_in_bytes',
  'indices.query_cache.memory_size_in_bytes',
  'indices.completion',
  'indices.segments.count',
  'indices.segments.memory_in_bytes',
  'nodes.count',
  'nodes.versions',
  'nodes.os.available_processors',
  'nodes.os.mem',
  'nodes.jvm.mem',
  'nodes.jvm.threads',
  'nodes.jvm.max_uptime_in_millis',
  'nodes.fs',
].join(',');

/** Sums over the whole cluster, made by the cluster. */
export const clusterStatsCollector: Section<'cluster_stats'> = {
  name: 'cluster_stats',
  intervalSeconds: ({ clusterStatsIntervalSeconds }) => clusterStatsIntervalSeconds,
  enabled: ({ enabled, clusterStats }) => enabled && clusterStats,
  privilege: 'cluster: monitor',
  async collect({ read, settings, cluster }) {
    const body = parseClusterStats(
      await read(`/_cluster/stats?${nodeTimeout(settings)}&filter_path=${wanted}`),
    );
    const partial = (body.nodes_failed ?? 0) > 0;
    const reasons = {
      memory_total_bytes: hostMemoryReason,
      memory_used_bytes: hostMemoryReason,
      segments_memory_bytes: { code: 'always_zero' as const, reason: alwaysZeroReason },
    };
    return { body, partial, unavailable: absencesOf(body, [], reasons, cluster.version) };
  },
};
