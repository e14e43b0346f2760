import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { absent, formatBytes, formatMillis, formatNumber, formatPercent } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Meter } from '../../shared/meter.js';
import { Table, type Column } from '../../shared/table.js';
import { SectionNote } from './section-note.js';

type Node = Answer<'/api/v1/clusters/{cluster_uuid}/nodes'>['nodes'][number];

const columns: readonly Column<Node>[] = [
  {
    title: 'Node',
    holds: 'name',
    cell: ({ name, host, is_master }) => (
      <>
        <strong>{name ?? absent}</strong>
        {is_master === true ? ' · master' : ''}
        <br />
        <small>{host}</small>
      </>
    ),
  },
  { title: 'Roles', cell: ({ roles }) => roles.join(', ') },
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
  { title: 'No rates because', cell: ({ gap }) => gap ?? '' },
];

export function NodesTab({ uuid }: { readonly uuid: string }) {
  const query = useRead('/api/v1/clusters/{cluster_uuid}/nodes', {
    ...{ params: { cluster_uuid: uuid }, query: { limit: 1_000 }, everySeconds: 30 },
  });
  return (
    <Loaded query={query} what="the nodes">
      {(list) => (
        <>
          <SectionNote what="nodes" list={list} />
          {list.nodes.length === 0 ? null : (
            <Table
              caption="Nodes"
              columns={columns}
              rows={list.nodes}
              keyOf={({ node_id: id, name }) => id ?? name ?? ''}
            />
          )}
        </>
      )}
    </Loaded>
  );
}
