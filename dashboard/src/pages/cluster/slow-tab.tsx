import type { Answer } from '../../api/client.js';
import { curlOf, useRead } from '../../api/use-read.js';
import { CopyButton } from '../../shared/copy-button.js';
import { absent, formatMillis, formatTimestamp, formatNumber, type Zone } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { More } from '../../shared/more.js';
import { Notice } from '../../shared/notice.js';
import { Table, type Column } from '../../shared/table.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { usePages } from '../../shared/use-pages.js';
import { laidOut } from './laid-out.js';

const path = '/api/v1/clusters/{cluster_uuid}/slow-operations';
type Answered = Answer<typeof path>;
type Operation = Answered['slow_operations'][number];

const columnsIn = (zone: Zone): readonly Column<Operation>[] => [
  { title: 'At', holds: 'name', cell: ({ at }) => <time>{formatTimestamp(at, zone)}</time> },
  { title: 'Took', isFigure: true, cell: ({ took_ms: ms }) => <strong>{formatMillis(ms)}</strong> },
  {
    title: 'Kind',
    holds: 'name',
    cell: ({ kind, phase }) => (phase === 'index' ? kind : `${kind}, ${phase}`),
  },
  { title: 'Index', holds: 'name', cell: ({ index, shard }) => `${index} [${shard ?? absent}]` },
  { title: 'Node', holds: 'name', cell: ({ node_name: node }) => node ?? absent },
  { title: 'Hits', isFigure: true, cell: ({ total_hits: hits }) => formatNumber(hits) },
  { title: 'What was asked', holds: 'text', cell: (operation) => <Query operation={operation} /> },
];

function Query({ operation }: { readonly operation: Operation }) {
  const { query, query_cut: isCut, withheld, source_bytes: bytes } = operation;
  if (withheld !== null) return <em>{`withheld: ${withheld}`}</em>;
  if (query === null) return bytes === null ? absent : `a document of ${bytes} bytes`;
  return (
    <details>
      <summary>
        <code>{query.length > 80 ? `${query.slice(0, 80)}…` : query}</code>
      </summary>
      <pre>{laidOut(query)}</pre>
      {isCut ? <p className="muted">The agent keeps the beginning of a query.</p> : null}
    </details>
  );
}

/** What the slow logs say, newest first; secrets were taken out on the host. */
export function SlowTab({ uuid }: { readonly uuid: string }) {
  const { range, zone } = useAddress();
  const pages = usePages();
  const options = { params: { cluster_uuid: uuid }, query: { limit: 100, cursor: pages.cursor }, range };
  const query = useRead(path, { ...options, everySeconds: 30 });
  return (
    <>
      <div className="field">
        <TimeRangePicker />
        <CopyButton label="Copy as curl" text={() => curlOf(path, options, Date.now())} />
      </div>
      <Loaded query={query} what="the slow operations">
        {(answer) =>
          answer.slow_operations.length === 0 ? (
            <WhyNone answer={answer} />
          ) : (
            <>
              {answer.notes.map((note) => (
                <p key={note} className="muted">
                  {note}
                </p>
              ))}
              <Table
                caption="Slow operations"
                columns={columnsIn(zone)}
                rows={answer.slow_operations}
                keyOf={({ id }) => id}
              />
              <More pages={pages} shown={answer.slow_operations.length} next={answer.next} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** An empty list may be of a fast cluster, of one that logs nothing, or of one whose logs nobody reads. */
function WhyNone({ answer: { thresholds, notice, notes } }: { readonly answer: Answered }) {
  if (thresholds.search === false && thresholds.indexing === false)
    return (
      <Notice kind="not-collected" title="No threshold is set, so the cluster logs nothing">
        <p>Telltale never sets one. To log searches that take longer than a second on an index:</p>
        <pre>{'PUT /<index>/_settings\n{ "index.search.slowlog.threshold.query.warn": "1s" }'}</pre>
      </Notice>
    );
  if (thresholds.search === null && thresholds.indexing === null)
    return (
      <Notice kind="unavailable" title="Whether thresholds are set could not be read">
        <p>{notice}</p>
      </Notice>
    );
  if (notes.length > 0)
    return (
      <Notice kind="not-collected" title="No slow operation has arrived, and the agents say why">
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </Notice>
    );
  return (
    <Notice kind="none-in-range" title="Nothing was slower than its threshold in this range">
      <p>Choose a longer range to look further back.</p>
    </Notice>
  );
}
