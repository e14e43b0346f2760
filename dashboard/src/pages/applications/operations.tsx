import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import {
  formatMillis,
  formatTimestamp,
  formatNumber,
  formatPercent,
  type Zone,
  zoneName,
} from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { operationsSql, slowestSql } from './sql.js';

const path = '/api/v1/applications/operations';
type Answered = Answer<typeof path>;

/** The operations of one application, and its slowest requests. */
export function Operations({ application }: { readonly application: string }) {
  const { range, zone } = useAddress();
  const options = { query: { application }, range };
  const query = useRead(path, { ...options, everySeconds: 30 });
  return (
    <>
      <nav aria-label="Where this is">
        <Link href="/applications">Applications</Link>
      </nav>
      <PageHeader
        title={application}
        actions={
          <Exports
            what={`operations of ${application}`}
            query={query}
            path={path}
            options={options}
            rows={({ operations }) => operations}
            sql={(_, scope) => operationsSql(application, scope)}
          />
        }
      />
      <div className="field">
        <TimeRangePicker />
      </div>
      <Loaded query={query} what="the operations">
        {({ operations, cut, slowest }) =>
          operations.length === 0 ? (
            <NoRequests />
          ) : (
            <>
              <OperationTable application={application} operations={operations} cut={cut} />
              <div className="field">
                <h2>Slowest requests</h2>
                <Exports
                  what={`slowest requests of ${application}`}
                  query={query}
                  path={path}
                  options={options}
                  rows={(answer) => answer.slowest}
                  sql={(_, scope) => slowestSql(application, scope)}
                />
              </div>
              <Table
                caption="Slowest requests"
                columns={slowestColumns(zone)}
                rows={slowest}
                keyOf={({ trace_id: trace, span_id: span }) => `${trace}-${span}`}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function NoRequests() {
  return (
    <Notice kind="none-in-range" title="It answered no request in this range">
      <p>
        Choose a longer range to look further back. There may also be no application of this name:{' '}
        <Link href="/applications">Applications</Link> lists those of a range.
      </p>
    </Notice>
  );
}

function OperationTable({
  application,
  operations,
  cut,
}: Pick<Answered, 'operations' | 'cut'> & { readonly application: string }) {
  return (
    <>
      <h2>Operations</h2>
      <Table
        caption="Operations"
        columns={operationColumns(application)}
        rows={operations}
        keyOf={({ service, operation }) => `${service} ${operation}`}
      />
      {cut ? (
        <p className="muted">{`The ${operations.length} with the most requests: there are more.`}</p>
      ) : null}
    </>
  );
}

const nameOf = (operation: string): string => (operation === '' ? '(no name)' : operation);

const operationColumns = (application: string): readonly Column<Answered['operations'][number]>[] => [
  {
    title: 'Operation',
    cell: ({ operation }) =>
      // The API can't filter by an empty name.
      operation === '' ? (
        nameOf(operation)
      ) : (
        <Link
          href={`/traces?${new URLSearchParams({ spans: 'entries', application, operation }).toString()}`}
        >
          {nameOf(operation)}
        </Link>
      ),
  },
  { title: 'Service', cell: ({ service }) => service },
  { title: 'Requests', isFigure: true, cell: ({ requests }) => formatNumber(requests) },
  { title: 'Errors', isFigure: true, cell: ({ errors, requests }) => formatPercent(errors / requests, 1) },
  { title: 'p50', isFigure: true, cell: ({ p50_ms: ms }) => formatMillis(ms) },
  { title: 'p95', isFigure: true, cell: ({ p95_ms: ms }) => formatMillis(ms) },
  { title: 'p99', isFigure: true, cell: ({ p99_ms: ms }) => formatMillis(ms) },
];

const slowestColumns = (zone: Zone): readonly Column<Answered['slowest'][number]>[] => [
  {
    title: `Began (${zoneName(zone)})`,
    cell: ({ start }) => <time className="nowrap">{formatTimestamp(start, zone)}</time>,
  },
  {
    title: 'Operation',
    cell: ({ trace_id: trace, span_id: span, operation }) => (
      <Link href={`/traces/${trace}?span=${span}`}>{nameOf(operation)}</Link>
    ),
  },
  {
    title: 'Status',
    cell: ({ status }) => (status === 'error' ? <StatusMark status="bad" word="error" /> : null),
  },
  { title: 'Took', isFigure: true, cell: ({ duration_ms: ms }) => <strong>{formatMillis(ms)}</strong> },
];
