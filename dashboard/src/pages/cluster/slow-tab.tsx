import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Button } from '../../shared/button.js';
import { Choice, FilterChoice } from '../../shared/choice.js';
import { Exports } from '../../shared/exports.js';
import { Loaded } from '../../shared/loaded.js';
import { mistakeInWholeMilliseconds, unlessMistaken } from '../../shared/mistakes.js';
import { More } from '../../shared/more.js';
import { Notice } from '../../shared/notice.js';
import { SearchField } from '../../shared/search-field.js';
import { Table } from '../../shared/table.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress, type Address } from '../../shared/use-address.js';
import { usePages, type Pages } from '../../shared/use-pages.js';
import { LinkedOperation, operationColumns } from './slow-operation.js';
import { slowRow } from './slow-row.js';
import { SlowSummary } from './slow-summary.js';
import { slowSql, type SlowFilter } from './sql.js';
import { WhyNoneSlow } from './why-none-slow.js';

const path = '/api/v1/clusters/{cluster_uuid}/slow-operations';
type Answered = Answer<typeof path>;

/** The entries of the slow logs, by the shape of the query and one by one; secrets were redacted on the host. */
export function SlowTab({ uuid }: { readonly uuid: string }) {
  const { range, get } = useAddress();
  const pages = usePages();
  const filter = filterOf(get);
  const listed = { ...filter, sort: get('sort'), limit: 100, cursor: pages.cursor };
  const options = { params: { cluster_uuid: uuid }, query: listed, range };
  const query = useRead(path, { ...options, everySeconds: 30 });
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const exports = (
    <Exports
      what="slow operations"
      query={query}
      path={path}
      options={options}
      rows={(list) => list.slow_operations.map(slowRow)}
      sql={(_, scope) => slowSql(uuid, filter, get('sort'), scope)}
    />
  );
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
              <Found {...{ answer, uuid, filter, pages, exports }} />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const filterOf = (get: Address['get']): SlowFilter => ({
  index: get('index'),
  node: get('node'),
  kind: get('kind'),
  min_took_ms: unlessMistaken(get('min_took_ms'), mistakeInWholeMilliseconds),
  shape: get('shape'),
});

const isLogged = ({ thresholds: { search, indexing } }: Answered): boolean =>
  search === true || indexing === true;

interface NoneProps {
  readonly answer: Answered;
  readonly uuid: string;
  readonly filter: SlowFilter;
}

/** If a threshold is set, the chart distinguishes times without slow operations from times without data. */
function None({ answer, uuid, filter }: NoneProps) {
  return (
    <>
      <WhyNoneSlow answer={answer} />
      {isLogged(answer) ? <SlowSummary uuid={uuid} filter={filter} /> : null}
    </>
  );
}

interface FoundProps extends NoneProps {
  readonly pages: Pages;
  readonly exports: ReactNode;
}

/** The operations that match the filters: over time, by shape, and one by one. */
function Found({ answer, uuid, filter, pages, exports }: FoundProps) {
  const { zone } = useAddress();
  const { notes, slow_operations: operations, next } = answer;
  return (
    <>
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      <SlowSummary uuid={uuid} filter={filter} />
      <div className="field">
        <h2>One by one</h2>
        {exports}
      </div>
      {operations.length === 0 ? (
        <NoneFits answer={answer} />
      ) : (
        <Table
          caption="Slow operations"
          columns={operationColumns(zone, uuid)}
          rows={operations}
          keyOf={({ id }) => id}
        />
      )}
      <More pages={pages} shown={operations.length} next={next} />
    </>
  );
}

function NoneFits({ answer }: Pick<NoneProps, 'answer'>) {
  return (
    <>
      <Notice kind="filtered-out" title="No slow operation fits these filters">
        <p>Index and node are whole names. Remove a filter, or choose a longer range.</p>
      </Notice>
      {isLogged(answer) ? null : <WhyNoneSlow answer={answer} />}
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
      <FilterChoice label="First" name="sort" options={['slowest']} none="newest" />
      {/* Outside the list of shapes, which can be empty with this filter. */}
      {get('shape') === '' ? null : <Button onClick={() => set({ shape: '' })}>Show every shape</Button>}
    </div>
  );
}
