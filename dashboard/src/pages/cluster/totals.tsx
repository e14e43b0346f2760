import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { Facts } from '../../shared/facts.js';
import { formatBytes, formatMillis, formatNumber } from '../../shared/format.js';
import styles from './health-tab.module.css';
import { totalsSql } from './overview-sql.js';
import { OldNote } from './section-note.js';

const path = '/api/v1/clusters/{cluster_uuid}';
type Cluster = Answer<typeof path>;

/** The figures of the cluster as a whole, each as it was measured last. */
export function Totals({ cluster }: { readonly cluster: Cluster }) {
  const options = { params: { cluster_uuid: cluster.cluster_uuid } };
  // The same read as the page's, so that it is sent only once.
  const query = useRead(path, options);
  const { health, stats, traffic } = cluster;
  return (
    <section className={styles['totals']} aria-label="Totals">
      <div className="field">
        <h2>Latest values</h2>
        <Exports
          what="totals of the cluster"
          query={query}
          path={path}
          options={options}
          rows={(of) => [rowOf(of)]}
          sql={(of, scope) => totalsSql(of.cluster_uuid, slotsOf(of), scope)}
        />
      </div>
      <OldNote what="Nodes and shards" of={health} />
      <OldNote what="Documents and store" of={stats} />
      <OldNote what="Traffic" of={traffic} />
      <Facts
        facts={[
          ['Nodes', formatNumber(health?.nodes)],
          ['Data nodes', formatNumber(health?.data_nodes)],
          ['Master', health?.master_node ?? (health?.no_master === true ? 'none elected' : undefined)],
          ['Active shards', formatNumber(health?.active_shards)],
          ['Unassigned shards', formatNumber(health?.unassigned_shards)],
          ['Unassigned primaries', formatNumber(health?.unassigned_primaries)],
          ['Pending tasks', formatNumber(health?.pending_tasks)],
          ['Longest wait', formatMillis(health?.pending_tasks_max_wait_ms)],
          ['Indices', formatNumber(stats?.indices)],
          ['Documents', formatNumber(stats?.docs_count)],
          ['Store', formatBytes(stats?.store_bytes)],
          ['Disk available', formatBytes(stats?.fs_available_bytes)],
          ['Queries', perSecond(traffic.queries_per_second)],
          ['Indexed', perSecond(traffic.indexed_per_second)],
        ]}
      />
    </section>
  );
}

const slotsOf = ({ health, stats, traffic }: Cluster) => ({
  health: health?.as_of ?? null,
  stats: stats?.as_of ?? null,
  traffic: traffic.as_of,
});

const rowOf = ({ health, stats, traffic }: Cluster) => ({
  health_at: health?.as_of,
  ...{ nodes: health?.nodes, data_nodes: health?.data_nodes, master_node: health?.master_node },
  active_shards: health?.active_shards,
  unassigned_shards: health?.unassigned_shards,
  unassigned_primaries: health?.unassigned_primaries,
  pending_tasks: health?.pending_tasks,
  pending_tasks_max_wait_ms: health?.pending_tasks_max_wait_ms,
  ...{ stats_at: stats?.as_of, indices: stats?.indices, docs_count: stats?.docs_count },
  ...{ store_bytes: stats?.store_bytes, fs_available_bytes: stats?.fs_available_bytes },
  traffic_at: traffic.as_of,
  queries_per_second: traffic.queries_per_second,
  indexed_per_second: traffic.indexed_per_second,
});

const perSecond = (value: number | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : `${formatNumber(value)}/s`;
