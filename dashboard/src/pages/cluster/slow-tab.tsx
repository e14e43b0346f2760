import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Choice } from '../../shared/choice.js';
import { Exports } from '../../shared/exports.js';
import { Loaded } from '../../shared/loaded.js';
import { mistakeInWholeMilliseconds, unlessMistaken } from '../../shared/mistakes.js';
import { More } from '../../shared/more.js';
import { Notice } from '../../shared/notice.js';
import { SearchField } from '../../shared/search-field.js';
import { Table } from '../../shared/table.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { usePages } from '../../shared/use-pages.js';
import { LinkedOperation, operationColumns, type SlowOperation } from './slow-operation.js';
import { SlowSummary } from './slow-summary.js';
import { slowSql, type SlowFilter } from './sql.js';
import { WhyNoneSlow } from './why-none-slow.js';

const path = '/api/v1/clusters/{cluster_uuid}/slow-operations';
type Answered = Answer<typeof path>;

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
        {(answer) => (
          <>
            <LinkedOperation uuid={uuid} listed={answer.slow_operations} />
            {answer.slow_operations.length === 0 && !isFiltered ? (
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
                    columns={operationColumns(zone)}
                    rows={answer.slow_operations}
                    keyOf={({ id }) => id}
                  />
                )}
                <More pages={pages} shown={answer.slow_operations.length} next={answer.next} />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
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

const flat = ({ at, took_ms, kind, phase, index, shard, node_name, ...asked }: SlowOperation) => ({
  ...{ at, took_ms, kind, phase, index, shard, node_name },
  ...{ total_hits: asked.total_hits, query: asked.query, query_cut: asked.query_cut },
  ...{ withheld: asked.withheld, source_bytes: asked.source_bytes },
});
