import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { FilterChoice } from '../../shared/choice.js';
import { Contained } from '../../shared/contained.js';
import { Exports } from '../../shared/exports.js';
import { fetched } from '../../shared/fetched.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { fitted } from './fitted.js';
import { seriesSql } from './sql.js';

const Chart = fetched('the chart', async () => (await import('../../shared/chart.js')).Chart);

const path = '/api/v1/events/series';
/** Nobody looks at more charts. */
const mostCharts = 12;
/** The API returns no more series. */
const mostSeries = 50;

/** One metric over time, a chart for each cluster. */
export function MetricSeries({ metric }: { readonly metric: string }) {
  const { get, range } = useAddress();
  const cluster = get('cluster');
  const options = { query: { metric, ...(cluster !== '' && { cluster }) }, range };
  const query = useRead(path, { ...options, everySeconds: 30 });
  // The choice lists every cluster, whichever is chosen.
  const all = useRead(path, { query: { metric }, range, everySeconds: 30 });
  const clusters = [...new Set((all.data?.series ?? []).map((one) => one.cluster))].filter(
    (name) => name !== '' && name !== cluster,
  );
  return (
    <>
      <nav aria-label="Where this is">
        <Link href="/events">Events</Link>
      </nav>
      <PageHeader
        title={metric}
        actions={
          <Exports
            what={`events of ${metric}`}
            query={query}
            path={path}
            options={options}
            rows={({ series }) =>
              series.flatMap(({ cluster: of, type, points }) =>
                points.map((point) => ({ cluster: of, type, ...point })),
              )
            }
            sql={({ step_seconds: step }, scope) => seriesSql({ metric, cluster }, step, scope)}
          />
        }
      />
      <div className="field">
        <TimeRangePicker />
        <FilterChoice
          label="Cluster"
          name="cluster"
          options={[...clusters, ...(cluster === '' ? [] : [cluster])].sort().map((name) => [name, name])}
          none="any"
        />
      </div>
      <Loaded query={query} what="the series">
        {(answer) =>
          answer.series.length === 0 ? (
            <Notice kind="none-in-range" title="No event of this metric came in this range">
              <p>
                Choose a longer range to look further back. There may also be no metric of this name:{' '}
                <Link href="/events">Events</Link> lists those of a range.
              </p>
            </Notice>
          ) : (
            <Charts answer={answer} />
          )
        }
      </Loaded>
    </>
  );
}

function Charts({ answer }: { readonly answer: Answer<typeof path> }) {
  const { series, step_seconds: step } = answer;
  return (
    <>
      {series.length <= mostCharts ? null : (
        <p className="muted">
          {series.length < mostSeries
            ? `${mostCharts} of ${series.length} series are drawn; the file has all.`
            : `The ${mostCharts} series with the most events are drawn, and the file has ${mostSeries}. There may be more: the SQL has all.`}
        </p>
      )}
      {series.slice(0, mostCharts).map(({ cluster, type, points }) => {
        const { lines, write, isBytes = false } = fitted(type);
        const names = lines.map(({ name }) => name).join(', ');
        return (
          <Contained key={`${cluster} ${type}`} what="the chart">
            <Chart
              label={`${cluster === '' ? 'No cluster' : cluster}: ${names} of each ${step / 60} min (${type})`}
              lines={lines.map(({ name, valueOf }) => ({
                name,
                samples: points.map((point) => ({ at: Date.parse(point.at), value: valueOf(point) })),
              }))}
              period={answer}
              stepMs={step * 1_000}
              gapLabel="no event"
              write={write}
              isBytes={isBytes}
            />
          </Contained>
        );
      })}
    </>
  );
}
