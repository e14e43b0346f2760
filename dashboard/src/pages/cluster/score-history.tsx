import { lazy, Suspense } from 'react';
import { useRead } from '../../api/use-read.js';
import { Contained } from '../../shared/contained.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { ChangeList } from './change-list.js';
import { changesOf } from './changes.js';

const Chart = lazy(async () => ({ default: (await import('../../shared/chart.js')).Chart }));

/** Scores come once a minute: where two lie further apart, one is missing. */
const longestMs = 150_000;

/** The score over time, and what changed with it. A minute without a score is a gap: nobody knows what it was. */
export function ScoreHistory({ uuid }: { readonly uuid: string }) {
  const { range, zone } = useAddress();
  const query = useRead('/api/v1/clusters/{cluster_uuid}/health', {
    ...{ params: { cluster_uuid: uuid }, query: { limit: 1_000 }, range, everySeconds: 60 },
  });
  return (
    <section className="stack" aria-labelledby="history">
      <div className="field">
        <h2 id="history">Score over time</h2>
        <TimeRangePicker />
      </div>
      <Loaded query={query} what="the scores">
        {({ history, next }) =>
          history.length === 0 ? (
            <Notice kind="none-in-range" title="There was no score in this range">
              <p>Choose a longer range to look further back.</p>
            </Notice>
          ) : (
            <>
              <Contained what="the chart">
                <Suspense fallback={<Notice kind="loading" title="Loading the chart…" />}>
                  <Chart
                    label={`Health score, 0 to 100${next === null ? '' : '; the newest 1,000 of the range'}`}
                    lines={[
                      {
                        name: 'Score',
                        samples: [...history]
                          .reverse()
                          .map(({ at, score }) => ({ at: Date.parse(at), value: score })),
                      },
                    ]}
                    longestMs={longestMs}
                    gapLabel="no score"
                    bounds={[0, 100]}
                  />
                </Suspense>
              </Contained>
              <ChangeList changes={changesOf(history, longestMs)} zone={zone} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}
