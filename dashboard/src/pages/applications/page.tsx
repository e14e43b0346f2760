import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatMillis, formatNumber, formatPercent } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { NoneInRange } from '../../shared/none-in-range.js';
import { PageHeader } from '../../shared/page-header.js';
import { Sparkline } from '../../shared/sparkline.js';
import { spread } from '../../shared/sparkline-paths.js';
import { Table, type Column } from '../../shared/table.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { Calls } from './calls.js';
import { Operations } from './operations.js';
import { applicationsSql } from './sql.js';

const path = '/api/v1/applications';
type Applications = Answer<typeof path>;
type Application = Applications['applications'][number];

/** The performance of each application; with one in the address, its operations and slowest requests. */
export function ApplicationsPage() {
  const { get } = useAddress();
  const application = get('application');
  return application === '' ? <AllApplications /> : <Operations application={application} />;
}

function AllApplications() {
  const { range } = useAddress();
  const query = useRead(path, { range, everySeconds: 30 });
  return (
    <>
      <PageHeader
        title="Applications"
        about="By the requests that each one answered: first spans of traces, and spans of kind server or consumer."
        actions={
          <Exports
            what="applications"
            query={query}
            path={path}
            options={{ range }}
            rows={({ applications }) => applications.map(figuresOf)}
            sql={(_, scope) => applicationsSql(scope)}
          />
        }
      />
      <div className="field">
        <TimeRangePicker />
      </div>
      <Loaded query={query} what="the applications">
        {(answer) =>
          answer.applications.length === 0 ? (
            <NoneInRange of="traces" title="No application answered a request in this range" />
          ) : (
            <>
              <Table
                caption="Applications"
                columns={columnsOf(answer)}
                rows={answer.applications}
                keyOf={({ application }) => application}
              />
              <Calls range={range} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** The figures for a file, without the sparkline. */
const figuresOf = ({ application, requests, errors, per_second, p50_ms, p95_ms, p99_ms }: Application) => ({
  ...{ application, requests, errors, per_second, p50_ms, p95_ms, p99_ms },
});

const columnsOf = (answer: Applications): readonly Column<Application>[] => [
  {
    title: 'Application',
    cell: ({ application }) => (
      <Link href={`/applications?${new URLSearchParams({ application }).toString()}`}>
        {application === '' ? '(no name)' : application}
      </Link>
    ),
  },
  { title: 'Requests', isFigure: true, cell: ({ requests }) => formatNumber(requests) },
  { title: 'Each second', isFigure: true, cell: ({ per_second: rate }) => formatNumber(rate, 3) },
  {
    title: 'Trend',
    cell: ({ series }) => (
      <Sparkline label="Requests" values={spread(series, answer, ({ requests }) => requests)} />
    ),
  },
  { title: 'Errors', isFigure: true, cell: ({ errors, requests }) => formatPercent(errors / requests, 1) },
  {
    title: 'Error trend',
    cell: ({ series }) => (
      <Sparkline label="Errors" values={spread(series, answer, ({ errors }) => errors)} />
    ),
  },
  { title: 'p50', isFigure: true, cell: ({ p50_ms: ms }) => formatMillis(ms) },
  { title: 'p95', isFigure: true, cell: ({ p95_ms: ms }) => formatMillis(ms) },
  { title: 'p99', isFigure: true, cell: ({ p99_ms: ms }) => formatMillis(ms) },
  {
    title: 'p95 trend',
    cell: ({ series }) => (
      <Sparkline label="p95 in ms" values={spread(series, answer, ({ p95_ms: ms }) => ms)} />
    ),
  },
];
