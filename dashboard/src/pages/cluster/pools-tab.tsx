import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { absent, formatBytes, formatNumber } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Meter } from '../../shared/meter.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { judgeBreaker, judgePool } from './pool-status.js';
import { SectionNote } from './section-note.js';

type Node = Answer<'/api/v1/clusters/{cluster_uuid}/nodes'>['nodes'][number];
type Pool = Node['thread_pools'][number] & { readonly node: string };
type Breaker = Node['circuit_breakers'][number] & { readonly node: string };

const poolColumns: readonly Column<Pool>[] = [
  { title: 'Pool', holds: 'name', cell: ({ pool }) => <strong>{pool ?? absent}</strong> },
  { title: 'Node', holds: 'name', cell: ({ node }) => node },
  { title: 'State', cell: (pool) => <StatusMark {...judgePool(pool)} /> },
  {
    title: 'Active of threads',
    isFigure: true,
    cell: ({ active, threads_max: most, threads }) =>
      `${formatNumber(active)} of ${formatNumber(most ?? threads)}`,
  },
  { title: 'Queue', isFigure: true, cell: ({ queue }) => formatNumber(queue) },
  { title: 'Rejected since before', isFigure: true, cell: ({ rejections }) => formatNumber(rejections) },
  { title: 'Rejected ever', isFigure: true, cell: ({ rejected }) => formatNumber(rejected) },
  { title: 'Done/s', isFigure: true, cell: ({ completed_per_second: rate }) => formatNumber(rate) },
];

const breakerColumns: readonly Column<Breaker>[] = [
  { title: 'Breaker', holds: 'name', cell: ({ breaker }) => <strong>{breaker ?? absent}</strong> },
  { title: 'Node', holds: 'name', cell: ({ node }) => node },
  { title: 'State', cell: (breaker) => <StatusMark {...judgeBreaker(breaker)} /> },
  {
    title: 'Memory',
    cell: ({ utilisation: used, estimated_bytes: bytes, limit_bytes: limit }) => (
      <Meter
        ratio={used ?? (bytes === null || limit === null ? null : bytes / limit)}
        of={formatBytes(limit)}
      />
    ),
  },
  { title: 'Tripped since before', isFigure: true, cell: ({ trips }) => formatNumber(trips) },
  { title: 'Tripped ever', isFigure: true, cell: ({ tripped }) => formatNumber(tripped) },
];

/** Where work waits or is refused: those that need somebody first. */
export function PoolsTab({ uuid }: { readonly uuid: string }) {
  const query = useRead('/api/v1/clusters/{cluster_uuid}/nodes', {
    ...{ params: { cluster_uuid: uuid }, query: { limit: 1_000 }, everySeconds: 30 },
  });
  return (
    <Loaded query={query} what="the nodes">
      {(list) => (
        <>
          <SectionNote what="nodes" list={list} />
          {list.nodes.length === 0 ? null : <Pools nodes={list.nodes} />}
        </>
      )}
    </Loaded>
  );
}

function Pools({ nodes }: { readonly nodes: readonly Node[] }) {
  const nameOf = ({ name, node_id: id }: Node): string => name ?? id ?? absent;
  const pools = nodes
    .flatMap((node) => node.thread_pools.map((pool): Pool => ({ ...pool, node: nameOf(node) })))
    .sort(
      (one, other) =>
        (other.rejections ?? 0) - (one.rejections ?? 0) || (other.queue_ratio ?? 0) - (one.queue_ratio ?? 0),
    );
  const breakers = nodes
    .flatMap((node) => node.circuit_breakers.map((breaker): Breaker => ({ ...breaker, node: nameOf(node) })))
    .sort(
      (one, other) =>
        (other.trips ?? 0) - (one.trips ?? 0) || (other.utilisation ?? 0) - (one.utilisation ?? 0),
    );
  return (
    <>
      <h2>Thread pools</h2>
      <Table
        caption="Thread pools"
        columns={poolColumns}
        rows={pools}
        keyOf={({ node, pool }) => `${node} ${pool ?? ''}`}
      />
      <h2>Circuit breakers</h2>
      <Table
        caption="Circuit breakers"
        columns={breakerColumns}
        rows={breakers}
        keyOf={({ node, breaker }) => `${node} ${breaker ?? ''}`}
      />
    </>
  );
}
