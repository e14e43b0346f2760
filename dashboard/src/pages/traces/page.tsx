import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Choice, FilterChoice } from '../../shared/choice.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatMillis, formatTimestamp, zoneName, type Zone } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { mistakeInAttribute, mistakeInMilliseconds, unlessMistaken } from '../../shared/mistakes.js';
import { More } from '../../shared/more.js';
import { NoneInRange } from '../../shared/none-in-range.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { SearchField } from '../../shared/search-field.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { usePages } from '../../shared/use-pages.js';
import { useWalkedList } from '../../shared/walked-list.js';
import { HeatMap } from './heat-map.js';
import { sqlOf } from './sql.js';

const path = '/api/v1/traces';
type Found = Answer<typeof path>['spans'][number];

const spanChoices = [
  ['roots', 'the first of each trace'],
  ['entries', 'calls of applications'],
  ['all', 'all'],
] as const;

/** The spans that a search finds, newest first, each with a link to its trace. */
export function TracesPage() {
  const { range, zone } = useAddress();
  const pages = usePages();
  const filter = useFilter();
  const options = { query: { ...filter, cursor: pages.cursor, limit: 100 }, range };
  const query = useRead(path, { ...options, ...(pages.isFirst && { everySeconds: 10 }) });
  useWalkedList('/traces', (query.data?.spans ?? []).map(hrefOf), query.data?.next);
  return (
    <>
      <PageHeader
        title="Traces"
        about="Requests and the work behind them, newest first."
        actions={
          <Exports
            what="traces"
            query={query}
            path={path}
            options={options}
            rows={({ spans }) => spans}
            sql={(_, scope) => sqlOf(filter, scope)}
          />
        }
      />
      <FilterFields filter={filter} />
      <HeatMap filter={filter} />
      <Loaded query={query} what="the traces">
        {({ spans, next }) =>
          spans.length === 0 ? (
            <WhyNone
              isFiltered={Object.entries(filter).some(([name, of]) => name !== 'spans' && of !== '')}
            />
          ) : (
            <>
              <Table
                caption="Traces"
                columns={columnsIn(zone)}
                rows={spans}
                keyOf={({ trace_id: trace, span_id: span }) => `${trace}-${span}`}
              />
              <More pages={pages} shown={spans.length} next={next} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** The search that the address contains; invalid values are ignored. */
function useFilter() {
  const { get } = useAddress();
  return {
    spans: get('spans') === '' ? 'roots' : get('spans'),
    application: get('application'),
    operation: get('operation'),
    status: get('status'),
    attribute: unlessMistaken(get('attribute'), mistakeInAttribute),
    min_ms: unlessMistaken(get('min_ms'), mistakeInMilliseconds),
    max_ms: unlessMistaken(get('max_ms'), mistakeInMilliseconds),
  };
}

function FilterFields({ filter }: { readonly filter: ReturnType<typeof useFilter> }) {
  const { set } = useAddress();
  return (
    <div className="field">
      <TimeRangePicker />
      <Choice
        label="Spans"
        value={filter.spans}
        options={spanChoices}
        choose={(spans) => set({ spans: spans === 'roots' ? '' : spans })}
      />
      <SearchField label="Application (whole name)" name="application" />
      <SearchField label="Operation (whole name)" name="operation" />
      <SearchField label="Attribute (key=value)" name="attribute" mistakeIn={mistakeInAttribute} />
      <SearchField label="At least (ms)" name="min_ms" mistakeIn={mistakeInMilliseconds} />
      <SearchField label="At most (ms)" name="max_ms" mistakeIn={mistakeInMilliseconds} />
      <FilterChoice
        label="Status"
        name="status"
        options={[
          ['error', 'error'],
          ['ok', 'not failed'],
        ]}
        none="any"
      />
    </div>
  );
}

const hrefOf = ({ trace_id: trace, span_id: span }: Found): string => `/traces/${trace}?span=${span}`;

const columnsIn = (zone: Zone): readonly Column<Found>[] => [
  {
    title: `Began (${zoneName(zone)})`,
    cell: ({ start }) => <time className="nowrap">{formatTimestamp(start, zone)}</time>,
  },
  {
    title: 'Operation',
    cell: (found) => (
      <Link href={hrefOf(found)}>{found.operation === '' ? '(no name)' : found.operation}</Link>
    ),
  },
  { title: 'Application', cell: ({ application }) => (application === '' ? absent : application) },
  { title: 'Service', cell: ({ service }) => (service === '' ? absent : service) },
  { title: 'Kind', cell: ({ kind }) => kind },
  {
    title: 'Status',
    cell: ({ status }) =>
      status === 'unset' ? absent : <StatusMark status={status === 'error' ? 'bad' : 'ok'} word={status} />,
  },
  { title: 'Took', isFigure: true, cell: ({ duration_ms: ms }) => <strong>{formatMillis(ms)}</strong> },
];

function WhyNone({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Notice kind="filtered-out" title="No trace of this range fits the filter">
        <p>
          Change the filter, or choose a longer range. Application and operation are whole names. The filter
          looks at the spans that are chosen: “all” finds operations and attributes deep in a trace, too.
        </p>
      </Notice>
    );
  return (
    <NoneInRange of="traces" title="No trace began in this range">
      <p>If a trace begins in another system, look at “calls of applications”.</p>
    </NoneInRange>
  );
}
