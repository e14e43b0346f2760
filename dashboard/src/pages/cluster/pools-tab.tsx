import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { ExplainedStatus } from '../../shared/explained-status.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatBytes, formatNumber } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Meter } from '../../shared/meter.js';
import { Table, type Column } from '../../shared/table.js';
import { breakersSql, poolsSql } from './list-sql.js';
import { evaluateBreaker, evaluatePool } from './pool-status.js';
import { SectionNote } from './section-note.js';

const path = '/api/v1/clusters/{cluster_uuid}/nodes';
type Node = Answer<typeof path>['nodes'][number];
type Pool = Node['thread_pools'][number] & { readonly node: string };
type Breaker = Node['circuit_breakers'][number] & { readonly node: string };

const poolColumns: readonly Column<Pool>[] = [
  { title: 'Pool', holds: 'name', cell: ({ pool }) => <strong>{pool ?? absent}</strong> },
  { title: 'Node', holds: 'name', cell: ({ node }) => node },
  { title: 'State', holds: 'status', cell: (pool) => <ExplainedStatus {...evaluatePool(pool)} /> },
  {
    title: 'Active of threads',
    isFigure: true,
    cell: ({ active, threads_max: most, threads }) =>
      `${formatNumber(active)} of ${formatNumber(most ?? threads)}`,
  },
  { title: 'Queue', isFigure: true, cell: ({ queue }) => formatNumber(queue) },
  {
    title: 'Rejected since the last snapshot',
    isFigure: true,
    cell: ({ rejections }) => formatNumber(rejections),
  },
  { title: 'Rejected ever', isFigure: true, cell: ({ rejected }) => formatNumber(rejected) },
  { title: 'Done/s', isFigure: true, cell: ({ completed_per_second: rate }) => formatNumber(rate) },
];

const breakerColumns: readonly Column<Breaker>[] = [
  { title: 'Breaker', holds: 'name', cell: ({ breaker }) => <strong>{breaker ?? absent}</strong> },
  { title: 'Node', holds: 'name', cell: ({ node }) => node },
  {
    title: 'State',
    holds: 'status',
    cell: (breaker) => <ExplainedStatus {...evaluateBreaker(breaker)} />,
  },
  {
    title: 'Memory',
    cell: ({ utilisation: used, estimated_bytes: bytes, limit_bytes: limit }) => (
      <Meter
        ratio={used ?? (bytes === null || limit === null ? null : bytes / limit)}
        of={formatBytes(limit)}
      />
    ),
  },
  { title: 'Tripped since the last snapshot', isFigure: true, cell: ({ trips }) => formatNumber(trips) },
  { title: 'Tripped ever', isFigure: true, cell: ({ tripped }) => formatNumber(tripped) },
];

/** The pools in which work waits or is rejected; those that need attention first. */
export function PoolsTab({ uuid }: { readonly uuid: string }) {
  const options = { params: { cluster_uuid: uuid }, query: { limit: 1_000 } };
  const query = useRead(path, { ...options, everySeconds: 30 });
  return (
    <Loaded query={query} what="the nodes">
      {(list) => (
        <>
          <SectionNote what="nodes" list={list} />
          {list.nodes.length === 0 ? null : (
            <>
              <div className="field">
                <h2>Thread pools</h2>
                <Exports
                  what="thread pools"
                  query={query}
                  path={path}
                  options={options}
                  rows={({ nodes }) => poolsOf(nodes)}
                  sql={({ as_of: at }, scope) => poolsSql({ uuid, at }, scope)}
                />
              </div>
              <Table
                caption="Thread pools"
                columns={poolColumns}
                rows={poolsOf(list.nodes)}
                keyOf={({ node, pool }) => `${node} ${pool ?? ''}`}
              />
              <div className="field">
                <h2>Circuit breakers</h2>
                <Exports
                  what="circuit breakers"
                  query={query}
                  path={path}
                  options={options}
                  rows={({ nodes }) => breakersOf(nodes)}
                  sql={({ as_of: at }, scope) => breakersSql({ uuid, at }, scope)}
                />
              </div>
              <Table
                caption="Circuit breakers"
                columns={breakerColumns}
                rows={breakersOf(list.nodes)}
                keyOf={({ node, breaker }) => `${node} ${breaker ?? ''}`}
              />
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

const nameOf = ({ name, node_id: id }: Node): string => name ?? id ?? absent;

/** Pools that need attention come first, then unknown ones, then those that are fine. */
function poolsOf(nodes: readonly Node[]): readonly Pool[] {
  const rank = ({ rejections }: Pool): number => rejections ?? 0.5;
  return nodes
    .flatMap((node) => node.thread_pools.map((pool): Pool => ({ ...pool, node: nameOf(node) })))
    .sort((one, other) => rank(other) - rank(one) || (other.queue_ratio ?? 0) - (one.queue_ratio ?? 0));
}

function breakersOf(nodes: readonly Node[]): readonly Breaker[] {
  const rank = ({ trips }: Breaker): number => trips ?? 0.5;
  return nodes
    .flatMap((node) => node.circuit_breakers.map((breaker): Breaker => ({ ...breaker, node: nameOf(node) })))
    .sort((one, other) => rank(other) - rank(one) || (other.utilisation ?? 0) - (one.utilisation ?? 0));
}
