import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatMillis, formatNumber } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { Table, type Column } from '../../shared/table.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { hopTimesSql } from './hop-times-sql.js';

const path = '/api/v1/results/hop-times';
type Lane = Answer<typeof path>['lanes'][number];
type Hop = Lane['hops'][number];

const names: Readonly<Record<Hop['hop'], string>> = {
  append: 'Until Kafka had it',
  wait: 'Waiting for a processor',
  score: 'Scoring',
  append_result: 'Until Kafka had the result',
  store: 'Until ClickHouse had it',
  all: 'End to end',
};

/** How long the workspace's prompts took from the edge to ClickHouse. */
export function HopTimes() {
  const { range } = useAddress();
  const query = useRead(path, { range, everySeconds: 30 });
  return (
    <section className="stack" aria-labelledby="hop-times">
      <h2 id="hop-times">End-to-end latency of this workspace's prompts</h2>
      <div className="field">
        <TimeRangePicker />
        <Exports
          what="latency"
          query={query}
          path={path}
          options={{ range }}
          rows={({ lanes }) => lanes.flatMap(({ lane, hops }) => hops.map((hop) => ({ lane, ...hop })))}
          sql={(_, scope) => hopTimesSql(scope)}
        />
      </div>
      <Loaded query={query} what="the latency">
        {({ lanes }) =>
          lanes.length === 0 ? (
            <Notice kind="none-in-range" title="Nothing was scored in this range">
              <p>Choose a longer range. What is on its way has no latency yet.</p>
            </Notice>
          ) : (
            <>
              {lanes.map(({ lane, results, hops }) => (
                <div key={lane} className="stack">
                  <h3>{`${lane === 'task' ? 'Tasks' : 'Real-time calls'}: ${formatNumber(results, 0)}`}</h3>
                  <Table
                    caption={`Latency of ${lane === 'task' ? 'tasks' : 'real-time calls'}`}
                    columns={columns}
                    rows={hops}
                    keyOf={({ hop }) => hop}
                  />
                </div>
              ))}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

const columns: readonly Column<Hop>[] = [
  { title: 'Step', cell: ({ hop }) => names[hop] },
  { title: 'p50', isFigure: true, cell: ({ p50_ms: ms }) => formatMillis(ms) },
  { title: 'p95', isFigure: true, cell: ({ p95_ms: ms }) => formatMillis(ms) },
  { title: 'p99', isFigure: true, cell: ({ p99_ms: ms }) => formatMillis(ms) },
];
