import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { FilterChoice } from '../../shared/choice.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatBytes, formatMillis, formatNumber } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { More } from '../../shared/more.js';
import { Notice } from '../../shared/notice.js';
import { SearchField } from '../../shared/search-field.js';
import { StatusMark } from '../../shared/status-mark.js';
import { healthStatus } from '../../shared/status.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { usePages } from '../../shared/use-pages.js';
import { FigureChart, LineButton } from './figure-chart.js';
import { figuresOf } from './figures.js';
import { indicesSql } from './list-sql.js';
import { SectionNote } from './section-note.js';

const path = '/api/v1/clusters/{cluster_uuid}/indices';
type Index = Answer<typeof path>['indices'][number];

type Unavailable = Answer<typeof path>['unavailable'];

const columnsFor = (uuid: string, unavailable: Unavailable): readonly Column<Index>[] => [
  {
    title: 'Index',
    holds: 'name',
    cell: ({ index }) =>
      index === null ? (
        absent
      ) : (
        <Link href={`/clusters/${uuid}/shards?${new URLSearchParams({ index }).toString()}`}>{index}</Link>
      ),
  },
  {
    title: 'Health',
    cell: (index) => <Health uuid={uuid} index={index} unavailable={unavailable} />,
  },
  { title: 'Store', isFigure: true, cell: ({ store_bytes: bytes }) => formatBytes(bytes) },
  { title: 'Documents', isFigure: true, cell: ({ docs_count: count }) => formatNumber(count) },
  {
    title: 'Primaries × copies',
    isFigure: true,
    cell: ({ primaries, replicas }) =>
      primaries === null || replicas === null ? absent : `${primaries} × ${replicas + 1}`,
  },
  { title: 'Queries/s', isFigure: true, cell: ({ queries_per_second: rate }) => formatNumber(rate) },
  { title: 'Query latency', isFigure: true, cell: ({ query_latency_ms: ms }) => formatMillis(ms) },
  { title: 'Indexed/s', isFigure: true, cell: ({ indexed_per_second: rate }) => formatNumber(rate) },
  {
    title: 'Slow',
    cell: ({ slow_search: search, slow_indexing: indexing }) =>
      [...(search === true ? ['searches'] : []), ...(indexing === true ? ['indexing'] : [])].join(', '),
  },
  { title: 'Chart', cell: ({ index }) => <LineButton id={index} name={index ?? ''} /> },
];

interface HealthProps {
  readonly uuid: string;
  readonly index: Index;
  readonly unavailable: Unavailable;
}

/** An index's problems are those of its shards: links to their list, which says why and what to do. */
function Health({ uuid, index: { index, health, state }, unavailable }: HealthProps) {
  const filter = new URLSearchParams({ index: index ?? '', state: 'UNASSIGNED' });
  return (
    <>
      <StatusMark status={healthStatus(health)} word={health ?? (state === 'close' ? 'closed' : 'unknown')} />
      {health === 'red' || health === 'yellow' ? (
        <div>
          <Link href={`/clusters/${uuid}/shards?${filter.toString()}`}>
            {health === 'red' ? 'a primary is unassigned: why' : 'a copy is unassigned: why'}
          </Link>
        </div>
      ) : null}
      {health === null ? (
        <div className="muted">
          {state === 'close'
            ? 'It answers no search until it is opened: POST /<index>/_open.'
            : (unavailable['indices.*.health'] ?? unavailable['*'] ?? 'The cluster reported none for it.')}
        </div>
      ) : null}
    </>
  );
}

const sorts = [
  ['name', 'by name'],
  ['docs', 'most documents'],
  ['queries', 'most queries'],
  ['query_latency', 'slowest queries'],
  ['indexed', 'most indexing'],
  ['indexing_latency', 'slowest indexing'],
] as const;

export function IndicesTab({ uuid }: { readonly uuid: string }) {
  const { get } = useAddress();
  const filter = { prefix: get('prefix'), health: get('health'), slow: get('slow'), sort: get('sort') };
  const isFiltered = filter.prefix !== '' || filter.health !== '' || filter.slow !== '';
  const pages = usePages();
  const options = { params: { cluster_uuid: uuid }, query: { ...filter, cursor: pages.cursor, limit: 200 } };
  const query = useRead(path, { ...options, everySeconds: 60 });
  return (
    <>
      <div className="field">
        <SearchField label="Names that begin with" name="prefix" />
        <FilterChoice label="Health" name="health" options={['red', 'yellow', 'green']} none="any" />
        <FilterChoice
          label="Speed"
          name="slow"
          options={[['true', 'slower than its threshold']]}
          none="any"
        />
        <FilterChoice label="First" name="sort" options={sorts} none="the largest" />
        <Exports
          what="indices"
          query={query}
          path={path}
          options={options}
          rows={({ indices }) => indices.map(flat)}
          sql={({ as_of: at }, scope) => indicesSql({ uuid, at }, filter, scope)}
        />
      </div>
      <Loaded query={query} what="the indices">
        {(list) => (
          <>
            <SectionNote what="indices" list={list} />
            {list.indices.length === 0 && isFiltered ? (
              <Notice kind="filtered-out" title="No index fits these filters">
                <p>Remove a filter. Names are compared from their beginning.</p>
              </Notice>
            ) : null}
            {list.indices.length === 0 ? null : (
              <>
                <Table
                  caption="Indices"
                  columns={columnsFor(uuid, list.unavailable)}
                  rows={list.indices}
                  keyOf={({ index, uuid: id }) => id ?? index ?? ''}
                />
                <More pages={pages} shown={list.indices.length} total={list.total} next={list.next} />
              </>
            )}
            <FigureChart
              uuid={uuid}
              of="indices"
              figures={figuresOf('indices', list.indices)}
              isListFiltered={isFiltered}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

const flat = (index: Index) => ({
  ...{ index: index.index, health: index.health, state: index.state, store_bytes: index.store_bytes },
  ...{ docs_count: index.docs_count, primaries: index.primaries, replicas: index.replicas },
  ...{ queries_per_second: index.queries_per_second, query_latency_ms: index.query_latency_ms },
  indexed_per_second: index.indexed_per_second,
  ...{ slow_search: index.slow_search, slow_indexing: index.slow_indexing },
});
