import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { FilterChoice } from '../../shared/choice.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatBytes, formatMillis, formatNumber, formatPercent } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Meter } from '../../shared/meter.js';
import { Notice } from '../../shared/notice.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { FigureChart, LineButton } from './figure-chart.js';
import { figuresOf } from './figures.js';
import { HotThreads } from './hot-threads.js';
import { nodesSql } from './list-sql.js';
import { SectionNote } from './section-note.js';
import { watermarkLines } from './watermark-lines.js';

const path = '/api/v1/clusters/{cluster_uuid}/nodes';
type Node = Answer<typeof path>['nodes'][number];
type Cluster = Answer<'/api/v1/clusters/{cluster_uuid}'>;

const columns: readonly Column<Node>[] = [
  {
    title: 'Node',
    holds: 'name',
    cell: ({ name, host, is_master, gap }) => (
      <>
        <strong>{name ?? absent}</strong>
        {is_master === true ? ' · master' : ''}
        <br />
        <small>{host}</small>
        {gap === null ? null : (
          <>
            <br />
            <small>No rates: {gap}</small>
          </>
        )}
      </>
    ),
  },
  { title: 'Roles', cell: ({ roles }) => (roles.length === 0 ? 'none' : roles.join(', ')) },
  {
    title: 'Heap',
    cell: ({ heap_used_percent: percent, heap_max_bytes: max }) => (
      <Meter ratio={percent === null ? null : percent / 100} of={formatBytes(max)} />
    ),
  },
  {
    title: 'Disk',
    cell: ({ fs_used_ratio: ratio, fs_total_bytes: total }) => (
      <Meter ratio={ratio} of={formatBytes(total)} />
    ),
  },
  {
    title: 'CPU',
    isFigure: true,
    cell: ({ process_cpu_percent: percent }) => formatPercent(percent === null ? null : percent / 100),
  },
  { title: 'Shards', isFigure: true, cell: ({ shards_count: count }) => formatNumber(count) },
  { title: 'Queries/s', isFigure: true, cell: ({ queries_per_second: rate }) => formatNumber(rate) },
  { title: 'Query latency', isFigure: true, cell: ({ query_latency_ms: ms }) => formatMillis(ms) },
  { title: 'Indexed/s', isFigure: true, cell: ({ indexed_per_second: rate }) => formatNumber(rate) },
  { title: 'GC share', isFigure: true, cell: ({ gc_share: share }) => formatPercent(share, 1) },
  { title: 'Uptime', isFigure: true, cell: ({ uptime_ms: ms }) => formatMillis(ms) },
  { title: 'Chart', cell: ({ node_id: id, name }) => <LineButton id={id} name={name ?? id ?? ''} /> },
];

const sorts = [
  ['heap', 'most heap'],
  ['disk', 'fullest disk'],
  ['cpu', 'most CPU'],
  ['queries', 'most queries'],
  ['query_latency', 'slowest queries'],
] as const;

const roles = [
  'master',
  'data',
  'data_hot',
  'data_warm',
  'data_cold',
  'data_frozen',
  'data_content',
  'ingest',
  'ml',
  'transform',
  'remote_cluster_client',
  'voting_only',
];

export function NodesTab({ cluster }: { readonly cluster: Cluster }) {
  const { get } = useAddress();
  const uuid = cluster.cluster_uuid;
  const filter = { role: get('role'), sort: get('sort') };
  const options = { params: { cluster_uuid: uuid }, query: { ...filter, limit: 1_000 } };
  const query = useRead(path, { ...options, everySeconds: 30 });
  return (
    <>
      <div className="field">
        <FilterChoice label="Role" name="role" options={roles} none="any" />
        <FilterChoice label="First" name="sort" options={sorts} none="by name" />
        <Exports
          what="nodes"
          query={query}
          path={path}
          options={options}
          rows={({ nodes }) => nodes.map(flat)}
          sql={({ as_of: at }, scope) => nodesSql({ uuid, at }, filter, scope)}
        />
      </div>
      <Loaded query={query} what="the nodes">
        {(list) => (
          <>
            <SectionNote what="nodes" list={list} />
            {list.nodes.length === 0 && filter.role !== '' ? (
              <Notice kind="filtered-out" title={`No node has the role ${filter.role}`}>
                <p>Choose another role, or any.</p>
              </Notice>
            ) : null}
            {list.nodes.length === 0 ? null : (
              <Table
                caption="Nodes"
                columns={columns}
                rows={list.nodes}
                keyOf={({ node_id: id, name }) => id ?? name ?? ''}
              />
            )}
            <FigureChart
              uuid={uuid}
              of="nodes"
              figures={figuresOf('nodes', list.nodes)}
              isListFiltered={filter.role !== ''}
              marksOf={(figure) => watermarkLines(cluster.watermarks, figure)}
            />
          </>
        )}
      </Loaded>
      <HotThreads uuid={uuid} />
    </>
  );
}

const flat = (node: Node) => ({
  name: node.name,
  host: node.host,
  roles: node.roles.join(' '),
  is_master: node.is_master,
  heap_used_percent: node.heap_used_percent,
  heap_max_bytes: node.heap_max_bytes,
  fs_used_ratio: node.fs_used_ratio,
  fs_total_bytes: node.fs_total_bytes,
  process_cpu_percent: node.process_cpu_percent,
  shards_count: node.shards_count,
  queries_per_second: node.queries_per_second,
  query_latency_ms: node.query_latency_ms,
  indexed_per_second: node.indexed_per_second,
  gc_share: node.gc_share,
  uptime_ms: node.uptime_ms,
  gap: node.gap,
});
