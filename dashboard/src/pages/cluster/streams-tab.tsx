import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatAgo, formatBytes, formatNumber, formatTimestamp } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { More } from '../../shared/more.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { useNow } from '../../shared/use-now.js';
import { usePages } from '../../shared/use-pages.js';
import { streamsSql } from './list-sql.js';
import { SectionRows } from './section-note.js';

const path = '/api/v1/clusters/{cluster_uuid}/data-streams';
type Stream = Answer<typeof path>['data_streams'][number];

/** The data streams, the largest first. If a stream's newest document is old, writing might have stopped. */
export function StreamsTab({ uuid }: { readonly uuid: string }) {
  const pages = usePages();
  const options = { params: { cluster_uuid: uuid }, query: { limit: 100, cursor: pages.cursor } };
  const query = useRead(path, { ...options, everySeconds: 60 });
  const columns = useColumns();
  return (
    <section className="stack">
      <h2>Data streams</h2>
      <div className="field">
        <Exports
          what="data streams"
          query={query}
          path={path}
          options={options}
          rows={(list) => list.data_streams}
          sql={({ as_of: at }, scope) => streamsSql({ uuid, at }, scope)}
        />
      </div>
      <Loaded query={query} what="the data streams">
        {(list) => (
          <SectionRows
            what="data streams"
            list={list}
            count={list.data_streams.length}
            none="None: the cluster has no data stream."
          >
            <Table
              caption="Data streams"
              columns={columns}
              rows={list.data_streams}
              keyOf={({ data_stream: name }) => name}
            />
            <More pages={pages} shown={list.data_streams.length} total={list.total} next={list.next} />
          </SectionRows>
        )}
      </Loaded>
    </section>
  );
}

function useColumns(): readonly Column<Stream>[] {
  const { zone } = useAddress();
  const now = useNow(30);
  return [
    { title: 'Data stream', holds: 'name', cell: ({ data_stream: name }) => <strong>{name}</strong> },
    { title: 'Size', isFigure: true, cell: ({ store_bytes: bytes }) => formatBytes(bytes) },
    {
      title: 'Backing indices',
      isFigure: true,
      cell: ({ backing_indices: count }) => formatNumber(count),
    },
    {
      title: 'Newest document',
      holds: 'name',
      cell: ({ newest_document_at: at }) =>
        at === null ? absent : `${formatTimestamp(at, zone)}, ${formatAgo(at, now)}`,
    },
  ];
}
