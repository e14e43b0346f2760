import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatTimestamp, formatNumber, zoneName, type Zone } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { More } from '../../shared/more.js';
import { NoneInRange } from '../../shared/none-in-range.js';
import { PageHeader } from '../../shared/page-header.js';
import { Table, type Column } from '../../shared/table.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { usePages } from '../../shared/use-pages.js';
import { fitted } from './fitted.js';
import { MetricSeries } from './metric-series.js';
import { metricsSql } from './sql.js';

const path = '/api/v1/events';
type Metric = Answer<typeof path>['metrics'][number];

/** The metrics of custom events. If the address names one: its series. */
export function EventsPage() {
  const { get } = useAddress();
  const metric = get('metric');
  return metric === '' ? <AllMetrics /> : <MetricSeries metric={metric} />;
}

function AllMetrics() {
  const { range, zone } = useAddress();
  const pages = usePages();
  const options = { query: { cursor: pages.cursor, limit: 200 }, range };
  const query = useRead(path, { ...options, everySeconds: 30 });
  return (
    <>
      <PageHeader
        title="Events"
        about="The metrics that applications send, with what each had in the range."
        actions={
          <Exports
            what="events"
            query={query}
            path={path}
            options={options}
            rows={({ metrics }) => metrics}
            sql={(_, scope) => metricsSql(scope)}
          />
        }
      />
      <div className="field">
        <TimeRangePicker />
      </div>
      <Loaded query={query} what="the events">
        {({ metrics, next }) =>
          metrics.length === 0 ? (
            <NoneInRange of="events" title="No event came in this range" />
          ) : (
            <>
              <Table
                caption="Metrics"
                columns={columnsIn(zone)}
                rows={metrics}
                keyOf={({ metric, type }) => `${metric} ${type}`}
              />
              <More pages={pages} shown={metrics.length} next={next} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

const columnsIn = (zone: Zone): readonly Column<Metric>[] => [
  {
    title: 'Metric',
    cell: ({ metric }) => (
      <Link href={`/events?${new URLSearchParams({ metric }).toString()}`}>{metric}</Link>
    ),
  },
  { title: 'Type', cell: ({ type }) => type },
  {
    title: 'In the range',
    isFigure: true,
    cell: (metric) => {
      const {
        lines: [{ name, valueOf }],
        write,
      } = fitted(metric.type);
      return `${name} ${write(valueOf(metric))}`;
    },
  },
  { title: 'Events', isFigure: true, cell: ({ events }) => formatNumber(events) },
  { title: 'Clusters', isFigure: true, cell: ({ clusters }) => formatNumber(clusters) },
  {
    title: `Latest (${zoneName(zone)})`,
    cell: ({ latest_minute: at }) => <time className="nowrap">{formatTimestamp(at, zone)}</time>,
  },
];
