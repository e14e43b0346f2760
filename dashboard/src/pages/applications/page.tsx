import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatMillis, formatNumber, formatPercent } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { NoneInRange } from '../../shared/none-in-range.js';
import { PageHeader } from '../../shared/page-header.js';
import { isUnfinished } from '../../shared/series.js';
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

/** The performance of each application. If the address names one: its operations and slowest requests. */
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
                columns={columnsOf(answer, range.kind === 'last')}
                rows={answer.applications}
                keyOf={({ application }) => application}
              />
              {answer.cut ? (
                <p className="muted">{`The ${answer.applications.length} with the most requests: there are more.`}</p>
              ) : null}
              <Calls range={range} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** The figures for a CSV file, without the sparkline. */
const figuresOf = ({ application, requests, errors, per_second, p50_ms, p95_ms, p99_ms }: Application) => ({
  ...{ application, requests, errors, per_second, p50_ms, p95_ms, p99_ms },
});

const columnsOf = (answer: Applications, isOngoing: boolean): readonly Column<Application>[] => [
  {
    title: 'Application',
    cell: ({ application }) =>
      application === '' ? (
        '(no name)'
      ) : (
        <Link href={`/applications?${new URLSearchParams({ application }).toString()}`}>{application}</Link>
      ),
  },
  { title: 'Requests', isFigure: true, cell: ({ requests }) => formatNumber(requests) },
  trendColumn('Each second', answer, isOngoing, {
    about: 'Requests each second',
    write: (rate) => formatNumber(rate, 3),
    valueOf: ({ per_second: rate }) => rate,
  }),
  trendColumn('Errors', answer, isOngoing, {
    about: 'Errors',
    write: (share) => formatPercent(share, 1),
    valueOf: ({ errors, requests }) => errors / requests,
  }),
  ...(['p50', 'p95', 'p99'] as const).map((name) =>
    trendColumn(name, answer, isOngoing, {
      about: name,
      write: formatMillis,
      valueOf: (of) => of[`${name}_ms`],
    }),
  ),
];

interface Trend {
  /** What the sparkline shows. */
  readonly about: string;
  readonly write: (value: number) => string;
  /** The figure's value, for the whole range or a part of it. */
  readonly valueOf: (figures: Omit<Application['series'][number], 'at'>) => number;
}

/** A column with a figure for the whole range, and its sparkline over time. */
function trendColumn(
  title: string,
  answer: Applications,
  isOngoing: boolean,
  { about, write, valueOf }: Trend,
): Column<Application> {
  const { from, to, step_seconds: step } = answer;
  const end = Math.ceil(Date.parse(to) / (step * 1_000)) * step * 1_000;
  const isLastUnfinished = isUnfinished(end, { from, to, isOngoing });
  return {
    title,
    isFigure: true,
    cell: (application) => (
      <>
        {write(valueOf(application))}
        <Sparkline
          label={about}
          write={write}
          values={spread(application.series, answer, valueOf)}
          isLastUnfinished={isLastUnfinished}
        />
      </>
    ),
  };
}
