import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Choice } from '../../shared/choice.js';
import { Exports } from '../../shared/exports.js';
import {
  absent,
  formatMillis,
  formatTimestamp,
  formatNumber,
  zoneName,
  type Zone,
} from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { mistakeInWholeMilliseconds, unlessMistaken } from '../../shared/mistakes.js';
import { More } from '../../shared/more.js';
import { Notice } from '../../shared/notice.js';
import { SearchField } from '../../shared/search-field.js';
import { Table, type Column } from '../../shared/table.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { usePages } from '../../shared/use-pages.js';
import { laidOut } from './laid-out.js';
import { SlowSummary } from './slow-summary.js';
import { slowSql, type SlowFilter } from './sql.js';
import { WhyNoneSlow } from './why-none-slow.js';
import { CodeBlock } from '../../shared/code-block.js';

const path = '/api/v1/clusters/{cluster_uuid}/slow-operations';
type Answered = Answer<typeof path>;
type Operation = Answered['slow_operations'][number];

const columnsIn = (zone: Zone): readonly Column<Operation>[] => [
  {
    title: `At (${zoneName(zone)})`,
    holds: 'name',
    cell: ({ at }) => <time>{formatTimestamp(at, zone)}</time>,
  },
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
  const { id, query, query_cut: isCut, withheld, source_bytes: bytes } = operation;
  const { get, set } = useAddress();
  const isOpen = get('operation') === id;
  if (withheld !== null) return <em>{`withheld: ${withheld}`}</em>;
  if (query === null) return bytes === null ? absent : `a document of ${bytes} bytes`;
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) set({ operation: open ? id : '' }, { replace: true });
      }}
    >
      <summary>
        <code>{query.length > 80 ? `${query.slice(0, 80)}…` : query}</code>
      </summary>
      <CodeBlock label="Query">{laidOut(query)}</CodeBlock>
      {isCut ? <p className="muted">The agent keeps the beginning of a query.</p> : null}
    </details>
  );
}

/** The entries of the slow logs, by the shape of the query and one by one; secrets were redacted on the host. */
export function SlowTab({ uuid }: { readonly uuid: string }) {
  const { range, zone, get } = useAddress();
  const pages = usePages();
  const filter = {
    index: get('index'),
    node: get('node'),
    kind: get('kind'),
    min_took_ms: unlessMistaken(get('min_took_ms'), mistakeInWholeMilliseconds),
    shape: get('shape'),
  };
  const listed = { ...filter, sort: get('sort'), limit: 100, cursor: pages.cursor };
  const options = { params: { cluster_uuid: uuid }, query: listed, range };
  const query = useRead(path, { ...options, everySeconds: 30 });
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <>
      <Filters kind={filter.kind} />
      <div className="field">
        <TimeRangePicker />
      </div>
      <Loaded query={query} what="the slow operations">
        {(answer) =>
          answer.slow_operations.length === 0 && !isFiltered ? (
            <None answer={answer} uuid={uuid} filter={filter} />
          ) : (
            <>
              {answer.notes.map((note) => (
                <p key={note} className="muted">
                  {note}
                </p>
              ))}
              <SlowSummary uuid={uuid} filter={filter} />
              <div className="field">
                <h2>One by one</h2>
                <Exports
                  what="slow operations"
                  query={query}
                  path={path}
                  options={options}
                  rows={(list) => list.slow_operations.map(flat)}
                  sql={(_, scope) => slowSql(uuid, filter, get('sort'), scope)}
                />
              </div>
              {answer.slow_operations.length === 0 ? (
                <>
                  <Notice kind="filtered-out" title="No slow operation fits these filters">
                    <p>Index and node are whole names. Take a filter back, or choose a longer range.</p>
                  </Notice>
                  {isLogged(answer) ? null : <WhyNoneSlow answer={answer} />}
                </>
              ) : (
                <Table
                  caption="Slow operations"
                  columns={columnsIn(zone)}
                  rows={answer.slow_operations}
                  keyOf={({ id }) => id}
                />
              )}
              <More pages={pages} shown={answer.slow_operations.length} next={answer.next} />
              <Missing operations={answer.slow_operations} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** An address that names an operation which is not listed. */
function Missing({ operations }: { readonly operations: readonly Operation[] }) {
  const wanted = useAddress().get('operation');
  if (wanted === '' || operations.some(({ id }) => id === wanted)) return null;
  return (
    <Notice kind="filtered-out" title="The operation of this address is not listed">
      <p>
        It is <code>{wanted}</code>. Choose the range in which it came, or take a filter back.
      </p>
    </Notice>
  );
}

const isLogged = ({ thresholds: { search, indexing } }: Answered): boolean =>
  search === true || indexing === true;

interface NoneProps {
  readonly answer: Answered;
  readonly uuid: string;
  readonly filter: SlowFilter;
}

/** Where a threshold is set, the chart tells a stretch without slow operations from one of which nothing is known. */
function None({ answer, uuid, filter }: NoneProps) {
  return (
    <>
      <WhyNoneSlow answer={answer} />
      {isLogged(answer) ? <SlowSummary uuid={uuid} filter={filter} /> : null}
    </>
  );
}

function Filters({ kind }: { readonly kind: string }) {
  const { get, set } = useAddress();
  return (
    <div className="field">
      <SearchField label="Index (whole name)" name="index" />
      <SearchField label="Node (whole name)" name="node" />
      <Choice
        label="Kind"
        value={kind}
        options={['search', 'indexing']}
        choose={(text) => set({ kind: text })}
        none="any"
      />
      <SearchField label="At least (ms)" name="min_took_ms" mistakeIn={mistakeInWholeMilliseconds} />
      <Choice
        label="First"
        value={get('sort')}
        options={['slowest']}
        choose={(sort) => set({ sort })}
        none="newest"
      />
    </div>
  );
}

const flat = ({ at, took_ms, kind, phase, index, shard, node_name, total_hits, query }: Operation) => ({
  ...{ at, took_ms, kind, phase, index, shard, node_name, total_hits, query },
});
