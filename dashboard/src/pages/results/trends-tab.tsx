import type { Answer } from '../../api/client.js';
import { curlOf, useRead } from '../../api/use-read.js';
import { FilterChoice } from '../../shared/choice.js';
import { Contained } from '../../shared/contained.js';
import { Exports, RowExports } from '../../shared/exports.js';
import { fetched } from '../../shared/fetched.js';
import { formatMillis, formatNumber, formatTimestamp, type Zone } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { compared, comparisons, earlier, samplesOf, shiftOf, type ComparedFigure } from './compared.js';
import { Filters, filterOf, isFiltered } from './filters.js';
import { NoneFound } from './none-found.js';
import { trendSql, type ResultFilter } from './sql.js';

const Chart = fetched('the chart', async () => (await import('../../shared/chart.js')).Chart);

const path = '/api/v1/results/trends';
type Trend = Answer<typeof path>;

/** One score over time, optionally compared with another period. */
export function TrendsTab() {
  const { get, range } = useAddress();
  const filter = filterOf(get);
  const options = { query: { ...filter }, range };
  const query = useRead(path, { ...options, everySeconds: 60 });
  return (
    <>
      <PageHeader
        title="Trends"
        about="One score over time. A period in which no result has it is a gap."
        actions={
          <Exports
            what={`trend of ${filter.score}`}
            query={query}
            path={path}
            options={options}
            rows={({ points }) => points}
            sql={({ step_seconds: step }, scope) => trendSql(filter, step, scope)}
          />
        }
      />
      <Filters isOfOneScore>
        <FilterChoice label="Compare with" name="compare" options={comparisons} none="nothing" />
      </Filters>
      <Loaded query={query} what="the trend">
        {(trend) =>
          trend.whole.scored > 0 ? (
            <Compared trend={trend} filter={filter} isCurrent={!query.isPlaceholderData} />
          ) : trend.whole.results > 0 ? (
            <NoneScored trend={trend} />
          ) : (
            <NoneFound isFiltered={isFiltered(filter)} />
          )
        }
      </Loaded>
    </>
  );
}

interface ComparedProps {
  readonly trend: Trend;
  readonly filter: ResultFilter;
  /** Whether the trend is for this filter, not still for the previous one. */
  readonly isCurrent: boolean;
}

/** The other period is the answer's, shifted: a range that follows the clock would differ at each read. */
function Compared({ trend, filter, isCurrent }: ComparedProps) {
  const { get, zone } = useAddress();
  const comparison = comparisons.find(([id]) => id === get('compare'));
  const shift = shiftOf(comparison?.[0] ?? 'before', trend);
  const options = { query: { ...filter }, range: earlier(trend, shift) };
  const other = useRead(path, { ...options, enabled: comparison !== undefined });
  if (comparison === undefined) return <Figures trend={trend} zone={zone} />;
  const [, name] = comparison;
  const areKnown = isCurrent && other.data !== undefined && !other.isPlaceholderData;
  const figures = areKnown ? compared(trend.whole, other.data.whole) : undefined;
  return (
    <>
      <div className="field">
        <span>{`Of ${name}`}</span>
        <Exports
          what={`trend of ${filter.score}, ${name}`}
          query={other}
          path={path}
          options={options}
          rows={({ points }) => points}
          sql={({ step_seconds: step }, scope) => trendSql(filter, step, scope)}
        />
        <span>Of both, compared</span>
        <RowExports
          what={`${filter.score}, compared with ${name}`}
          rows={figures && (() => figures.map((figure) => ({ ...figure })))}
          curl={() =>
            [earlier(trend, 0), options.range]
              .map((range) => curlOf(path, { ...options, range }, Date.now()))
              .join('\n')
          }
        />
      </div>
      <Loaded query={other} what={name}>
        {(before) => <Figures trend={trend} zone={zone} other={{ name, shift, trend: before }} />}
      </Loaded>
    </>
  );
}

interface FiguresProps {
  readonly trend: Trend;
  readonly zone: Zone;
  readonly other?: { readonly name: string; readonly shift: number; readonly trend: Trend };
}

const written = (value: number | null): string => formatNumber(value, 3);

function Figures({ trend, zone, other }: FiguresProps) {
  const { score, step_seconds: step } = trend;
  const lines = [
    { name: 'p95', samples: samplesOf(trend, 'p95') },
    { name: 'p50', samples: samplesOf(trend, 'p50') },
    { name: 'p05', samples: samplesOf(trend, 'p05') },
    ...(other === undefined
      ? []
      : [
          {
            name: `p50 of ${other.name}`,
            samples: samplesOf(other.trend, 'p50', other.shift),
            isOfOther: true,
          },
        ]),
  ];
  const columns: readonly Column<ComparedFigure>[] = [
    { title: 'Figure', cell: ({ figure }) => figure },
    { title: periodOf(trend, zone), isFigure: true, cell: ({ now }) => written(now) },
    ...(other === undefined
      ? []
      : [
          {
            title: periodOf(other.trend, zone),
            isFigure: true,
            cell: ({ before }: ComparedFigure) => written(before),
          },
          {
            title: 'Change',
            isFigure: true,
            cell: ({ change }: ComparedFigure) =>
              `${change !== null && change > 0 ? '+' : ''}${written(change)}`,
          },
        ]),
  ];
  return (
    <>
      <Contained what="the chart">
        <Chart
          label={`${score.replaceAll('_', ' ')}, of each ${formatMillis(step * 1_000)}`}
          lines={lines}
          period={trend}
          stepMs={step * 1_000}
          gapLabel="not scored"
          write={written}
        />
      </Contained>
      <Table
        caption="Figures of the period"
        columns={columns}
        rows={compared(trend.whole, other?.trend.whole)}
        keyOf={({ figure }) => figure}
      />
    </>
  );
}

const periodOf = ({ from, to }: Trend, zone: Zone): string =>
  `${formatTimestamp(from, zone).slice(0, 16)} to ${formatTimestamp(to, zone).slice(0, 16)}`;

function NoneScored({ trend: { whole, score } }: { readonly trend: Trend }) {
  return (
    <Notice
      kind="not-collected"
      title={`None of ${formatNumber(whole.results)} results has ${score.replaceAll('_', ' ')}`}
    >
      <p>
        It was not asked for, or could not be computed. <Link href="/control/scorers">Scorers</Link> says what
        each metric needs.
      </p>
    </Notice>
  );
}
