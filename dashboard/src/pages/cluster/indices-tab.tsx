import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { absent, formatBytes, formatMillis, formatNumber } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { More } from '../../shared/more.js';
import { Notice } from '../../shared/notice.js';
import { SearchField } from '../../shared/search-field.js';
import { StatusMark } from '../../shared/status-mark.js';
import { healthStatus } from '../../shared/status.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { usePages } from '../../shared/use-pages.js';
import { SectionNote } from './section-note.js';

type Index = Answer<'/api/v1/clusters/{cluster_uuid}/indices'>['indices'][number];

const columns: readonly Column<Index>[] = [
  { title: 'Index', holds: 'name', cell: ({ index }) => <strong>{index ?? absent}</strong> },
  {
    title: 'Health',
    cell: ({ health, state }) => (
      <StatusMark status={healthStatus(health)} word={health ?? (state === 'close' ? 'closed' : 'unknown')} />
    ),
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
];

/** The largest first, as the API has them. */
export function IndicesTab({ uuid }: { readonly uuid: string }) {
  const { get, set } = useAddress();
  const prefix = get('prefix');
  const pages = usePages();
  const query = useRead('/api/v1/clusters/{cluster_uuid}/indices', {
    ...{
      params: { cluster_uuid: uuid },
      query: { prefix, cursor: pages.cursor, limit: 200 },
      everySeconds: 60,
    },
  });
  return (
    <>
      <SearchField label="Names that begin with" value={prefix} onSearch={(text) => set({ prefix: text })} />
      <Loaded query={query} what="the indices">
        {(list) => (
          <>
            <SectionNote what="indices" list={list} />
            {list.indices.length === 0 && prefix !== '' ? (
              <Notice kind="filtered-out" title={`No index begins with “${prefix}”`} />
            ) : null}
            {list.indices.length === 0 ? null : (
              <>
                <Table
                  caption="Indices"
                  columns={columns}
                  rows={list.indices}
                  keyOf={({ index, uuid: id }) => id ?? index ?? ''}
                />
                <More pages={pages} shown={list.indices.length} total={list.total} next={list.next} />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
