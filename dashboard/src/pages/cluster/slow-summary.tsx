import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Button } from '../../shared/button.js';
import { Contained } from '../../shared/contained.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatMillis, formatNumber } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { shapesSql, slowCountsSql, type SlowFilter } from './sql.js';
import { CodeBlock } from '../../shared/code-block.js';
import { fetched } from '../../shared/fetched.js';

const Chart = fetched('the chart', async () => (await import('../../shared/chart.js')).Chart);

const path = '/api/v1/clusters/{cluster_uuid}/slow-operations/summary';
type Summary = Answer<typeof path>;
type Group = Summary['groups'][number];

const kinds = ['search', 'indexing'] as const;
type Kind = (typeof kinds)[number];

/** Slow operations over time, and the queries that recur: the costliest first. */
export function SlowSummary({ uuid, filter }: { readonly uuid: string; readonly filter: SlowFilter }) {
  const { range, get, set } = useAddress();
  const options = { params: { cluster_uuid: uuid }, query: { ...filter }, range };
  const query = useRead(path, { ...options, everySeconds: 60 });
  const chosen = get('shape');
  const drawn = kinds.filter((kind) => filter.kind === '' || filter.kind === kind);
  const columns = columnsWith(chosen, (shape) => set({ shape }));
  return (
    <Loaded query={query} what="the summary">
      {({ from, to, groups, points, total, step_seconds: step }) => (
        <>
          <div className="field">
            <h2>How many, and when</h2>
            <Exports
              what="number of slow operations"
              query={query}
              path={path}
              options={options}
              rows={(of) => of.points}
              sql={(of, scope) => slowCountsSql(uuid, filter, of.step_seconds, scope)}
            />
          </div>
          <Contained what="the chart">
            <Chart
              label={`Slow operations of each ${step / 60} min`}
              lines={drawn.map((kind) => ({
                name: kind,
                samples: points.map((point) => ({ at: Date.parse(point.at), value: point[kind] })),
              }))}
              period={{ from, to }}
              stepMs={step * 1_000}
              gapLabel="not collected"
            />
          </Contained>
          <GapReasons kinds={drawn} points={points} />
          {groups.length === 0 ? null : (
            <>
              <div className="field">
                <h2>By what was asked</h2>
                <Exports
                  what="shapes of slow operations"
                  query={query}
                  path={path}
                  options={options}
                  rows={(of) => of.groups.map(flat)}
                  sql={(_, scope) => shapesSql(uuid, filter, scope)}
                />
              </div>
              <Table caption="Shapes of slow operations" columns={columns} rows={groups} keyOf={keyOf} />
            </>
          )}
          {total > groups.length ? (
            <p className="muted">{`The ${groups.length} costliest of ${total}.`}</p>
          ) : null}
        </>
      )}
    </Loaded>
  );
}

/** For each kind, the reason of its newest gap. */
function GapReasons({
  kinds: drawn,
  points,
}: {
  readonly kinds: readonly Kind[];
  readonly points: Summary['points'];
}) {
  const reasons = drawn.flatMap((kind) => {
    const reason = points.findLast((point) => point[`${kind}_gap`] !== null)?.[`${kind}_gap`] ?? '';
    return reason === '' ? [] : [{ kind, reason }];
  });
  return reasons.map(({ kind, reason }) => (
    <p
      key={kind}
      className="muted"
    >{`A gap in the line of ${kind} means that operations were not counted: ${reason}`}</p>
  ));
}

const flat = ({ indices, ...group }: Group) => ({ ...group, indices: indices.join(', ') });

const keyOf = ({ fingerprint }: Group): string => fingerprint;

const columnsWith = (chosen: string, choose: (shape: string) => void): readonly Column<Group>[] => [
  { title: 'Total time', isFigure: true, cell: ({ sum_ms: ms }) => <strong>{formatMillis(ms)}</strong> },
  { title: 'Count', isFigure: true, cell: ({ count }) => formatNumber(count) },
  { title: 'Median', isFigure: true, cell: ({ p50_ms: ms }) => formatMillis(ms) },
  { title: 'p95', isFigure: true, cell: ({ p95_ms: ms }) => formatMillis(ms) },
  { title: 'Slowest', isFigure: true, cell: ({ max_ms: ms }) => formatMillis(ms) },
  { title: 'Index', cell: ({ indices }) => indices.join(', ') },
  {
    title: 'What was asked',
    holds: 'text',
    cell: ({ shape, kind, phase }) => (
      <>
        {shape === null ? (
          `${kind} without a text`
        ) : (
          <details>
            <summary>
              <code>{shape.length > 90 ? `${shape.slice(0, 90)}…` : shape}</code>
            </summary>
            <CodeBlock label="Shape">{shape}</CodeBlock>
          </details>
        )}
        <small className="muted">{phase === 'index' ? kind : `${kind}, ${phase}`}</small>
      </>
    ),
  },
  {
    title: 'Filter',
    holds: 'action',
    cell: ({ fingerprint }) =>
      chosen === fingerprint ? (
        <Button onClick={() => choose('')}>Show all</Button>
      ) : chosen === '' ? (
        <Button onClick={() => choose(fingerprint)}>Only these</Button>
      ) : (
        absent
      ),
  },
];
